#include "stats/waits/reason.h"

#include "stats/waits/awaits.h"

enum { WAKERS_MOST = 32 };

#define LEAST_SHARE 0.1 /* of the threads' time, that explains anything */
#define CHIEF_PART 0.5  /* of its longest wait, that somebody ends for whom it is said to wait */

struct waker {
    const char *by;
    double share;
    const struct waiting_wait *wait; /* in which it is waited for most, */
    double most;                     /* and how much */
};

static void add_waker(struct waker *wakers, size_t *count, const char *by, const struct waiting_wait *wait,
                      double share)
{
    size_t i = 0;
    while (i < *count && wakers[i].by != by)
        i++;
    if (i == WAKERS_MOST)
        return;
    if (i == *count)
        wakers[(*count)++] = (struct waker){.by = by};
    wakers[i].share += share;
    if (share > wakers[i].most) {
        wakers[i].most = share;
        wakers[i].wait = wait;
    }
}

struct reason reason_find(const struct waiting *waiting, const char *kind, const char *location)
{
    struct waker wakers[WAKERS_MOST];
    size_t count = 0;
    struct reason reason = {.share = 0};
    const struct awaits_location *there = awaits_of(waiting_awaits(waiting), kind, location);
    if (!there || !there->cpu_ns)
        return reason;
    for (size_t i = 0; i < there->count; i++) {
        const struct waiting_wait *wait = waiting_numbered(waiting, there->waits[i].wait);
        double share = (double)there->waits[i].time_ns / (double)there->cpu_ns;
        if (share > reason.share)
            reason = (struct reason){share, NULL, wait->class, wait->place};
        for (size_t j = 0; wait->time_ns && j < wait->wake_count; j++)
            add_waker(wakers, &count, wait->wakes[j].by, wait,
                      share * (double)wait->wakes[j].time_ns / (double)wait->time_ns);
    }
    double least = CHIEF_PART * reason.share;
    for (size_t i = 0; i < count; i++)
        if (wakers[i].share >= least && (!reason.by || wakers[i].share > reason.share))
            reason =
                (struct reason){wakers[i].share, wakers[i].by, wakers[i].wait->class, wakers[i].wait->place};
    if (reason.share < LEAST_SHARE)
        reason.share = 0;
    else if (reason.share > 1)
        reason.share = 1;
    return reason;
}
