/*
 * The public header against three profilers, one program each (see CMakeLists.txt): none, the original's
 * (counters only) and ours (exact visits). The program itself plays the profiler by exporting its symbols.
 */
#include "coz.h"
#include "header_users.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h> /* snprintf */
#include <string.h>

#include <cmocka.h>

#ifndef PROFILER_none
#define PROFILER_none 0
#endif
#ifndef PROFILER_ours
#define PROFILER_ours 0
#endif

enum { POINTS = 32, THREADS = 8, VISITS = 10000 };

struct point {
    int type;
    const char *name;
    coz_counter_t counter;
};

static struct point points[POINTS];
static int point_count;
static int exact_visits;
static unsigned long sum_of_ids;
static int hook_calls[4]; /* add_delays, pre_block, post_block(0), post_block(1) */

#if !PROFILER_none
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

coz_counter_t *_coz_get_counter(int type, const char *name);
void _coz_add_delays(void);
void _coz_pre_block(void);
void _coz_post_block(int skip);

coz_counter_t *_coz_get_counter(int type, const char *name)
{
    struct point *p = points;

    if (strcmp(name, "unwanted") == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    while (p < points + point_count && (p->type != type || strcmp(p->name, name) != 0))
        p++;
    assert_true(p < points + POINTS);
    if (p == points + point_count) {
        p->type = type;
        p->name = name;
        point_count++;
    }
    pthread_mutex_unlock(&lock);
    return &p->counter;
}

void _coz_add_delays(void)
{
    hook_calls[0]++;
}

void _coz_pre_block(void)
{
    hook_calls[1]++;
}

void _coz_post_block(int skip)
{
    hook_calls[2 + (skip != 0)]++;
}
#endif

struct region {
    char name[32];
    int begun, ended;
};

static struct region regions[8];

static struct region *region_of(const char *name)
{
    struct region *region = regions;

    while (*region->name && strcmp(region->name, name) != 0)
        region++;
    assert_true(region < regions + 8);
    return region;
}

#if PROFILER_ours
void *_coz_region(const char *name);
void _coz_region_begin(void *region);
void _coz_region_end(void *region);

void *_coz_region(const char *name)
{
    struct region *region = region_of(name);

    if (strcmp(name, "unwanted") == 0)
        return NULL;
    snprintf(region->name, sizeof region->name, "%s", name);
    return region;
}

void _coz_region_begin(void *region)
{
    ((struct region *)region)->begun++;
}

void _coz_region_end(void *region)
{
    ((struct region *)region)->ended++;
}

void _coz_visit(coz_counter_t *counter);
void _coz_visit_id(coz_counter_t *counter, unsigned long id);

void _coz_visit_id(coz_counter_t *counter, unsigned long id)
{
    __atomic_add_fetch(&counter->count, 1, __ATOMIC_RELAXED);
    sum_of_ids += id;
}

void _coz_visit(coz_counter_t *counter)
{
    __atomic_add_fetch(&counter->count, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&exact_visits, 1, __ATOMIC_RELAXED);
}
#endif

/* Visits of a point, 0 when the profiler does not know it. */
static size_t count_of(int type, const char *name)
{
    for (int i = 0; i < point_count; i++) {
        if (points[i].type == type && strcmp(points[i].name, name) == 0)
            return points[i].counter.count;
    }
    return 0;
}

static size_t seen(size_t visits)
{
    return PROFILER_none ? 0 : visits;
}

static int reset(void **state)
{
    (void)state;
    for (int i = 0; i < point_count; i++)
        points[i].counter.count = 0;
    exact_visits = 0;
    sum_of_ids = 0;
    memset(regions, 0, sizeof regions);
    memset(hook_calls, 0, sizeof hook_calls);
    return 0;
}

static void every_macro_reaches_the_profiler(void **state)
{
    (void)state;
    use_from_c89(1);
    use_from_c89(0);
    use_from_cxx98(1);
    use_from_cxx98(0);

    assert_int_equal(count_of(COZ_COUNTER_TYPE_THROUGHPUT, "c89"), seen(1));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_BEGIN, "c89-latency"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_END, "c89-latency"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_THROUGHPUT, "cxx98"), seen(1));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_BEGIN, "cxx98-latency"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_END, "cxx98-latency"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_BEGIN, "c89-unit"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_END, "c89-unit"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_BEGIN, "cxx98-unit"), seen(2));
    assert_int_equal(count_of(COZ_COUNTER_TYPE_END, "cxx98-unit"), seen(2));
    assert_int_equal(exact_visits, PROFILER_ours ? 14 : 0);
    assert_int_equal(sum_of_ids, PROFILER_ours ? 8 * 7 : 0);

    assert_int_equal(region_of("c89-region")->begun, PROFILER_ours ? 2 : 0);
    assert_int_equal(region_of("c89-region")->ended, PROFILER_ours ? 2 : 0);
    assert_int_equal(region_of("cxx98-region")->begun, PROFILER_ours ? 2 : 0);
    assert_int_equal(region_of("cxx98-region")->ended, PROFILER_ours ? 2 : 0);
    assert_int_equal(region_of("cxx98-thrown")->ended, PROFILER_ours ? 2 : 0);

    assert_int_equal(hook_calls[0], seen(4));
    assert_int_equal(hook_calls[1], seen(4));
    assert_int_equal(hook_calls[2], seen(2));
    assert_int_equal(hook_calls[3], seen(2));
}

