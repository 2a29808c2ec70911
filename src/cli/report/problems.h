/* What commands that read profiles say of what they cannot use. */
#pragma once

#include "profile/builds.h"
#include "profile/reader.h"

/* To standard error, with the command's name in front: "coz report". */
void problem_print(const char *command, const struct profile_problem *problem);

/* Why runs of those builds are not taken together, and what to do. */
void mixture_print(const char *command, const struct builds *builds);
