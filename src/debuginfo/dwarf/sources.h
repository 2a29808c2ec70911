/* The source files that a debug information names, each once, with the verdict of the scope. Private to
 * debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/md5.h"
#include "debuginfo/names/scope.h"

struct source {
    char *path; /* absolute; "." and ".." and doubled slashes taken out, so that one file has one name */
    bool in_scope;
    bool has_code; /* set by the reader */
    enum { SOURCE_WITHOUT_MD5, SOURCE_WITH_MD5, SOURCE_WITH_SEVERAL } md5s;
    uint8_t md5[MD5_BYTES]; /* of the file when it was compiled, where DWARF tells one */
    uint32_t number;        /* private: the index before sorting */
};

struct source_table {
    const struct scope *scope;
    struct source *items; /* items[0] stands for "unknown" and is never in scope */
    size_t count;
    size_t room;
    uint32_t *slots; /* hash of the path -> index */
    uint32_t slot_mask;
};

/* False when memory is out. Release in every case. */
bool source_table_init(struct source_table *table, const struct scope *scope);
void source_table_release(struct source_table *table);

/* The index of the file; directory (may be NULL) is what a relative name is relative to. 0 when memory is out
 * or the name cannot be used. */
uint32_t source_table_add(struct source_table *table, const char *name, const char *directory);

/* The compiler noted that of the file. */
void source_note_md5(struct source *source, const uint8_t md5[MD5_BYTES]);

/* Sorts the files by path, after which none can be added or looked up any more. Returns the new index for
 * each old one, to be freed, or NULL when memory is out. */
uint32_t *source_table_sort(struct source_table *table);

/* The sources of a table that was kept: offsets of their names in its strings. True when all can be used:
 * none is "", which the strings begin with, and the last string has its end. */
bool source_names_are_sound(const uint32_t *names, size_t count, const char *strings, size_t size);
