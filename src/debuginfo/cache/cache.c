#include "debuginfo/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "debuginfo/cache/cache_limit.h"
#include "debuginfo/sets/checksum.h"

static const char magic[8] = {'c', 'o', 'z', ' ', 't', 'a', 'b', '\n'};

/* How a file begins. */
struct header {
    char magic[8];
    uint32_t version;
    uint32_t size; /* of this */
    char program[16];
    unsigned char build_id[sizeof((struct identity *)NULL)->build_id];
    uint32_t reserved;
    uint64_t layout;
    uint64_t scope;
    uint64_t payload_size;
    uint64_t sum; /* of the payload, begun with that of everything above */
};

_Static_assert(sizeof(struct header) == 88, "on disk");

static struct header make_header(const struct cache_key *key)
{
    struct header header = {.version = CACHE_VERSION,
                            .size = sizeof header,
                            .program = COZ_VERSION,
                            .layout = key->identity.layout,
                            .scope = key->scope};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.build_id, key->identity.build_id, sizeof header.build_id);
    return header;
}

static uint64_t sum_of_header(const struct header *header)
{
    return checksum_bytes(0, header, offsetof(struct header, sum));
}

/* False when there is no place for a cache. */
static bool find_directory(char path[PATH_MAX])
{
    const char *base = getenv("XDG_CACHE_HOME");
    const char *below = "/coz";
    if (!base || base[0] != '/') { /* a relative one is to be ignored, says the specification */
        base = getenv("HOME");
        below = "/.cache/coz";
    }
    if (!base || base[0] != '/')
        return false;
    int length = snprintf(path, PATH_MAX, "%s%s", base, below);
    return length > 0 && length < PATH_MAX - NAME_MAX;
}

/* Makes the directory and those above it. */
static bool make_directory(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int rc = mkdir(path, 0700);
        *slash = '/';
        if (rc && errno != EEXIST)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool find_file(const struct cache_key *key, const char *directory, char path[PATH_MAX])
{
    char name[2 * sizeof key->identity.build_id + 1] = "";
    if (key->identity.size == 0)
        return false;
    for (size_t i = 0; i < key->identity.size; i++)
        snprintf(name + 2 * i, 3, "%02x", key->identity.build_id[i]);
    int length = snprintf(path, PATH_MAX, "%s/%s-%016llx.%s", directory, name, (unsigned long long)key->scope,
                          key->kind);
    return length > 0 && length < PATH_MAX;
}

static bool read_all(int fd, void *buffer, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = read(fd, (char *)buffer + done, size - done);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* The payload, if the file is what the key asks for. */
static void *read_file(int fd, const struct cache_key *key, size_t *size)
{
    struct header header, wanted = make_header(key);
    struct stat status;
    if (fstat(fd, &status) || !S_ISREG(status.st_mode) || !read_all(fd, &header, sizeof header))
        return NULL;
    if (memcmp(&header, &wanted, offsetof(struct header, payload_size)) != 0 ||
        header.payload_size != (uint64_t)status.st_size - sizeof header)
        return NULL;
    void *payload = malloc(header.payload_size ? header.payload_size : 1);
    if (!payload)
        return NULL;
    if (!read_all(fd, payload, header.payload_size) ||
        checksum_bytes(sum_of_header(&header), payload, header.payload_size) != header.sum) {
        free(payload);
        return NULL;
    }
    *size = header.payload_size;
    return payload;
}

void *cache_load(const struct cache_key *key, size_t *size)
{
    char directory[PATH_MAX], path[PATH_MAX];
    if (!find_directory(directory) || !find_file(key, directory, path))
        return NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *payload = read_file(fd, key, size);
    if (payload)
        futimens(fd, NULL); /* used now */
    close(fd);
    return payload;
}

static bool write_parts(int fd, const struct header *header, const struct iovec *parts, size_t count)
{
    int code = write_all(fd, header, sizeof *header);
    for (size_t i = 0; i < count && code == 0; i++)
        code = write_all(fd, parts[i].iov_base, parts[i].iov_len);
    return code == 0;
}

void cache_store(const struct cache_key *key, const struct iovec *parts, size_t count)
{
    char directory[PATH_MAX], path[PATH_MAX], temporary[PATH_MAX];
    struct header header = make_header(key);
    if (!find_directory(directory) || !find_file(key, directory, path) || !make_directory(directory))
        return;
    for (size_t i = 0; i < count; i++)
        header.payload_size += parts[i].iov_len;
    struct checksum sum = checksum_begin(sum_of_header(&header));
    for (size_t i = 0; i < count; i++)
        checksum_add(&sum, parts[i].iov_base, parts[i].iov_len);
    header.sum = checksum_end(&sum);
    int length = snprintf(temporary, sizeof temporary, "%s/" CACHE_TEMPORARY "XXXXXX", directory);
    int fd = length > 0 && length < PATH_MAX ? mkostemp(temporary, O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    bool written = write_parts(fd, &header, parts, count);
    if (close(fd) != 0 || !written || rename(temporary, path) != 0)
        unlink(temporary);
    cache_keep_limit(directory, (uint64_t)CACHE_LIMIT_MB << 20);
}

void *cache_take(char **at, size_t *left, uint64_t count, size_t size)
{
    if (count > *left / size)
        return NULL;
    char *taken = *at;
    *at += count * size;
    *left -= count * size;
    return taken;
}

void cache_free(void *block, void *const *arrays, size_t count)
{
    for (size_t i = 0; !block && i < count; i++)
        free(arrays[i]);
    free(block);
}
