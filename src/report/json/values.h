/* What all JSON of ours makes of numbers and texts. Internal to src/report/. */
#pragma once

#include "report/cells.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* JSON has no infinity and no NAN: what is not known is null. */
static inline json_t *make_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Likewise, to three digits behind the point: one window is not known to more, and there are many. */
static inline json_t *make_rounded(double value)
{
    return make_number(round(1e3 * value) / 1e3);
}

/* As UTF-8; null for NULL. NULL when memory is out. */
static inline json_t *make_text(const char *raw)
{
    char *clean = raw ? clean_text(raw, false) : NULL;
    json_t *value = clean ? json_string(clean) : raw ? NULL : json_null();
    free(clean);
    return value;
}
