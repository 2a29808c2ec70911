/* One of two profiles that are compared: all runs of one build, in one file or several. Fed with records as they
 * come. No I/O. */
#pragma once

#include "profile/record.h"
#include "stats/answers/analysis.h"
#include "stats/answers/story.h"
#include "stats/compare/rates.h"

/* Starts zeroed. */
struct compare_side {
    struct analysis *analysis;
    struct story *story;
    struct rates rates;
    struct names locations; /* of which the text is known */
    char **texts;           /* of the line, by location; "": not the same in all runs */
    size_t text_capacity;
};

/* All three: 0 or -ENOMEM. To be released in any case. */
int side_begin(struct compare_side *side);
int side_add(struct compare_side *side, const struct profile_record *record);
int side_end_file(struct compare_side *side); /* after the last record of each file */
void side_release(struct compare_side *side);

/* The text of a target's line; NULL: unknown. */
const char *side_text(const struct compare_side *side, const char *location);
