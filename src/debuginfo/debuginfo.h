/* Debug information of one ELF file, turned into the two sorted tables that the runtime searches.
 *
 * Addresses are the file's own virtual addresses as 32-bit numbers (what is left of a program counter after
 * the load bias is taken away); code above 4 GiB is left out. All DWARF is read by libdw. Called by the
 * controller only. A struct debuginfo starts zeroed; each of the loaders fills its own part of it, once. */
#pragma once

#include "base/error.h"
#include "base/md5.h"
#include "debuginfo/names/scope.h"
#include "debuginfo/names/site.h"
#include "debuginfo/stacks/place.h"
#include "shared/tables.h"

enum debuginfo_status {
    DEBUGINFO_OK,
    DEBUGINFO_NO_LINES,     /* the file has no line tables: compile with -g */
    DEBUGINFO_OUT_OF_SCOPE, /* it has lines, none of which the scope holds */
};

struct debuginfo {
    enum debuginfo_status status;
    struct site_row *rows; /* sorted by start, not overlapping, only in-scope code */
    size_t row_count;
    struct site_node *nodes; /* what the rows name, unless those name lines themselves; nodes[0] is unused */
    size_t node_count;
    struct unwind_row *unwind; /* sorted by start; empty when the file has no call frame information */
    size_t unwind_count;
    char **sources; /* every source file that was seen, in scope or not: to explain an empty profile */
    size_t source_count;
    char warnings[1024]; /* what was left out and why, "a.c: invalid DWARF", by lines; empty if nothing */
    /* GRANULARITY_FUNCTION: functions have names, by debug information or a symbol table, and not only those that it
     * exports. */
    bool has_names;
    bool by_file;              /* GRANULARITY_FILE: sites are files */
    void *table;               /* private: owns the rows */
    void *stacks;              /* private: likewise, when they name nodes */
    void *excluded;            /* private: of what functions the rows' code is, when some are excluded */
    struct site_row *cut_rows; /* private: those without these */
    const struct scope *scope; /* private: by which they are */
};

struct debuginfo_options {
    enum granularity granularity;
    bool cached;      /* look into the cache of tables, and write to it */
    unsigned threads; /* to read with; 0: as many as are of use */
};

/* Reads the site rows of the ELF file at path. With GRANULARITY_LINE a row names the innermost in-scope line
 * of the address: its own line, else the call sites it was inlined into, outwards. Line 0 falls outwards too.
 * With GRANULARITY_FILE it names that line's file, and with
 * GRANULARITY_THREAD there are no rows. A file without debug info is no error (see status). -ENOENT, -EACCES, -ENOEXEC (not ELF) or -ENOMEM on
 * failure. Release *out in every case. */
int debuginfo_load_sites(const char *path, const struct scope *scope, struct site_set *sites,
                         struct debuginfo *out, struct coz_error *err);
int debuginfo_load_sites_as(const char *path, const struct scope *scope, struct debuginfo_options options,
                            struct site_set *sites, struct debuginfo *out, struct coz_error *err);

/* The same in two steps, for the first of which any thread will do: it touches no site_set, only *out. There
 * are rows after the second one, which is called once; its only failure is -ENOMEM. */
int debuginfo_read_sites(const char *path, const struct scope *scope, struct debuginfo_options options,
                         struct debuginfo *out, struct coz_error *err);
int debuginfo_give_sites(struct debuginfo *out, struct site_set *sites, struct coz_error *err);

/* Finds the functions of all places of a file, which are sorted by address. What cannot be read is not known.
 */
void debuginfo_find_functions(const char *path, const struct scope *scope, struct debuginfo_place *places,
                              size_t count);

/* Tells of each source of the file that DWARF has an MD5 of, and only one: which bytes it had when it was
 * compiled. The path is as sites have it, and valid during the call. */
void debuginfo_find_md5s(const char *path, const struct scope *scope,
                         void (*found)(void *context, const char *source, const uint8_t md5[MD5_BYTES]),
                         void *context);

/* Reads the unwind rows of the ELF file at path (.eh_frame, else .debug_frame) into *out. Any thread. */
int debuginfo_load_unwind(const char *path, struct debuginfo_options options, struct debuginfo *out,
                          struct coz_error *err);

/* The same, if the cache has them. */
bool debuginfo_recall_unwind(const char *path, struct debuginfo *out);

/* Gives back the memory of the rows, of both kinds; the rest stays. */
void debuginfo_release_rows(struct debuginfo *info);

void debuginfo_release(struct debuginfo *info);
