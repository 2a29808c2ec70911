/* What `coz verify` says in the end. */
#pragma once

#include "report/report.h"
#include "verify/verify.h"

void words_on_verify(FILE *out, const struct verify *verify, const struct report_options *options);
