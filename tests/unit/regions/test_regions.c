/* The marks of regions, in calls that this program makes. Waits are for other threads, and one is for at least some time:
 * what is asserted of times are bounds that hold however slow the machine is. */
#include "coz_regions.h"

#include "regions/experiments.h"
#include "regions/marks/call.h"
#include "regions/marks/overlap.h"
#include "regions/marks/thread.h"
#include "regions/told.h"
#include "runtime/clock/ticks.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct experiment counting = {EXPERIMENT_COUNT, NULL, 0, 0, 0};
static struct call call;
static struct region_sum before[REGION_LIMIT];

static void begin_call(const struct experiment *experiment)
{
    call_sums(before, region_count());
    call_begin(&call, experiment);
}

static struct region_sum added(const char *name)
{
    struct region_sum sums[REGION_LIMIT];
    size_t id = region_named(name)->id;
    call_sums(sums, region_count());
    return (struct region_sum){sums[id].count - before[id].count, sums[id].ticks - before[id].ticks};
}

static void work_for(uint64_t ticks)
{
    ticks_spin(ticks_read(), ticks);
}

static void nesting_and_recursion(void **state)
{
    (void)state;
    begin_call(&counting);
    COZ_REGION_BEGIN("outer");
    COZ_REGION_BEGIN("outer");
    COZ_REGION_BEGIN("inner");
    COZ_REGION_BEGIN("outer");
    work_for(1000000);
    COZ_REGION_END("outer");
    COZ_REGION_END("inner");
    COZ_REGION_END("outer");
    work_for(100000);
    COZ_REGION_END("outer");
    call_end(&call);
    assert_int_equal(added("outer").count, 3);
    assert_int_equal(added("inner").count, 1);
    assert_true(added("inner").ticks >= 1000000);
    assert_true(added("outer").ticks >= added("inner").ticks + 100000);
    assert_true(added("outer").ticks <= call.ticks); /* once, though three times entered */
    assert_int_equal(thread_depth(thread_mine), 0);
}

static void recurse(int depth)
{
    const char *name = depth % 2 ? "odd" : "even";
    COZ_REGION_BEGIN(name);
    if (depth > 0)
        recurse(depth - 1);
    COZ_REGION_END(name);
}

static void deep_recursion(void **state)
{
    (void)state;
    begin_call(&counting);
    recurse(9999);
    call_end(&call);
    assert_int_equal(added("odd").count, 5000);
    assert_int_equal(added("even").count, 5000);
    assert_true(added("odd").ticks <= call.ticks);
    assert_int_equal(thread_depth(thread_mine), 0);
}

static jmp_buf back;

static void *leave_with_thread(void *unused)
{
    COZ_REGION_BEGIN("with thread");
    pthread_exit(unused);
}

static void regions_left_without_a_word(void **state)
{
    (void)state;
    pthread_t thread;
    begin_call(&counting);
    COZ_REGION_BEGIN("around");
    if (setjmp(back) == 0) {
        COZ_REGION_BEGIN("jumped out of");
        longjmp(back, 1);
    }
    COZ_REGION_END("around");
    COZ_REGION_END("never begun");
    assert_int_equal(pthread_create(&thread, NULL, leave_with_thread, NULL), 0);
    pthread_join(thread, NULL);
    COZ_REGION_BEGIN("open at the end");
    call_end(&call);
    assert_int_equal(region_named("around")->left_open, 0);
    assert_int_equal(region_named("jumped out of")->left_open, 1);
    assert_int_equal(region_named("with thread")->left_open, 1);
    assert_int_equal(region_named("open at the end")->left_open, 1);
    assert_int_equal(region_named("never begun")->never_begun, 1);
    assert_int_equal(thread_depth(thread_mine), 0);
}

static struct experiment overlapping(const char *target)
{
    return experiment_for(TRIAL_REGION, false, -0.5, region_named(target));
}

static atomic_int in_target;
enum { TOGETHER = 3000000 }; /* ticks */

/* Two threads are in it for that long at once. */
static void *be_in_target(void *unused)
{
    COZ_REGION_BEGIN("target");
    in_target++;
    while (in_target < 2)
        sched_yield();
    work_for(TOGETHER);
    in_target++;
    while (in_target < 4)
        sched_yield();
    COZ_REGION_END("target");
    return unused;
}

