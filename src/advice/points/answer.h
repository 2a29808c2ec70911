/* What was proposed, as insertions: whatever cannot be what was asked for is dropped, with a reason. */
#pragma once

#include "advice/points/edit.h"
#include "advice/points/question.h"

struct points_remarks {
    void (*say)(void *context, const char *words); /* why a proposal was dropped, clean */
    void *context;
};

/* Reads the answer's text. Every insertion is at a place for a statement (places.h), in one of the sources; sources that
 * lack the header are given it; pairs are pairs. 0 (with no insertion when nothing was proposed, or all was dropped);
 * -EBADMSG: it is no such answer; -ENOMEM. To be released in any case. */
int points_answer_read(struct insertions *all, const char *answer, const struct point_sources *sources,
                       const struct points_request *request, const struct points_remarks *remarks,
                       struct coz_error *err);

/* Drops points of pairs whose other half is dropped, and headers that nothing needs any more. */
void points_drop_halves(struct insertions *all, const struct points_remarks *remarks);
