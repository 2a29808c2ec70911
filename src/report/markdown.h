/* Pieces of Markdown as pull requests show it. Internal to src/report/. */
#pragma once

#include <stdio.h>

/* Text as code, whatever it holds, also in the cell of a table. */
void put_code(FILE *out, const char *raw);

/* A number of per cent, or a dash where it is not known; sign: with a plus. */
void put_cell(FILE *out, double share, int sign);
