/* Runs a fuzz target on the files of directories: what was found once must stay mended. A crash ends it; so
 * does an input that took more memory than any of these small files may. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Address sanitizer keeps freed memory for a while, 256 MB of it. */
enum { MEMORY_LIMIT_MB = 768 };

static long peak_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

static void replay(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    size_t size = (size_t)ftell(file);
    uint8_t *data = malloc(size + 1);
    rewind(file);
    if (!data || fread(data, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    if (peak_mb() > MEMORY_LIMIT_MB) {
        fprintf(stderr, "%s: took %ld MB\n", path, peak_mb());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        struct dirent **files;
        int found = scandir(argv[i], &files, NULL, alphasort);
        if (found < 0) {
            perror(argv[i]);
            return 1;
        }
        for (int j = 0; j < found; j++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], files[j]->d_name);
            if (files[j]->d_name[0] != '.') {
                replay(path);
                count++;
            }
            free(files[j]);
        }
        free(files);
    }
    printf("%u inputs\n", count);
    return count == 0;
}
