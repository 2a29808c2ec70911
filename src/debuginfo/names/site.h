/* Sites: the places that can be a target of an experiment, and a sample can fall into.
 *
 * A site is a source line, or a function. Its id is a small number, the same in the controller, in the
 * segment and in every process of the profiled tree; 0 is "no site". Ids are given in order of first
 * appearance and never change. Not thread safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct site {
    const char *file; /* as the compiler recorded it, made absolute with the compilation directory */
    uint32_t line;    /* 0: a function, and `file` is its name */
};

enum { SITE_NEAREST = 3 };

struct site_set {
    struct site *sites;    /* sites[id]; sites[0] is {NULL, 0} */
    uint32_t count;        /* ids in use, with the reserved 0 */
    uint32_t limit;        /* site_intern() refuses ids from here on; 0 for no limit */
    uint32_t refused;      /* how often it did */
    const char **declared; /* declared[id]: the file that a function is declared in; NULL without functions */
    void *index;           /* private: hash from file and line to id, and the interned file names */
};

void site_set_init(struct site_set *set, uint32_t limit);
void site_set_release(struct site_set *set);

/* The id of file:line, made now if it is new. 0 when the set is full or memory is out. */
uint32_t site_intern(struct site_set *set, const char *file, uint32_t line);

/* The id of the function of that name, made now if it is new; file: that it is declared in, "" if unknown.
 * When there is one of that name from another file (another plug-in's, say), this one is called "file:name".
 */
uint32_t site_intern_function(struct site_set *set, const char *name, const char *file);

/* For many at a time: makes room for count more, and takes *own, the set's own copy of the file's name as an
 * earlier call has left it there (NULL: none yet), which spares looking it up. */
void site_set_reserve(struct site_set *set, uint32_t count);
uint32_t site_intern_in(struct site_set *set, const char **own, const char *file, uint32_t line);

/* The id of the site that a person wrote as "FILE:LINE", 0 if there is none. FILE may be any trailing part of
 * the path that begins at a '/', e.g. "src/a.c:12" or "a.c:12". When the line has no code, *nearest
 * (optional) gets the id of the closest line of the same file that has, else 0. */
uint32_t site_find(const struct site_set *set, const char *file_line, uint32_t *nearest);

/* Is that the line that a person wrote so? */
bool site_line_matches(const char *file, uint32_t line, const char *file_line);

/* The id of the function that has exactly that name; 0 if there is none. */
uint32_t site_find_function(const struct site_set *set, const char *name);

/* The ids of those functions that answer best to what a person wrote (function_name.h), at most `most` of
 * them; returns how many there are. When there is none, ids gets the nearest ones, and *nearest is how many.
 */
size_t site_find_functions(const struct site_set *set, const char *wanted, uint32_t *ids, size_t most,
                           size_t *nearest);

/* "path:line", or the function's name, into buffer; returns buffer. */
const char *site_name(const struct site_set *set, uint32_t id, char *buffer, size_t size);
