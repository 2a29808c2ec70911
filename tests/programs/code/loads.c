/* loads LIBRARY SECONDS...: opens each library after the progress point is known, works in it for so many
 * seconds of processor time, and closes it again. The libraries are alike, so that the next is likely to come
 * to lie where the last was. */
#include "../target.h"

#include <coz.h>
#include <dlfcn.h>

static double cpu_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    unsigned long sum = 0;
    COZ_PROGRESS_NAMED("round");
    for (int i = 1; i + 1 < argc; i += 2) {
        void *library = dlopen(argv[i], RTLD_NOW);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        unsigned long (*work)(unsigned long) = (unsigned long (*)(unsigned long))dlsym(library, "work");
        for (double end = cpu_ms() + 1000 * atof(argv[i + 1]); cpu_ms() < end;) {
            sum += work(sum);
            COZ_PROGRESS_NAMED("round");
        }
        printf("%p\n", (void *)work);
        dlclose(library);
    }
    return sum == 1;
}
