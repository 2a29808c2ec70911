/* "Explain this line" on a page, in two steps: what would be sent is put together and told, and then, when the page says
 * yes to just that, sent. docs/design/page.md and docs/design/advice.md tell more. */
#pragma once

#include "serve/view.h"

#include <microhttpd.h>
#include <poll.h>

enum { EXPLAIN_MOST = 4 /* answers at a time */, EXPLAIN_ENDS = 2 * EXPLAIN_MOST };

/* Begins as zeroes. */
struct explainer {
    struct advice *question; /* that waits for a yes */
    unsigned number;         /* of it */
    struct explained *answers;
};

/* Answers a POST of a page: a target's name, or (with ?yes=NUMBER) leave. */
enum MHD_Result explain_request(struct explainer *explainer, struct MHD_Connection *connection,
                                struct view *view, const char *body, size_t size);

/* What the loop waits for, besides: EXPLAIN_ENDS at most. Returns how many. */
nfds_t explain_add_ends(const struct explainer *explainer, struct pollfd *ends);

/* Goes on with answers of which more has come, or whose page has gone; with all of them, to end, when it is over. */
void explain_resume(struct explainer *explainer, bool is_over);

/* When MHD has ended. */
void explain_release(struct explainer *explainer);
