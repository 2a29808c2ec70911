/* What a program that generates code says about it: /tmp/perf-PID.map, a line for each function, "START SIZE
 * name", in hexadecimal, appended as code is made. Written for perf, and by whoever wants; what is no such
 * line is passed over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum { PERF_MAP_TAIL = 128 };

struct perf_map_entry {
    uint64_t start, size;
    uint32_t name; /* offset in names */
};

struct perf_map {
    struct perf_map_entry *entries; /* as written: where two overlap, the later one counts */
    size_t count, room;
    char *names;
    size_t names_size, names_room;
    uint64_t read;  /* bytes of the file, up to the end of a line */
    bool is_behind; /* there is more to read than the last look was allowed to */

    /* What it was at the last look, to tell whether it only grew since. */
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
    char tail[PERF_MAP_TAIL]; /* the bytes before `read`, or as many as there were */
};

/* Takes the lines of bytes that are whole; returns how many bytes that is. Names that V8 marks with how far
 * it has optimised the function ("JS:*f", "JS:~f") lose the mark: it is the same function. No more than a
 * million functions are kept. */
size_t perf_map_parse(struct perf_map *map, const char *bytes, size_t size);

enum perf_map_news { PERF_MAP_NONE, PERF_MAP_GREW, PERF_MAP_REFUSED };

/* Reads what the process has written since the last time, but not much more than *budget bytes, of which it
 * takes away what it has read; the next call goes on there. All of it is read anew when the file is another, or
 * was written anew in its place. Refuses a file that belongs neither to root nor to us, as perf does: anybody
 * may write to /tmp. path gets the file's name. */
enum perf_map_news perf_map_read(struct perf_map *map, uint32_t pid, size_t *budget, char path[64]);

void perf_map_release(struct perf_map *map);