static void overlap_of_threads_counts_once(void **state)
{
    (void)state;
    pthread_t threads[2];
    struct experiment experiment = overlapping("target");
    in_target = 0;
    begin_call(&experiment);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, be_in_target, NULL), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    call_end(&call);
    assert_true(call.on_ticks >= TOGETHER);
    assert_true(call.on_ticks <= added("target").ticks - TOGETHER + 100000);
    assert_true(call.on_ticks <= call.ticks);
    assert_true(experiment_time_ns(&experiment, &call) >= (double)call.ticks * call.tick_ns / 2);
}

static atomic_int other_is_done;

static void *stay_in_target(void *unused)
{
    COZ_REGION_BEGIN("target");
    in_target = 1;
    while (!other_is_done)
        sched_yield();
    COZ_REGION_END("target");
    return unused;
}

static void others_wait_for_their_overlap(void **state)
{
    (void)state;
    pthread_t thread;
    struct experiment experiment = overlapping("target");
    in_target = other_is_done = 0;
    begin_call(&experiment);
    assert_int_equal(pthread_create(&thread, NULL, stay_in_target, NULL), 0);
    while (!in_target)
        sched_yield();
    uint64_t begin = ticks_read();
    COZ_REGION_BEGIN("other");
    work_for(4 * TOGETHER);
    COZ_REGION_BEGIN("within other");
    COZ_REGION_END("within other");
    COZ_REGION_END("other");
    /* Half of all that time, the pause too: as long as the work. What was added up last may be OVERLAP_DELAY_NS old. */
    uint64_t passed = ticks_read() - begin;
    assert_true(passed >= 8 * TOGETHER - 1000000);
    assert_true(added("other").ticks >= 4 * TOGETHER);
    assert_true(added("other").ticks <= passed - thread_mine->paid);
    other_is_done = 1;
    pthread_join(thread, NULL);
    call_end(&call);
}

static void who_is_in_the_target_does_not_wait(void **state)
{
    (void)state;
    struct experiment experiment = overlapping("target");
    begin_call(&experiment);
    COZ_REGION_BEGIN("other");
    COZ_REGION_BEGIN("target");
    COZ_REGION_BEGIN("within target");
    work_for(TOGETHER);
    COZ_REGION_END("within target");
    COZ_REGION_END("target");
    work_for(TOGETHER);
    COZ_REGION_END("other");
    assert_int_equal(thread_mine->paid, 0);
    call_end(&call);
    assert_true(call.on_ticks >= TOGETHER);
    assert_true(call.on_ticks + TOGETHER <= call.ticks);
}

/* ---- marks that come so often that watches are short */

enum { SHORT = 5000, WATCHES = 200 };

static void *alternate(void *unused)
{
    while (!other_is_done) {
        COZ_REGION_BEGIN("target");
        work_for(SHORT);
        COZ_REGION_END("target");
        COZ_REGION_BEGIN("not target");
        work_for(SHORT);
        COZ_REGION_END("not target");
    }
    return unused;
}

/* Passes marks of another region until there were so many short watches, while the thread does something else. */
static void pass_beside(void *(*thread_does)(void *))
{
    pthread_t thread;
    struct experiment experiment = overlapping("target");
    in_target = other_is_done = 0;
    begin_call(&experiment);
    assert_int_equal(pthread_create(&thread, NULL, thread_does, NULL), 0);
    uint32_t first = 0;
    while (first == 0 || __atomic_load_n(&overlap_watch, __ATOMIC_RELAXED) - first < WATCHES) {
        COZ_REGION_BEGIN("other");
        work_for(SHORT);
        COZ_REGION_END("other");
        if (first == 0 && !overlap_goes_on())
            first = __atomic_load_n(&overlap_watch, __ATOMIC_RELAXED);
    }
    other_is_done = 1;
    pthread_join(thread, NULL);
    usleep(20 * OVERLAP_LAG_NS / 1000); /* the call's sum follows what the watches found */
    call_end(&call);
}

/* What the thread has to pay. A pause that the machine interrupts pays more, which the next ones take back. */
static double due(void)
{
    return thread_mine->experiment.share * (double)(thread_mine->overlap - thread_mine->overlap_before);
}

