/* Colours and links of a terminal, and words that fit into its width. Internal to src/report/. */
#pragma once

#include "report/report.h"

enum ink { INK_PLAIN, INK_BOLD, INK_FAINT, INK_GOOD, INK_BAD };

/* From here on in that colour; nothing without colours. INK_PLAIN ends any other. */
void put_ink(FILE *out, enum ink ink, const struct report_options *options);
enum ink ink_of_verdict(enum analysis_verdict verdict);

/* What is printed from here to put_link_end() opens the file (an absolute path of that many bytes); nothing
 * where there are to be no links. True when there is one. */
bool put_link(FILE *out, const char *path, size_t length, const struct report_options *options);
void put_link_end(FILE *out);

/* Prints text with its lines broken at spaces, so that none has more than so many columns (unless a single
 * word has); 0: without a break. A line end in the text stays one. */
void put_paragraph(FILE *out, const char *text, size_t columns);

/* The same with a margin of so many columns before each line, and a line end behind the last. */
void put_indented(FILE *out, const char *text, size_t margin, size_t columns);

/* A stream whose text put_flow_end() prints as a paragraph. Without memory it is `out` itself. */
struct flow {
    FILE *out, *stream;
    char *text;
    size_t size;
};
FILE *put_flow(struct flow *flow, FILE *out);
void put_flow_end(struct flow *flow, size_t columns);
