/* Slots of modules: a path has one, whoever comes, and whoever was killed before it was ready. */
#include "shared/module_slots.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "segment_fixture.h"

static struct module_file library(const char *path)
{
    return (struct module_file){path, false, MODULE_REQUESTED};
}

static int count_taken(void)
{
    int count = 0;
    while (count < SEGMENT_MODULES && module_slot_is_taken(&segment->modules[count]))
        count++;
    return count;
}

static void a_path_has_one_slot(void **state)
{
    (void)state;
    struct segment_module *one = module_slot_of(segment, library("/lib/one.so"));
    struct segment_module *two = module_slot_of(segment, library("/lib/two.so"));
    assert_true(one && two && one != two);
    assert_ptr_equal(module_slot_of(segment, library("/lib/one.so")), one);
    assert_string_equal(one->path, "/lib/one.so");
    assert_int_equal(one->state, MODULE_REQUESTED);
    assert_int_equal(count_taken(), 2);
}

/* Who was killed between the two steps has left a key, and at most a part of the path. */
static void another_one_finishes_what_a_killed_process_began(void **state)
{
    (void)state;
    struct segment_module *left = &segment->modules[0];
    atomic_store(&left->key, module_slot_key("/lib/one.so"));
    strcpy(left->path, "/lib/o");
    struct segment_module *two = module_slot_of(segment, library("/lib/two.so"));
    assert_ptr_equal(two, &segment->modules[1]); /* it keeps nobody else */
    assert_int_equal(left->state, MODULE_FREE);
    assert_ptr_equal(module_slot_of(segment, library("/lib/one.so")), left);
    assert_string_equal(left->path, "/lib/one.so");
    assert_int_equal(left->state, MODULE_REQUESTED);
    assert_int_equal(count_taken(), 2);
}

/* Who comes late does not ask again for what the controller has read. */
static void what_is_known_stays_so(void **state)
{
    (void)state;
    struct segment_module *module = module_slot_of(segment, library("/lib/one.so"));
    atomic_store(&module->state, MODULE_KNOWN);
    assert_int_equal(module->is_executable, 0);
    module_slot_of(segment, (struct module_file){"/lib/one.so", true, MODULE_REQUESTED});
    assert_int_equal(module->state, MODULE_KNOWN);
    assert_int_equal(module->is_executable, 1);
}

static void paths_of_one_hash_have_slots_of_their_own(void **state)
{
    (void)state;
    struct segment_module *other = &segment->modules[0];
    atomic_store(&other->key, module_slot_key("/lib/one.so"));
    strcpy(other->path, "/lib/other.so");
    atomic_store(&other->state, MODULE_KNOWN);
    struct segment_module *module = module_slot_of(segment, library("/lib/one.so"));
    assert_ptr_equal(module, &segment->modules[1]);
    assert_string_equal(other->path, "/lib/other.so");
}

static void what_has_no_room_is_counted(void **state)
{
    (void)state;
    char path[SEGMENT_MODULE_PATH + 1];
    for (int i = 0; i < SEGMENT_MODULES; i++) {
        snprintf(path, sizeof path, "/lib/%d.so", i);
        assert_ptr_equal(module_slot_of(segment, library(path)), &segment->modules[i]);
    }
    assert_null(module_slot_of(segment, library("/lib/more.so")));
    assert_int_equal(segment->refusals.modules, 1);
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_null(module_slot_of(segment, library(path)));
    assert_int_equal(segment->refusals.modules, 1);
}

enum { PATHS = 500 };

struct racer {
    pthread_barrier_t *start;
    struct segment_module *found[PATHS];
};

static void *run(void *context)
{
    struct racer *racer = context;
    char path[32];
    for (int i = 0; i < PATHS; i++) {
        snprintf(path, sizeof path, "/lib/%d.so", i);
        pthread_barrier_wait(racer->start);
        racer->found[i] = module_slot_of(segment, library(path));
    }
    return NULL;
}

static void threads_that_come_together_get_the_same(void **state)
{
    (void)state;
    pthread_barrier_t start;
    static struct racer racers[2];
    pthread_t threads[2];
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++) {
        racers[i] = (struct racer){.start = &start};
        assert_int_equal(pthread_create(&threads[i], NULL, run, &racers[i]), 0);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PATHS; i++)
        assert_ptr_equal(racers[0].found[i], racers[1].found[i]);
    assert_int_equal(count_taken(), PATHS);
    pthread_barrier_destroy(&start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_path_has_one_slot, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(another_one_finishes_what_a_killed_process_began, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(what_is_known_stays_so, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(paths_of_one_hash_have_slots_of_their_own, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(what_has_no_room_is_counted, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(threads_that_come_together_get_the_same, segment_begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
