/* Answering the runtime's requests: which code is where. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "segment/create.h"

/* Publishes the tables of one module: its sites when it is in scope, its unwind rows always. *info (optional)
 * receives the site information, to be released by the caller. Only the reading of an in-scope module can
 * fail; the module is then known with no code. */
int modules_publish(struct segment_owner *owner, struct segment_module *module, const struct scope *scope,
                    struct site_set *sites, struct debuginfo *info, struct coz_error *err);

/* Makes a module known before anything runs. NULL when there is no room. */
struct segment_module *modules_announce(struct segment_owner *owner, const char *path);

/* The next module that a process has asked for, or NULL. */
struct segment_module *modules_requested(struct segment_owner *owner);
