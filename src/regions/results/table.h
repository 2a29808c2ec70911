/* The table that is printed after each iteration. */
#pragma once

#include "regions/results/book.h"

#include <stdio.h>

/* One line before it says which method, how many iterations of how many, and how long a call takes. Lines after it say
 * which marks do not fit together. */
void table_print(FILE *out, const struct book *book, unsigned iterations);
