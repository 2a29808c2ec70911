/* Who of the tree is signalled, and whose slots are freed. */
#include "experiment/session/tree.h"

#include "shared/thread_slots.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct segment_owner owner;
static struct tree tree;

static int make(void **state)
{
    (void)state;
    struct coz_error err;
    int rc = segment_create(&owner, &err);
    tree_init(&tree, &owner);
    return rc;
}

static int release(void **state)
{
    (void)state;
    segment_destroy(&owner);
    return 0;
}

/* A child that sleeps. A member has the segment, as a forked copy; a stranger has executed something. */
static pid_t child_start(bool is_member)
{
    int ends[2];
    char byte;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (is_member && write(ends[1], "", 1) == 1)
            pause();
        execlp("sleep", "sleep", "600", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), is_member); /* there, or the end: it was executed */
    close(ends[0]);
    return pid;
}

static int child_end(pid_t pid)
{
    int status;
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WTERMSIG(status);
}

static struct segment_thread *claim(uint32_t tid, uint32_t pid)
{
    return thread_slot_claim(owner.segment, tid, pid);
}

static void members_and_strangers(void)
{
    pid_t member = child_start(true), stranger = child_start(false), spared = child_start(true);
    claim((uint32_t)stranger, (uint32_t)stranger);
    claim((uint32_t)member, (uint32_t)member);
    claim((uint32_t)spared, (uint32_t)spared);
    tree_signal(&tree, spared, SIGTERM);
    int status;
    assert_int_equal(waitpid(member, &status, 0), member);
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_int_equal(child_end(stranger), SIGKILL); /* and not SIGTERM, which would have come first */
    assert_int_equal(child_end(spared), SIGKILL);
}

static void a_stranger_is_not_signalled(void **state)
{
    (void)state;
    members_and_strangers();
}

/* pidfd_open() says ENOSYS from here on. */
static void pidfds_refuse(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    assert_int_equal(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    assert_int_equal(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
    assert_int_equal(syscall(SYS_pidfd_open, getpid(), 0), -1);
    assert_int_equal(errno, ENOSYS);
}

/* The last test of all: the filter stays. */
static void nor_where_the_kernel_has_no_pidfds(void **state)
{
    (void)state;
    pidfds_refuse();
    members_and_strangers();
}

static void threads_of_another_namespace_are_left_alone(void **state)
{
    (void)state;
    pid_t member = child_start(true);
    uint32_t number = segment_number((uint32_t)member, 3);
    claim(number, number);
    tree_signal(&tree, 0, SIGTERM);
    assert_int_equal(tree_reap_all(&tree), 1);
    assert_int_equal(child_end(member), SIGKILL);
    assert_int_equal(tree_reap_all(&tree), 1);
}

static void slots_of_the_gone_are_freed(void **state)
{
    (void)state;
    pid_t member = child_start(true), stranger = child_start(false), gone = child_start(true);
    child_end(gone);
    claim((uint32_t)gone, (uint32_t)gone);
    struct segment_thread *kept = claim((uint32_t)member, (uint32_t)member);
    claim((uint32_t)gone, (uint32_t)member); /* a thread of the member's that has ended */
    claim((uint32_t)stranger, (uint32_t)stranger);
    assert_int_equal(thread_slots_count(owner.segment), 4);
    for (uint64_t now = 1000000000; now < 2000000000; now += 20000000)
        tree_reap(&tree, now);
    assert_int_equal(thread_slots_count(owner.segment), 1);
    assert_int_equal(thread_slot_pid(thread_slot_owner(kept)), member);
    assert_true(tree_runs(&tree));
    assert_int_equal(tree_daemon(&tree), 0);
    child_end(member);
    assert_false(tree_runs(&tree));
    assert_int_equal(tree_reap_all(&tree), 0);
    child_end(stranger);
}

/* Who read the slot before it changed hands, if only from a thread to one of the same number, comes too late. */
static void a_slot_that_was_taken_again_is_not_freed(void **state)
{
    (void)state;
    struct segment_thread *slot = claim(7, 7);
    uint64_t before = thread_slot_owner(slot);
    assert_true(thread_slot_release(owner.segment, slot, before));
    assert_false(thread_slot_is_taken(thread_slot_owner(slot)));
    assert_ptr_equal(claim(7, 7), slot);
    assert_false(thread_slot_release(owner.segment, slot, before));
    assert_true(thread_slots_has_process(owner.segment, 7));
    assert_true(thread_slot_release(owner.segment, slot, thread_slot_owner(slot)));
    assert_false(thread_slots_has_process(owner.segment, 7));
}

static void the_word_holds_numbers_and_tag(void **state)
{
    (void)state;
    uint32_t tid = segment_number((1u << SEGMENT_PID_BITS) - 1, SEGMENT_PID_TAGS),
             pid = segment_number(1, SEGMENT_PID_TAGS);
    struct segment_thread *slot = claim(tid, pid);
    for (int turn = 0; turn < 5000; turn++) {
        uint64_t word = thread_slot_owner(slot);
        assert_int_equal(thread_slot_tid(word), tid);
        assert_int_equal(thread_slot_pid(word), pid);
        assert_true(thread_slot_release(owner.segment, slot, word));
        assert_ptr_equal(claim(tid, pid), slot);
    }
    struct segment_thread *other = claim(5, 4);
    assert_int_equal(thread_slot_tid(thread_slot_owner(other)), 5);
    assert_int_equal(thread_slot_pid(thread_slot_owner(other)), 4);
    assert_int_equal(atomic_load(&owner.segment->thread_slots_used), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_stranger_is_not_signalled, make, release),
        cmocka_unit_test_setup_teardown(threads_of_another_namespace_are_left_alone, make, release),
        cmocka_unit_test_setup_teardown(slots_of_the_gone_are_freed, make, release),
        cmocka_unit_test_setup_teardown(a_slot_that_was_taken_again_is_not_freed, make, release),
        cmocka_unit_test_setup_teardown(the_word_holds_numbers_and_tag, make, release),
        cmocka_unit_test_setup_teardown(nor_where_the_kernel_has_no_pidfds, make, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
