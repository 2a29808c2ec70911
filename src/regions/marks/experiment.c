#include "regions/marks/experiment.h"

uint32_t experiment_number;

/* Members are atomic by themselves, the number tells whether they belong together: it is odd while they change. */
static struct experiment current;

void experiment_set(const struct experiment *experiment)
{
    struct experiment next = *experiment;
    uint32_t number = __atomic_load_n(&experiment_number, __ATOMIC_RELAXED);
    __atomic_store_n(&experiment_number, number | 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store(&current.kind, &next.kind, __ATOMIC_RELAXED);
    __atomic_store(&current.target, &next.target, __ATOMIC_RELAXED);
    __atomic_store(&current.in_target, &next.in_target, __ATOMIC_RELAXED);
    __atomic_store(&current.elsewhere, &next.elsewhere, __ATOMIC_RELAXED);
    __atomic_store(&current.share, &next.share, __ATOMIC_RELAXED);
    __atomic_store_n(&experiment_number, (number | 1) + 1, __ATOMIC_RELEASE);
}

uint32_t experiment_get(struct experiment *out)
{
    for (;;) {
        uint32_t number = __atomic_load_n(&experiment_number, __ATOMIC_ACQUIRE);
        __atomic_load(&current.kind, &out->kind, __ATOMIC_RELAXED);
        __atomic_load(&current.target, &out->target, __ATOMIC_RELAXED);
        __atomic_load(&current.in_target, &out->in_target, __ATOMIC_RELAXED);
        __atomic_load(&current.elsewhere, &out->elsewhere, __ATOMIC_RELAXED);
        __atomic_load(&current.share, &out->share, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (number % 2 == 0 && __atomic_load_n(&experiment_number, __ATOMIC_RELAXED) == number)
            return number;
    }
}
