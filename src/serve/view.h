/* One profile as it is shown: what was read of it so far, and how it is followed while it is written. For one
 * thread. */
#pragma once

#include "base/error.h"
#include "report/prompt/explain.h"
#include "stats/answers/analysis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct view_options {
    bool awaits;         /* the file may come later */
    bool without_source; /* no lines of the sources */
    bool mixes_builds;   /* runs of several builds or programs together */
};

struct view;

/* Reads the file as far as it is written; "-" is standard input. 0 or a negative errno: -ENOENT, -EISDIR and the
 * like, -EINVAL: it is no profile, or one of several builds. */
int view_open(struct view **out, const char *path, const struct view_options *options, struct coz_error *err);

/* The same of bytes that were brought, under a name that may hold anything. */
int view_open_bytes(struct view **out, const char *name, const char *bytes, size_t size,
                    const struct view_options *options, struct coz_error *err);

void view_close(struct view *view);

/* Reads what has come since the last look. True when something is to be shown anew. */
bool view_look(struct view *view, uint64_t now_ns);

/* The number of what is to be shown, from 1: another each time that changes. */
uint64_t view_state(const struct view *view);

/* Whether it is being written, as far as was seen at the last look. */
bool view_is_live(const struct view *view);

/* Of the profile's name, the last part; bytes as they are. */
const char *view_name(const struct view *view);

/* What it says. Valid until the next look. */
struct analysis *view_analysis(struct view *view);

/* The page, and its data alone as one line of JSON. 0 or a negative errno. */
int view_put_page(struct view *view, FILE *out, struct coz_error *err);
int view_put_data(struct view *view, FILE *out, struct coz_error *err);

/* What changed from one to the other, as they are now: one line of JSON. Likewise. */
int view_put_comparison(const struct view *before, const struct view *after, FILE *out,
                        struct coz_error *err);

/* What a language model is to be asked about one target of it; errors as of explain_question_make(). */
int view_ask(struct view *view, const char *target, struct explain_question *question, struct coz_error *err);