static void short_watches_speak_for_the_time_between(void **state)
{
    enum { TRIES = 20 }; /* one in which the thread had a core for most of the time is enough */
    (void)state;
    double part = 0;
    for (int i = 0; i < TRIES && (part <= 0.25 || part >= 0.75); i++) {
        pass_beside(alternate);
        part = (double)call.on_ticks / (double)call.ticks;
    }
    double on = (double)call.on_ticks, owed = due();
    assert_true(part > 0.25 && part < 0.75);
    assert_true(owed > 0 && owed < 0.501 * on); /* a half of nearly all, if it has a core for that */
    assert_true(thread_mine->paid > 0);
}

static void who_passes_no_mark_stays_where_it_is(void **state)
{
    (void)state;
    pass_beside(stay_in_target);
    double on = (double)call.on_ticks, owed = due();
    assert_true(on > 0.75 * (double)call.ticks && on <= (double)call.ticks);
    assert_true(owed > 0 && owed < 0.501 * on);
    assert_true(thread_mine->paid > 0);
}

static void *pass_often(void *name)
{
    for (int i = 0; i < 100000; i++) {
        COZ_REGION_BEGIN("loop");
        COZ_REGION_BEGIN((const char *)name);
        COZ_REGION_END((const char *)name);
        COZ_REGION_END("loop");
    }
    return NULL;
}

static void many_marks_of_many_threads(void **state)
{
    (void)state;
    static char target[] = "target", other[] = "other";
    pthread_t threads[4];
    struct experiment experiment = overlapping("target");
    begin_call(&experiment);
    call_end(&call); /* calls are short: the next one is watched from its beginning */
    begin_call(&experiment);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, pass_often, i % 2 ? target : other), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    call_end(&call);
    assert_int_equal(added("target").count, 200000);
    assert_int_equal(added("loop").count, 400000);
    assert_true(call.on_ticks > 0 && call.on_ticks <= call.ticks);
}

static void slow_regions_spin(void **state)
{
    (void)state;
    const struct region *target = region_named("target");
    struct experiment slower = experiment_for(TRIAL_REGION, true, 0.1, target);
    struct experiment faster = experiment_for(TRIAL_REGION, true, -0.2, target);
    uint64_t paused[2];
    for (int i = 0; i < 2; i++) {
        begin_call(i ? &faster : &slower);
        uint64_t old = thread_mine->paused;
        COZ_REGION_BEGIN("other");
        work_for(TOGETHER);
        COZ_REGION_BEGIN("target");
        work_for(2 * TOGETHER);
        COZ_REGION_END("target");
        COZ_REGION_END("other");
        paused[i] = thread_mine->paused - old;
        call_end(&call);
        assert_true(added("other").ticks >= 3 * TOGETHER);
        assert_true(added("other").ticks + paused[i] <= call.ticks);
        /* 10 % of the target; or 25 % of all else, compared with which it takes 20 % less. */
        uint64_t least = i ? TOGETHER / 4 : 2 * TOGETHER / 10;
        uint64_t slowed = i ? added("other").ticks - added("target").ticks : added("target").ticks;
        assert_true(paused[i] + 1000 >= least);
        assert_true((double)paused[i] + 1000 >= (double)slowed * (i ? .25 : .1));
    }
}

/* Of entries that come often most are not timed; those that are speak for them. */
static void many_short_entries(void **state)
{
    (void)state;
    enum {
        ENTRIES = 20000,
        LONG = 2000,
        INNER = 500,
        LEAST = 7
    }; /* lengths in ticks; tenths of the least sum */
    struct experiment slower = experiment_for(TRIAL_REGION, true, 0.1, region_named("often"));
    unsigned passed = 0;
    begin_call(&slower);
    uint64_t old = thread_mine->paused;
    for (int i = 0; i < ENTRIES; i++) {
        COZ_REGION_BEGIN("often");
        passed += thread_mine->share == 0;
        COZ_REGION_BEGIN("within");
        work_for(INNER);
        COZ_REGION_END("within");
        work_for(LONG - INNER);
        COZ_REGION_END("often");
    }
    uint64_t paused = thread_mine->paused - old;
    call_end(&call);
    assert_true(passed > 0 && passed < ENTRIES);
    assert_int_equal(added("often").count, ENTRIES);
    assert_int_equal(added("within").count, ENTRIES);
    assert_true(added("often").ticks >= (uint64_t)ENTRIES * LONG * LEAST / 10);
    assert_true(added("within").ticks >= (uint64_t)ENTRIES * INNER * LEAST / 10);
    assert_true(paused >= (uint64_t)ENTRIES * LONG / 10 * LEAST / 10);
    assert_int_equal(thread_depth(thread_mine), 0);
}

