/* One of two profiles that are compared: all runs of one build, in one file or several. Fed with records as they
 * come, as its analysis and its story are, by whoever has these. No I/O. */
#pragma once

#include "profile/record.h"
#include "stats/answers/analysis.h"
#include "stats/answers/story.h"
#include "stats/compare/rates.h"

struct compare_side {
    struct analysis *analysis; /* both the caller's */
    struct story *story;
    struct rates rates;
    struct names locations; /* of which the text is known */
    char **texts;           /* of the line, by location; "": not the same in all runs */
    size_t text_capacity;
};

void side_begin(struct compare_side *side, struct analysis *analysis, struct story *story);
void side_release(struct compare_side *side); /* the analysis and the story stay */

/* Takes of a record what those two do not keep. 0 or -ENOMEM. */
int side_add(struct compare_side *side, const struct profile_record *record);
void side_end_file(struct compare_side *side); /* after the last record of each file */

/* The text of a target's line; NULL: unknown. */
const char *side_text(const struct compare_side *side, const char *location);
