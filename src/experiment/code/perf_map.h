/* What a program that generates code says about it: /tmp/perf-PID.map, a line for each function, "START SIZE
 * name", in hexadecimal, appended as code is made. Written for perf, and by whoever wants; what is no such
 * line is passed over. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct perf_map_entry {
    uint64_t start, size;
    uint32_t name; /* offset in names */
};

struct perf_map {
    struct perf_map_entry *entries; /* as written: where two overlap, the later one counts */
    size_t count, room;
    char *names;
    size_t names_size, names_room;
    uint64_t read; /* bytes of the file, up to the end of a line */
    dev_t device;  /* of the file that was read */
    ino_t inode;
};

/* Takes the lines of bytes that are whole; returns how many bytes that is. Names that V8 marks with how far
 * it has optimised the function ("JS:*f", "JS:~f") lose the mark: it is the same function. No more than a
 * million functions are kept. */
size_t perf_map_parse(struct perf_map *map, const char *bytes, size_t size);

enum perf_map_news { PERF_MAP_NONE, PERF_MAP_GREW, PERF_MAP_REFUSED };

/* Reads what the process has written since the last time; all of it anew when the file is another. Refuses a
 * file that belongs neither to root nor to us, as perf does: anybody may write to /tmp. path gets the file's
 * name. */
enum perf_map_news perf_map_read(struct perf_map *map, uint32_t pid, char path[64]);

void perf_map_release(struct perf_map *map);
