#include "debuginfo/build.h"

#include "debuginfo/elf/identity.h"
#include "debuginfo/sets/checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int hash_file(int fd, uint64_t *hash)
{
    unsigned char bytes[1 << 14];
    struct checksum sum = checksum_begin(0);
    for (;;) {
        ssize_t count = read(fd, bytes, sizeof bytes);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return errno;
        if (count == 0)
            break;
        checksum_add(&sum, bytes, (size_t)count);
    }
    *hash = checksum_end(&sum);
    return 0;
}

int build_identify(const char *path, char text[BUILD_TEXT], struct coz_error *err)
{
    struct identity identity;
    if (identity_read(&identity, path)) {
        for (size_t i = 0; i < identity.size; i++)
            snprintf(text + 2 * i, 3, "%02x", identity.build_id[i]);
        return 0;
    }
    uint64_t hash;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int code = fd < 0 ? errno : hash_file(fd, &hash);
    if (fd >= 0)
        close(fd);
    if (code)
        return error_set(err, code, "%s: %s", path, strerror(code));
    snprintf(text, BUILD_TEXT, "file-%016" PRIx64, hash);
    return 0;
}
