/* Starting the program with the runtime in it. */
#pragma once

#include "base/error.h"
#include "shared/create.h"

#include <limits.h>
#include <sys/types.h>

/* The path of what a shell would run for `name`, made absolute. -ENOENT, -EACCES. */
int launch_find_program(const char *name, char path[PATH_MAX], struct coz_error *err);

/* libcoz.so beside this executable: ../lib (build tree), or the library directory it was installed to. */
int launch_find_runtime(char path[PATH_MAX], struct coz_error *err);

/* Forks and executes. Returns the child's pid, or -errno when it could not be executed (-ENOENT: a shell's
 * 127; others: 126). */
pid_t launch(const struct segment_owner *owner, const char *runtime, const char *program, char **argv,
             struct coz_error *err);
