/* What options are told, as text. None of these prints; who calls knows the remedy. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A finite number and nothing else. */
bool option_number(const char *text, double *number);

/* A whole number, 0 or more, and nothing else: no sign, no blank. */
bool option_whole(const char *text, uint64_t *number);

/* A port: 0 to 65535. */
bool option_port(const char *text, uint16_t *port);

/* Which of the words it is, -1 when it is none. The list ends with NULL. */
int option_word(const char *text, const char *const *words);

/* "perf" or "timer"; SAMPLER_NONE when it is neither. */
enum segment_sampler option_sampler(const char *text);

/* Adds speedups, in permille, to those that are there already, each only once: "25" or "25%" (percent), or a
 * range "0-50:10" (with steps of 5 when none is given). False: it is neither, out of -1000 to 100 percent, or
 * more than there is room for. */
bool option_speedups(const char *text, int *permille, size_t *count, size_t room);
