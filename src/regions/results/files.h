/* What was measured, in files for other programs. A file is written beside and renamed, so that it is whole at any
 * time. 0 or a negative errno. */
#pragma once

#include "regions/results/book.h"

/* A line for each region and percentage: region,count,time_percent,percent,effect_percent,error_percent,kept,calls */
int file_write_csv(const char *path, const struct book *book);

/* One object: {"schema":1, "method":"full|simple", "iterations":n, "time_ns":x, "regions":[{"region":s, "count":x,
 * "time_percent":x, "left_open":n, "never_begun":n, "effects":[{"percent":x, "effect":x, "error":x, "kept":n,
 * "calls":n}]}]}; what is not known is null. */
int file_write_json(const char *path, const struct book *book);
