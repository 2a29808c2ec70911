/* `coz regions`. */
#pragma once

int cmd_regions(int argc, char **argv);
