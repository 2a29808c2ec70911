/* Progress points when a process was killed while it announced one: nobody waits for it, and who comes with
 * the same point completes it. */
#include "probe.h"

#include <dlfcn.h>

static struct segment_point *(*get_counter)(int, const char *);

/* What a killed process leaves: the slot is taken, and nothing is written there yet. */
static void leave_half(struct segment_point *point)
{
    atomic_store(&point->state, SLOT_FREE);
    point->type = 0;
    memset(point->name, 0, sizeof point->name);
}

int main(void)
{
    probe_attach();
    probe_name = "points";
    *(void **)&get_counter = dlsym(RTLD_DEFAULT, "_coz_get_counter");
    struct segment_point *one = get_counter(POINT_THROUGHPUT, "one");
    leave_half(one);
    struct segment_point *two = get_counter(POINT_THROUGHPUT, "two"),
                         *begin = get_counter(POINT_BEGIN, "two");
    expect(one != two && two != begin && segment_point_type(one) == POINT_NONE);
    expect(segment_point_type(two) == POINT_THROUGHPUT && segment_point_type(begin) == POINT_BEGIN);
    expect(get_counter(POINT_THROUGHPUT, "one") == one);
    expect(segment_point_type(one) == POINT_THROUGHPUT && strcmp(one->name, "one") == 0);
    expect(get_counter(POINT_BEGIN, "two") == begin && get_counter(POINT_THROUGHPUT, "two") == two);
    return probe_failures > 0;
}
