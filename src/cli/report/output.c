#include "cli/report/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* With `coz run`, --output is the profile. Whoever takes the two for each other shall not lose one. */
static bool is_profile(const struct output *output)
{
    struct stat written, profile;
    if (stat(output->path, &written) != 0 || !S_ISREG(written.st_mode))
        return false;
    for (int i = 0; i < output->profile_count; i++)
        if (stat(output->profiles[i], &profile) == 0 && profile.st_dev == written.st_dev &&
            profile.st_ino == written.st_ino)
            return true;
    return false;
}

FILE *output_open(const struct output *output, struct coz_error *err)
{
    if (!output->path && output->is_page && isatty(STDOUT_FILENO)) {
        error_set(err, EINVAL,
                  "A page is for a browser, not for a terminal. Name a file with --output FILE.html.");
        return NULL;
    }
    if (!output->path)
        return stdout;
    if (is_profile(output)) {
        error_set(err, EEXIST, "%s is the profile that is reported on. Name another file with --output.",
                  output->path);
        return NULL;
    }
    FILE *out = fopen(output->path, "we");
    if (!out)
        error_set(err, errno, "%s cannot be written: %s", output->path, strerror(errno));
    return out;
}

int output_close(FILE *out, const struct output *output, int code, struct coz_error *err)
{
    const char *name = output->path ? output->path : "standard output";
    bool failed = fflush(out) != 0 || ferror(out);
    int reason = errno;
    if (output->path && fclose(out) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (failed && code == 0)
        code = error_set(err, reason, "%s cannot be written: %s", name, strerror(reason));
    struct stat status;
    bool is_file = output->path && stat(output->path, &status) == 0 && S_ISREG(status.st_mode);
    if (code < 0 && is_file)
        unlink(output->path);
    else if (code == 0 && is_file && output->is_page)
        fprintf(stderr, "The page is in %s; open it in a browser.\n", output->path);
    return code;
}
