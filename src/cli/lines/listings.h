/* The listings of `coz lines` that are about functions. They return the command's exit status. */
#pragma once

#include "debuginfo/names/scope.h"

enum { LINES_FOUND = 0, LINES_NOT_FOUND = 1, LINES_USAGE = 2 };

/* The functions that can be targets, by the file that they are declared in, with the addresses of their code;
 * only those that answer to one of the names, when there are names (up to a NULL). */
int lines_list_functions(const char *program, char **names, const struct scope *scope);

/* The inline stack of each piece of code, innermost first; only of the code of the lines ("a.c:12") and
 * addresses ("0x1200"), when there are any. */
int lines_list_stacks(const char *program, char **places, const struct scope *scope);
