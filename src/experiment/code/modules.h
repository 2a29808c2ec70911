/* Answering the runtime's requests: which code is where.
 *
 * The program's own tables are there before it starts. Those of everything else are read by a thread of the
 * controller's while the program runs: until a module is known, walks end at its frames. The thread only
 * reads; numbering sites and writing to the segment is done by modules_serve(), on the controller's own. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "shared/create.h"

struct modules;

/* Starts the thread. The owner, scope and sites must outlive it. NULL when there is no memory or no thread.
 */
struct modules *modules_start(struct segment_owner *owner, const struct scope *scope, struct site_set *sites);

/* Reads and publishes the tables of the program before anything runs: its sites when it is in scope, its
 * unwind rows always. *info receives the site information, to be released by the caller. Only the reading of
 * an in-scope program can fail; it is then known with no code. What sites are is the segment's granularity;
 * it becomes that of functions when the program has no lines and that may be. */
int modules_publish_program(struct modules *modules, const char *path, bool may_fall_back,
                            struct debuginfo *info, struct coz_error *err);

/* Publishes what was read since, and takes up what processes have asked for. Never waits. */
void modules_serve(struct modules *modules);

/* Ends the thread, after what it is reading at the moment. Nothing for NULL. */
void modules_stop(struct modules *modules);

/* What the user ought to know about what could not be read; "" if nothing. Until modules_stop(). */
const char *modules_note(const struct modules *modules);
