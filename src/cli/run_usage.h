/* What `coz run --help` prints. */
#pragma once

extern const char run_usage[];
