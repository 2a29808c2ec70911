/* Starting the program with the runtime in it. */
#pragma once

#include "base/error.h"
#include "shared/create.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

/* Remembers which signals the caller wants ignored and blocked: so will the program. To be called before the
 * first handler is installed and the first thread is made, for which libc takes a signal of the caller's (33). */
void launch_remember_signals(void);

/* The path of what a shell would run for `name`, made absolute. -ENOENT, -EACCES. */
int launch_find_program(const char *name, char path[PATH_MAX], struct coz_error *err);

/* A library of ours by its file's name: in that subfolder of the library directory ("": in itself) of the
 * installation that this executable is of, or in ../lib (build tree). -ENOENT. */
int launch_find_library(const char *name, const char *subfolder, char path[PATH_MAX], struct coz_error *err);

/* libcoz.so beside this executable: ../lib (build tree), or coz/preload in the library directory. Of two libcs that one
 * which is for programs of musl's (program_file_is_of_musl()), or of this executable's. -ENOENT. */
int launch_find_runtime(bool for_musl, char path[PATH_MAX], struct coz_error *err);

/* What LD_PRELOAD is to name: libcoz.so itself, or a link to it, where its path has what the dynamic linker
 * takes for the end of a name. */
struct runtime_link {
    char path[PATH_MAX];
    char folder[32]; /* made for the link; "": there is none */
};

/* Makes the link if there must be one. launch_unlink_runtime() takes it away again, after a failure too: what the
 * program executes from then on is told by the dynamic linker that there is no such library. */
int launch_link_runtime(const char *path, struct runtime_link *link, struct coz_error *err);
void launch_unlink_runtime(struct runtime_link *link);

/* Forks and executes. Returns the child's pid, or -errno when it could not be executed (-ENOENT: a shell's
 * 127; others: 126). */
pid_t launch(const struct segment_owner *owner, const struct runtime_link *runtime, const char *program,
             char **argv, struct coz_error *err);
