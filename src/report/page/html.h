/* The answers as a page: one HTML file that needs nothing else, not even a network. It shows the tree of
 * `--format json` and computes nothing but pixels; docs/design/page.md tells what it shows. */
#pragma once

#include "report/report.h"

struct page_options {
    const char *title;   /* of the window; any bytes */
    bool without_source; /* the page is not to hold lines of the sources */
};

/* 0; -ENOSYS when this coz was built without the page: err says what was missing then; or another negative
 * errno. */
int report_html(FILE *out, struct analysis *analysis, const struct report_options *options,
                const struct page_options *page, struct coz_error *err);
