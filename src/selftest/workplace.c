#include "selftest/workplace.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The whole file, as it was linked. Global names, so that a link-time optimiser may put this where it likes.
 */
__asm__(".pushsection .rodata\n"
        ".global selftest_workload_begin, selftest_workload_end\n"
        "selftest_workload_begin: .incbin \"" SELFTEST_WORKLOAD "\"\n"
        "selftest_workload_end:\n"
        ".popsection");
extern const char selftest_workload_begin[], selftest_workload_end[];

static int write_workload(const char *path, struct coz_error *err)
{
    size_t size = (size_t)(selftest_workload_end - selftest_workload_begin);
    FILE *file = fopen(path, "wxe");
    if (!file)
        return error_set(err, errno, "%s: %s", path, strerror(errno));
    size_t written = fwrite(selftest_workload_begin, 1, size, file);
    int code = written == size && fchmod(fileno(file), 0700) == 0 ? 0 : errno;
    if (fclose(file) != 0 && !code)
        code = errno;
    return code ? error_set(err, code, "%s: %s", path, strerror(code)) : 0;
}

/* Somewhere that programs may be executed: /tmp need not be such a place. */
static bool find_folder(struct workplace *workplace)
{
    const char *places[] = {getenv("TMPDIR"),          "/tmp",         "/var/tmp",
                            getenv("XDG_RUNTIME_DIR"), getenv("HOME"), "."};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct statvfs system;
        if (!places[i] || !*places[i] || statvfs(places[i], &system) != 0 || system.f_flag & ST_NOEXEC)
            continue;
        int length =
            snprintf(workplace->folder, sizeof workplace->folder, "%s/coz-selftest-XXXXXX", places[i]);
        if (length < (int)sizeof workplace->folder && mkdtemp(workplace->folder))
            return true;
    }
    return false;
}

int workplace_make(struct workplace *workplace, struct coz_error *err)
{
    if (!find_folder(workplace)) {
        workplace->folder[0] = '\0';
        return error_set(
            err, EACCES,
            "no folder to put a program into and run it (neither $TMPDIR, /tmp, /var/tmp, $XDG_RUNTIME_DIR, $HOME nor this one): set TMPDIR to one");
    }
    snprintf(workplace->workload, sizeof workplace->workload, "%s/workload", workplace->folder);
    snprintf(workplace->profile, sizeof workplace->profile, "%s/profile.jsonl", workplace->folder);
    return write_workload(workplace->workload, err);
}

void workplace_remove(const struct workplace *workplace)
{
    if (!workplace->folder[0])
        return;
    unlink(workplace->workload);
    unlink(workplace->profile);
    rmdir(workplace->folder);
}
