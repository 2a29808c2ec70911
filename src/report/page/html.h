/* The answers as a page: one HTML file that needs nothing else, not even a network. It shows the tree of
 * `--format json` and computes nothing but pixels; docs/design/page.md tells what it shows. */
#pragma once

#include "report/compare/comparing.h"
#include "report/report.h"

#include <stdint.h>

struct page_options {
    const char *title;   /* of the window; any bytes */
    bool without_source; /* the page is not to hold lines of the sources */
    uint64_t served;     /* by a server, which is asked what is new since this state; 0: it is a file */
    const struct compare_report *compared; /* it is the later of two profiles; NULL: there is but one */
};

/* 0, or -ENOSYS when this coz was built without the page: err says what was missing then. */
int report_html_check(struct coz_error *err);

/* 0, -ENOSYS as above, or another negative errno. */
int report_html(FILE *out, struct analysis *analysis, const struct report_options *options,
                const struct page_options *page, struct coz_error *err);

/* What the page holds, alone: one line of JSON, for a page that is open already. The same errors. */
int report_html_data(FILE *out, struct analysis *analysis, const struct report_options *options,
                     const struct page_options *page, struct coz_error *err);

/* And a comparison alone, likewise. 0, -ENOMEM or -EIO. */
int report_html_compared(FILE *out, const struct compare_report *compared,
                         const struct report_options *options, struct coz_error *err);
