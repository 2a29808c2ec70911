/* The inline stacks of a module's code: at each address the functions and lines that it belongs to, from the
 * innermost outwards. Private to debuginfo/ and the listing of `coz lines`. */
#pragma once

#include "debuginfo/names/scope.h"
#include "debuginfo/sets/ranges.h"
#include "shared/tables.h"

/* What of the frames is wanted. */
enum stack_kind {
    STACK_FUNCTIONS, /* in-scope functions, by name only; of code without debug information, by its symbols */
    STACK_LINES,     /* in-scope lines only */
    STACK_ALL,       /* functions and lines, whatever the scope, of units that have a file in scope */
};

/* A frame, with those that it was inlined into. A string is the offset of its first byte in `strings`. */
struct stack_node {
    uint32_t function; /* index of functions; 0: not known, or not wanted */
    uint32_t file;     /* of the line; "" when not known or not wanted */
    uint32_t line;
    uint32_t outer; /* index of nodes; 0: none */
};

struct stack_function {
    uint32_t name;
    uint32_t file; /* that it is declared in; "" when not known */
};

struct stack_table {
    struct site_row *rows; /* sorted, not overlapping; .site is an index of nodes */
    size_t row_count;
    struct stack_node *nodes; /* nodes[0] is unused; an outer one comes before those inlined into it */
    size_t node_count;
    struct stack_function *functions; /* functions[0] is unused */
    size_t function_count;
    uint32_t *sources; /* strings: all files that have code, in scope or not */
    size_t source_count;
    char *strings; /* strings[0] is "" */
    size_t string_size;
    bool has_lines; /* the file has line tables */
    bool has_names; /* by debug information or a whole symbol table, and not only what it exports */
    void *block;    /* NULL, or the one piece of memory that all of the above lie in */
    char warnings[1024];
};

/* The node of the innermost frame at the address; 0: none is known. */
uint32_t stack_table_at(const struct stack_table *table, uint32_t address);

/* True when every number in it can be used: what comes from a disk may be anything. */
bool stack_table_is_sound(const struct stack_table *table);

void stack_table_release(struct stack_table *table);
