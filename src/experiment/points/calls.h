/* The calls that can be progress points, by their names. */
#pragma once

#include "base/error.h"
#include "shared/calls.h"

/* The call of that name, an enum segment_call; -EINVAL: there is none, and err names the nearest. */
int call_find(const char *name, struct coz_error *err);

/* The call behind a symbol that a compiler or a large-file build has made of its name: __read_chk, open64;
 * -1: none. */
int call_of_symbol(const char *symbol);

const char *call_name(unsigned call);

/* How likely it ends a unit of work, 0 to 3 (shared/calls.h). */
unsigned call_worth(unsigned call);