static void unnamed_point_is_called_by_file_and_line(void **state)
{
    (void)state;
    char expected[512];

    snprintf(expected, sizeof expected, "%s:%d", __FILE__, __LINE__ + 1);
    COZ_PROGRESS;
    assert_int_equal(count_of(COZ_COUNTER_TYPE_THROUGHPUT, expected), seen(1));
}

static void point_that_the_profiler_refuses_stays_off(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        COZ_PROGRESS_NAMED("unwanted");
    assert_int_equal(count_of(COZ_COUNTER_TYPE_THROUGHPUT, "unwanted"), 0);
    assert_int_equal(exact_visits, 0);
}

static void names_of_regions_may_change(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        char name[8];

        snprintf(name, sizeof name, "at %d", i % 2);
        COZ_REGION_BEGIN(name);
        COZ_REGION_END(name);
    }
    assert_int_equal(region_of("at 0")->begun, PROFILER_ours ? 2 : 0);
    assert_int_equal(region_of("at 1")->ended, PROFILER_ours ? 2 : 0);
    for (int i = 0; i < 3; i++)
        COZ_REGION_BEGIN("unwanted");
    assert_int_equal(region_of("unwanted")->begun, 0);
}

static void two_places_with_one_name_are_one_point(void **state)
{
    (void)state;
    COZ_PROGRESS_NAMED("shared");
    COZ_PROGRESS_NAMED("shared");
    assert_int_equal(count_of(COZ_COUNTER_TYPE_THROUGHPUT, "shared"), seen(2));
}

static void *visit_often(void *barrier)
{
    pthread_barrier_wait(barrier);
    for (int i = 0; i < VISITS; i++)
        COZ_PROGRESS_NAMED("threads");
    return NULL;
}

static void threads_that_arrive_together_lose_no_visit(void **state)
{
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;

    (void)state;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, visit_often, &barrier), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&barrier);
    assert_int_equal(count_of(COZ_COUNTER_TYPE_THROUGHPUT, "threads"), seen(THREADS * VISITS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_macro_reaches_the_profiler, reset),
        cmocka_unit_test_setup(unnamed_point_is_called_by_file_and_line, reset),
        cmocka_unit_test_setup(point_that_the_profiler_refuses_stays_off, reset),
        cmocka_unit_test_setup(names_of_regions_may_change, reset),
        cmocka_unit_test_setup(two_places_with_one_name_are_one_point, reset),
        cmocka_unit_test_setup(threads_that_arrive_together_lose_no_visit, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
