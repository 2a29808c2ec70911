/* The heartbeat goes on while the controller's own thread is late, and says what was missed. */
#include "experiment/schedule/heartbeat.h"

#include "base/clock.h"
#include "fake_segment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ull

static void await_beat(struct segment *segment, uint64_t after_ns)
{
    while (atomic_load(&segment->heartbeat_ns) <= after_ns)
        usleep(1000);
}

static void it_beats_by_itself(void **state)
{
    (void)state;
    struct segment *segment = fake_segment();
    struct heartbeat heartbeat;
    assert_int_equal(heartbeat_start(&heartbeat, segment), 0);
    for (int beats = 0; beats < 5; beats++)
        await_beat(segment, atomic_load(&segment->heartbeat_ns));
    heartbeat_stop(&heartbeat);
    heartbeat_stop(&heartbeat); /* nothing */
    fake_segment_release(segment);
}

/* As after the machine stood still: the last beat is long ago. */
static void what_was_missed_is_counted_once(void **state)
{
    (void)state;
    struct segment *segment = fake_segment();
    struct heartbeat heartbeat;
    assert_int_equal(heartbeat_start(&heartbeat, segment), 0);
    uint64_t now = clock_wall_ns();
    uint64_t before = heartbeat_missed_ns(&heartbeat, now);
    pthread_mutex_lock(&heartbeat.lock); /* it cannot beat */
    now = clock_wall_ns();
    atomic_store(&segment->heartbeat_ns, now - 3000 * MS);
    assert_true(heartbeat_missed_ns(&heartbeat, now) >= before + 3000 * MS);
    pthread_mutex_unlock(&heartbeat.lock);
    await_beat(segment, now);
    uint64_t after = heartbeat_missed_ns(&heartbeat, atomic_load(&segment->heartbeat_ns));
    assert_true(after >= before + 3000 * MS);
    heartbeat_stop(&heartbeat);
    assert_int_equal(heartbeat_missed_ns(&heartbeat, now), 0);
    fake_segment_release(segment);
}

static void it_ends_when_nobody_attends(void **state)
{
    (void)state;
    struct segment *segment = fake_segment();
    struct heartbeat heartbeat;
    assert_int_equal(heartbeat_start(&heartbeat, segment), 0);
    pthread_mutex_lock(&heartbeat.lock);
    uint64_t now = clock_wall_ns();
    heartbeat_attend(&heartbeat, now - 60000 * MS);
    uint64_t last = atomic_load(&segment->heartbeat_ns);
    pthread_mutex_unlock(&heartbeat.lock);
    usleep(300000);
    assert_int_equal(atomic_load(&segment->heartbeat_ns), last);
    heartbeat_attend(&heartbeat, clock_wall_ns());
    await_beat(segment, last);
    assert_true(heartbeat_missed_ns(&heartbeat, clock_wall_ns()) >= 250 * MS);
    heartbeat_stop(&heartbeat);
    fake_segment_release(segment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_beats_by_itself),
        cmocka_unit_test(what_was_missed_is_counted_once),
        cmocka_unit_test(it_ends_when_nobody_attends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