static void marks_in_a_child_do_nothing(void **state)
{
    (void)state;
    struct experiment experiment = overlapping("target");
    int status = -1;
    begin_call(&experiment);
    COZ_REGION_BEGIN("forked in");
    pid_t child = fork();
    if (child == 0) {
        COZ_REGION_BEGIN("target");
        COZ_REGION_END("target");
        COZ_REGION_END("forked in");
        COZ_REGION_END("forked in");
        _exit(added("target").count != 0 || thread_mine->experiment.kind != EXPERIMENT_IDLE);
    }
    COZ_REGION_END("forked in");
    call_end(&call);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(added("forked in").count, 1);
    assert_int_equal(region_named("forked in")->never_begun, 0);
}

static void answer_comes_back(void **state)
{
    (void)state;
    struct finding findings[] = {{"two\nlines", 5, 1234, 1, 2}, {"", 0, 0, 0, 0}};
    struct answer answer = {77, 1e9, findings, 2}, read;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    told_write(file, &answer);
    fclose(file);
    file = fmemopen(text, size, "r");
    assert_int_equal(told_read(file, &read), 1);
    assert_int_equal(read.pid, 77);
    assert_int_equal(read.count, 2);
    assert_string_equal(read.findings[0].name, "two\nlines");
    assert_int_equal(read.findings[0].never_begun, 2);
    assert_string_equal(read.findings[1].name, "");
    told_release(&read);
    assert_int_equal(told_read(file, &read), 0);
    fclose(file);
    file = fmemopen(text, size - 12, "r");
    assert_int_equal(told_read(file, &read), -EINVAL);
    fclose(file);
    free(text);
}

static int calls;

static void count_call(void *name)
{
    calls++;
    COZ_REGION_BEGIN((const char *)name);
    COZ_REGION_END((const char *)name);
    struct coz_regions_options nested = {.is_quiet = 1, .table = fopen("/dev/null", "w")};
    assert_int_equal(coz_regions_run(&nested, count_call, name), -EBUSY);
    fclose(nested.table);
}

static void run_makes_all_calls(void **state)
{
    (void)state;
    static const double percents[] = {50, -50};
    char name[] = "made at run time";
    char *text = NULL;
    size_t size = 0;
    struct coz_regions_options options = {
        .iterations = 2, .percents = percents, .percent_count = 2, .table = open_memstream(&text, &size)};
    assert_int_equal(coz_regions_run(&options, count_call, name), 0);
    /* A warm-up; twice a baseline, a control and two percentages of a region. */
    assert_int_equal(calls, 9);
    fflush(options.table);
    assert_non_null(strstr(text, "Iteration 2 of 2"));
    assert_non_null(strstr(text, "made at run time         1"));
    options.percent_count = 0;
    assert_int_equal(coz_regions_run(&options, count_call, name), -EINVAL);
    options.percents = (const double[]){-95};
    options.percent_count = 1;
    assert_int_equal(coz_regions_run(&options, count_call, name), -EINVAL);
    assert_int_equal(calls, 9);
    fclose(options.table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_makes_all_calls),
        cmocka_unit_test(nesting_and_recursion),
        cmocka_unit_test(deep_recursion),
        cmocka_unit_test(regions_left_without_a_word),
        cmocka_unit_test(overlap_of_threads_counts_once),
        cmocka_unit_test(others_wait_for_their_overlap),
        cmocka_unit_test(who_is_in_the_target_does_not_wait),
        cmocka_unit_test(short_watches_speak_for_the_time_between),
        cmocka_unit_test(who_passes_no_mark_stays_where_it_is),
        cmocka_unit_test(many_marks_of_many_threads),
        cmocka_unit_test(slow_regions_spin),
        cmocka_unit_test(many_short_entries),
        cmocka_unit_test(marks_in_a_child_do_nothing),
        cmocka_unit_test(answer_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
