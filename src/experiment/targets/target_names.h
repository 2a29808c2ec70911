/* What the numbers of targets stand for, and what they are called in profiles: lines "path:line", functions
 * by their names, call sites "path:line <- path:line", the line before its caller's, files by their paths, threads
 * "thread:name", regions "region:name", and groups of these by what was asked for (docs/design/lines.md). */
#pragma once

#include "debuginfo/names/site.h"
#include "experiment/targets/target_groups.h"
#include "shared/layout.h"

struct target_names {
    const struct site_set *sites;
    struct segment *segment;
    const struct target_groups *groups; /* NULL: there are none */
};

/* "line", "function", "callsite", "file" or "thread": what a run's targets are, groups apart. */
const char *target_run_kind(const struct target_names *names);

/* The same of one target; or that of its group, "wait", or "region". */
const char *target_kind(const struct target_names *names, uint32_t target);

bool target_is_wait(const struct target_names *names, uint32_t target);
bool target_is_region(const struct target_names *names, uint32_t target);

/* What the runtime compares with, at that speedup. */
segment_target target_word(const struct target_names *names, uint32_t target, int permille);

/* All numbers in use lie below. */
uint32_t target_count(const struct target_names *names);

/* Into buffer; returns it. */
const char *target_name(const struct target_names *names, uint32_t target, char *buffer, size_t size);

/* The target of that name, as an earlier run wrote it; 0: there is none. A person may leave out the first
 * folders of the paths. */
uint32_t target_find(const struct target_names *names, const char *name);

/* Finds a function's file, "" if unknown; NULL for what is no function. */
const char *target_file(const struct target_names *names, uint32_t target);
