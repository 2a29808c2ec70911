#include "debuginfo/elf/debug_link.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usual[] = "/usr/lib/debug";

static char *search_path;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_path(void)
{
    const char *own = getenv("COZ_DEBUG_FILE_DIRECTORY");
    own = own && own[0] ? own : usual;
    /* First the module's own folder, which has no name here. */
    if (asprintf(&search_path, ":.debug:%s%s%s", own, own == usual ? "" : ":", own == usual ? "" : usual) < 0)
        search_path = NULL;
}

char **debug_link_path(void)
{
    pthread_once(&once, make_path);
    return search_path ? &search_path : NULL;
}

/* That of zlib, and of .gnu_debuglink. */
static bool sum_file(int fd, uint32_t *sum)
{
    static const uint32_t reversed = 0xedb88320;
    unsigned char bytes[1 << 14];
    uint32_t table[256], crc = UINT32_MAX;
    ssize_t got;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ reversed : table[i] >> 1;
    }
    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < got; i++)
            crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
    *sum = ~crc;
    return got == 0;
}

static int try_open(const char *path, const char *file, uint32_t checksum)
{
    struct stat own, other;
    uint32_t sum = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    /* A link may name its own file: that has no debug information, else nobody would look for it. */
    if (fstat(fd, &other) == 0 && S_ISREG(other.st_mode) &&
        !(stat(file, &own) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino) &&
        sum_file(fd, &sum) && sum == checksum && lseek(fd, 0, SEEK_SET) == 0)
        return fd;
    close(fd);
    return -1;
}

int debug_link_open(const char *file, const char *link, uint32_t checksum, char **found)
{
    char real[PATH_MAX], path[3 * PATH_MAX];
    char *const *roots = debug_link_path();
    if (!roots || strchr(link, '/') || !realpath(file, real))
        return -1;
    *strrchr(real, '/') = '\0';
    for (const char *at = *roots; at; at = *at ? at + 1 : NULL) {
        int length = (int)strcspn(at, ":");
        if (at[0] == '/')
            snprintf(path, sizeof path, "%.*s%s/%s", length, at, real, link);
        else
            snprintf(path, sizeof path, "%s/%.*s%s%s", real, length, at, length ? "/" : "", link);
        int fd = try_open(path, file, checksum);
        if (fd >= 0 && (*found = strdup(path)))
            return fd;
        if (fd >= 0)
            close(fd);
        at += length;
    }
    return -1;
}
