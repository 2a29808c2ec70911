/* What `coz run` says of a program that reaches no progress point: which of its calls could be one. */
#pragma once

#include "experiment/points/trial.h"

#include <stdio.h>

/* One line for each call that looks like a unit of work, the best first. Returns how many there are. */
size_t suggest_calls(FILE *out, const struct trial *trial);

/* The command line that was given, with the best of them for a progress point: to be typed. argv is that of
 * `coz run`. Nothing when there is none. */
void suggest_command(FILE *out, const struct trial *trial, char *const *argv);
