/* Putting the stacks of all units together. The threads that read units add them in any order; what comes out
 * does not depend on it. Private to debuginfo/. */
#pragma once

#include <pthread.h>

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/sets/interner.h"
#include "debuginfo/stacks/frames.h"
#include "debuginfo/stacks/stack_table.h"

struct stack_builder {
    enum stack_kind kind;
    pthread_mutex_t lock; /* of all below */
    struct strings strings;
    struct interner functions; /* struct stack_function */
    struct interner nodes;     /* struct stack_node */
    struct cover_list rows;    /* the value is a node, 0 for code that has none */
    bool no_memory;
};

/* Whose rows count where two have some: those of earlier units, then of later ones, then symbols, but not
 * within units that were read. */
enum { STACK_RANK_UNIT = 16 };

/* False when memory is out. Release in every case. */
bool stack_builder_init(struct stack_builder *builder, enum stack_kind kind);
void stack_builder_release(struct stack_builder *builder);

/* Reads the unit's frames, and its lines if they are wanted, and adds them. number: of the unit. As
 * unit_read_lines(). Any thread. */
struct line_header;
int stack_builder_add_unit(struct stack_builder *builder, struct unit *unit, size_t number,
                           const struct line_header *header, struct source_table *sources);

/* The unit's code is known to be out of scope. */
bool stack_builder_add_foreign(struct stack_builder *builder, const struct unit *unit);

/* Adds what the symbols name, where no unit is. */
bool stack_builder_add_symbols(struct stack_builder *builder, struct elf_file *file, bool *has_table);

/* Makes the table's rows, nodes and functions, with their strings. False when memory is out. */
bool stack_builder_finish(struct stack_builder *builder, struct stack_table *table, struct strings *strings);
