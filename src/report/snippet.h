/* Lines of a source around one of them. Internal to src/report/. */
#pragma once

#include "report/report.h"

struct snippet {
    const char *path; /* of path_length bytes */
    size_t path_length;
    long line;
    int lines; /* that are shown, the one itself among them; 0: none */
    /* Before each line its share of the samples, and what these answers (of one progress point) say of it; NULL:
     * neither. */
    const struct analysis_result *answers;
    size_t answer_count;
};

enum snippet_outcome { SNIPPET_NONE, SNIPPET_SHOWN, SNIPPET_CHANGED /* no longer what was profiled */ };

/* Prints them; nothing when the file cannot be read, is not called like a source, or has no such line. */
enum snippet_outcome put_snippet(FILE *out, const struct analysis *analysis, const struct snippet *snippet,
                                 const struct report_options *options);

/* What is to be said of a file that was changed. */
void put_changed(FILE *out, const struct report_options *options);
