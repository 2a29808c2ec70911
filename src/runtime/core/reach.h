/* Whether libcoz.so gets into a program that is about to be executed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Says so, once a run, when the dynamic linker will not load us into that program: it has none (a static
 * program), takes nothing from the environment (setuid), or is another libc's. That one would not even start the
 * program: then true is returned, and it is to be executed without us. search: a name without a slash is looked for
 * in PATH. Any thread, and the child of a vfork(); errno is kept. Does nothing in a process without a segment. */
bool reach_check(const char *file, int search);

/* Whether this process may not open the segment any more, which it has mapped: it has become another user, or
 * is in a container. Nothing that it executes could attach. That is said here, once for the whole tree; the
 * program is not to be told of the segment then, for it would say so as well, and so would each one that it
 * executes. Any thread, and the child of a vfork(); errno is kept. False in a process that is not profiled.
 */
bool reach_is_lost(void);

/* The environment for such a program: without the variable that names the segment, and of another libc's without the
 * libraries that are loaded first, which are for this one. `to` has room for as many pointers as reach_count() says.
 * `from` may be NULL. */
size_t reach_count(char *const from[]);
void reach_copy(char *to[], char *const from[], bool is_foreign);

/* The same, for all that this process executes from here on, its own environment being what counts. */
void reach_forget(void);
