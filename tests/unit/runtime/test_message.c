/* The message as the runtime leaves it: whose thread is gone, the kernel says. */
#include "fake_segment.h"

#include "runtime/core/message.h"
#include "runtime/core/namespace.h"
#include "runtime/core/runtime.h"
#include "shared/questions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct segment *runtime_segment;

static int begin(void **state)
{
    (void)state;
    runtime_segment = fake_segment();
    return runtime_segment ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    fake_segment_release(runtime_segment);
    return 0;
}

/* The owner's word of a child that lives until the pipe is closed. */
static uint64_t fork_owner(pid_t *pid, int *end)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    *pid = fork();
    if (*pid == 0) {
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) != 0);
    }
    close(ends[0]);
    *end = ends[1];
    return thread_slot_word((uint32_t)*pid, (uint32_t)*pid);
}

static void a_killed_owner_is_told_from_one_that_lives(void **state)
{
    (void)state;
    pid_t pid;
    int end;
    uint64_t owner = fork_owner(&pid, &end);
    assert_true(pid > 0);
    assert_false(namespace_has_ended(owner));
    assert_false(namespace_has_ended(namespace_own_word()));
    atomic_store(&runtime_segment->message_owner, owner);
    message_say("ours");
    assert_null(message_left(runtime_segment));
    close(end);
    waitpid(pid, NULL, 0);
    assert_true(namespace_has_ended(owner));
    message_say("ours");
    assert_string_equal(message_left(runtime_segment), "ours");
}

/* Its number is another one's here, or nobody's. */
static void of_another_namespace_nothing_is_said(void **state)
{
    (void)state;
    pid_t pid;
    int end;
    fork_owner(&pid, &end);
    close(end);
    waitpid(pid, NULL, 0);
    uint32_t number = segment_number((uint32_t)pid, 1);
    assert_false(namespace_has_ended(thread_slot_word(number, number)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_killed_owner_is_told_from_one_that_lives, begin, end),
        cmocka_unit_test_setup_teardown(of_another_namespace_nothing_is_said, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
