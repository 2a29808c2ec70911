/* One of the threads that read a file's units. Private to debuginfo/. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "debuginfo/dwarf/package.h"
#include "debuginfo/dwarf/unit.h"
#include "debuginfo/lines/lines.h"
#include "debuginfo/stacks/place_names.h"
#include "debuginfo/stacks/stack_builder.h"

struct listed {
    Dwarf_Off header;
    Dwarf_Off die;
    Dwarf_Off size; /* in bytes */
};

/* What the threads share. A handle of libdw belongs to one thread; opening one changes the Elf below it. */
struct pool {
    const struct scope *scope;
    const struct range_list *code; /* of the program or library, not of the file with its debug information */
    Elf *elf;
    struct sections sections;
    struct package package;
    struct stack_builder *stacks; /* where whole stacks are wanted, not lines only; else NULL */
    struct place_names *names;    /* where nothing but these is; else NULL */
    uint64_t offset;              /* to be added to DWARF's addresses */
    struct listed *units;
    size_t unit_count;
    size_t unit_room;
    uint64_t bytes;
    pthread_mutex_t opening;
    atomic_size_t next;
};

struct warning {
    size_t unit;
    char *text;
};

/* Starts zeroed, but for the pool. */
struct reader {
    struct pool *pool;
    pthread_t thread;
    bool started;
    Dwarf *dwarf;
    Dwarf_Off used; /* bytes of units that were read through the handle */
    struct source_table sources;
    struct line_range_list segments;
    struct warning *warnings;
    size_t warning_count, warning_room;
    bool has_lines;
    bool no_memory;
};

/* Reads units of the pool until none is left. Takes and returns what a thread does. */
void *reader_run(void *reader);

void reader_release(struct reader *reader);
