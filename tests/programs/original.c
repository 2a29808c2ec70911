/* A program built with the original's header: it looks its counters up by name and adds to them, and nothing
 * else.
 *
 *     original [--ms N | --until FILE] */
#include "target.h"

#include <dlfcn.h>

enum { TYPE_THROUGHPUT = 1, STEPS = 400000 };

struct counter {
    size_t count, backoff;
};

static volatile unsigned sum;

static unsigned work(unsigned x)
{
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++) /* its line */
        continue;
    return x;
}

int main(int argc, char **argv)
{
    struct counter *(*get_counter)(int, const char *);
    void (*pre_block)(void), (*post_block)(int), (*add_delays)(void);
    struct counter own = {0}, *counter = &own;
    *(void **)&get_counter = dlsym(RTLD_DEFAULT, "_coz_get_counter");
    *(void **)&pre_block = dlsym(RTLD_DEFAULT, "_coz_pre_block");
    *(void **)&post_block = dlsym(RTLD_DEFAULT, "_coz_post_block");
    *(void **)&add_delays = dlsym(RTLD_DEFAULT, "_coz_add_delays");
    if (get_counter)
        counter = get_counter(TYPE_THROUGHPUT, "old point");
    unsigned rounds = 0;
    for (struct span span = span_option(argc, argv); rounds < 100 || !is_over(span);) {
        sum = work(sum);
        rounds++;
        __atomic_add_fetch(&counter->count, 1, __ATOMIC_RELAXED);
        if (pre_block && post_block && add_delays) {
            add_delays();
            pre_block();
            post_block((int)rounds % 2);
        }
    }
    printf("%s\n", counter->count == rounds ? "counted" : "miscounted");
    return 0;
}
