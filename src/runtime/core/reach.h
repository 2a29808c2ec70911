/* Whether libcoz.so gets into a program that is about to be executed. */
#pragma once

/* Says so, once a run, when the dynamic linker will not load us into that program: it has none (a static
 * program), or takes nothing from the environment (setuid). search: a name without a slash is looked for in
 * PATH. Any thread, and the child of a vfork(); errno is kept. Does nothing in a process that is not
 * profiled. */
void reach_check(const char *file, int search);
