#include "experiment/code/perf_map.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENTRIES_MOST = 1 << 20, NAME_MOST = 1000, CHUNK = 1 << 16 };

/* ---- lines ---- */

/* A hexadecimal number up to a space. */
static bool parse_number(const char **at, const char *end, uint64_t *number)
{
    const char *from = *at;
    *number = 0;
    if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
        from = *at += 2;
    for (; *at < end && isxdigit((unsigned char)**at); ++*at) {
        int c = tolower((unsigned char)**at);
        if (*number >> 60)
            return false;
        *number = *number << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (*at == from || *at == end || **at != ' ')
        return false;
    ++*at;
    return true;
}

/* Copies a name, with V8's marks left out and what no terminal should see replaced. Returns its length. */
static size_t copy_name(char *to, const char *from, size_t length)
{
    static const char *const prefixes[] = {"JS:", "LazyCompile:", "Function:", "Script:", "Eval:"};
    size_t written = 0, mark = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (length > strlen(prefixes[i]) && strncmp(from, prefixes[i], strlen(prefixes[i])) == 0)
            mark = strlen(prefixes[i]);
    for (size_t i = 0; i < length && written < NAME_MOST; i++)
        if (!mark || i != mark || !strchr("*~^+", from[i]))
            to[written++] = (unsigned char)from[i] < 0x20 || from[i] == 0x7f ? '?' : from[i];
    to[written] = '\0';
    return written;
}

static bool reserve_items(void **items, size_t count, size_t *room, size_t size)
{
    if (count <= *room)
        return true;
    size_t wanted = count + count / 2 + 64;
    void *more = reallocarray(*items, wanted, size);
    if (!more)
        return false;
    *items = more;
    *room = wanted;
    return true;
}

static void parse_line(struct perf_map *map, const char *at, const char *end)
{
    struct perf_map_entry entry;
    if (end > at && end[-1] == '\r')
        end--;
    if (!parse_number(&at, end, &entry.start) || !parse_number(&at, end, &entry.size) || entry.size == 0 ||
        entry.start + entry.size < entry.start)
        return;
    while (at < end && *at == ' ')
        at++;
    if (at == end || map->count == ENTRIES_MOST || map->names_size > UINT32_MAX / 2)
        return;
    void *names = map->names, *entries = map->entries;
    bool ok = reserve_items(&names, map->names_size + NAME_MOST + 1, &map->names_room, 1);
    map->names = names;
    ok = ok && reserve_items(&entries, map->count + 1, &map->room, sizeof *map->entries);
    map->entries = entries;
    if (!ok)
        return;
    entry.name = (uint32_t)map->names_size;
    map->names_size += copy_name(map->names + map->names_size, at, (size_t)(end - at)) + 1;
    map->entries[map->count++] = entry;
}

size_t perf_map_parse(struct perf_map *map, const char *bytes, size_t size)
{
    const char *at = bytes, *end;
    while ((end = memchr(at, '\n', size - (size_t)(at - bytes)))) {
        parse_line(map, at, end);
        at = end + 1;
    }
    return (size_t)(at - bytes);
}

/* ---- the file ---- */

/* The number that the process has for itself: in a container another one. */
static uint32_t own_number(uint32_t pid)
{
    char path[64], line[256];
    uint32_t number = pid;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/status", pid);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "NSpid:", 6) == 0) {
            const char *last = line + strlen(line);
            while (last > line && !isdigit((unsigned char)last[-1]))
                last--;
            while (last > line && isdigit((unsigned char)last[-1]))
                last--;
            number = (uint32_t)strtoul(last, NULL, 10);
        }
    if (status)
        fclose(status);
    return number;
}

/* In the process's own /tmp, else in ours. */
static int open_map(uint32_t pid, char path[64])
{
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    char inside[96];
    snprintf(path, 64, "/tmp/perf-%" PRIu32 ".map", own_number(pid));
    snprintf(inside, sizeof inside, "/proc/%" PRIu32 "/root%s", pid, path);
    int fd = open(inside, flags);
    return fd >= 0 ? fd : open(path, flags);
}

/* The bytes before what is to be read next; how many. */
static size_t read_tail(const struct perf_map *map, int fd, char tail[PERF_MAP_TAIL])
{
    size_t size = map->read < PERF_MAP_TAIL ? (size_t)map->read : PERF_MAP_TAIL;
    ssize_t got = pread(fd, tail, size, (off_t)(map->read - size));
    return got < 0 ? 0 : (size_t)got;
}

/* A file that was written anew may be longer than what it was, and have the same number. What it grew by was
 * appended if the bytes before that are still the same. */
static bool is_the_same(const struct perf_map *map, int fd, const struct stat *status)
{
    char tail[PERF_MAP_TAIL];
    if (status->st_dev != map->device || status->st_ino != map->inode || status->st_size < map->size)
        return false;
    if (status->st_size == map->size &&
        (status->st_mtim.tv_sec != map->changed.tv_sec || status->st_mtim.tv_nsec != map->changed.tv_nsec))
        return false;
    return memcmp(tail, map->tail, read_tail(map, fd, tail)) == 0;
}

static void read_rest(struct perf_map *map, int fd, size_t *budget)
{
    char *chunk = malloc(CHUNK);
    ssize_t got = 0;
    while (chunk && *budget > 0 && (got = pread(fd, chunk, CHUNK, (off_t)map->read)) > 0) {
        *budget -= (size_t)got < *budget ? (size_t)got : *budget;
        size_t used = perf_map_parse(map, chunk, (size_t)got);
        map->read += used;
        if (used > 0)
            continue;
        if (got < CHUNK)
            break; /* its end is not written yet */
        /* A line as long as that is none: pass over what there is of it. */
        map->read += (size_t)got;
    }
    map->is_behind = *budget == 0 && got == CHUNK;
    free(chunk);
}

enum perf_map_news perf_map_read(struct perf_map *map, uint32_t pid, size_t *budget, char path[64])
{
    struct stat status;
    int fd = open_map(pid, path);
    size_t before = map->count;
    if (fd < 0)
        return PERF_MAP_NONE;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        (status.st_uid != 0 && status.st_uid != geteuid())) {
        close(fd);
        return PERF_MAP_REFUSED;
    }
    if (!is_the_same(map, fd, &status)) {
        perf_map_release(map);
        before = SIZE_MAX;
    }
    map->device = status.st_dev;
    map->inode = status.st_ino;
    map->size = status.st_size;
    map->changed = status.st_mtim;
    read_rest(map, fd, budget);
    read_tail(map, fd, map->tail);
    close(fd);
    return map->count != before ? PERF_MAP_GREW : PERF_MAP_NONE;
}

void perf_map_release(struct perf_map *map)
{
    free(map->entries);
    free(map->names);
    *map = (struct perf_map){0};
}
