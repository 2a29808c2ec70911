/* What a process waits for, seen from outside. */
#include "experiment/facts/looks.h"

#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "segment_fixture.h"

static int pipes[2], ends[2];

static void sleep_long(void)
{
    sleep(1000);
}

static void read_own_pipe(void)
{
    char byte;
    while (read(pipes[0], &byte, 1) < 0)
        continue;
}

static void read_pipe(void)
{
    close(pipes[1]);
    read_own_pipe();
}

static void read_own_socket(void)
{
    char byte;
    while (recv(ends[0], &byte, 1, 0) < 0)
        continue;
}

/* As a client does. */
static void read_socket(void)
{
    close(ends[1]);
    read_own_socket();
}

static void read_timer(void)
{
    uint64_t count;
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(fd, 0, &(struct itimerspec){.it_value = {.tv_sec = 1000}}, NULL);
    while (read(fd, &count, sizeof count) < 0)
        continue;
}

static void spin(void)
{
    for (volatile unsigned i = 0;; i++)
        continue;
}

/* 'S' when it waits. */
static char state_of(pid_t pid)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    const char *end = strrchr(text, ')');
    return end ? end[2] : '\0';
}

/* A child that does this, in the segment's list. */
static pid_t begin_child(void (*work)(void), char state)
{
    pid_t pid = fork();
    if (pid == 0) {
        work();
        _exit(0);
    }
    assert_true(pid > 0);
    while (state_of(pid) != state)
        usleep(1000);
    usleep(20000); /* past what it does before */
    while (state_of(pid) != state)
        usleep(1000);
    atomic_store(&segment->process_slots[0].pid, (uint32_t)pid);
    atomic_store(&segment->processes, 1);
    return pid;
}

static void end_child(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* Whatever the clock is said to be. */
static struct look_facts look_often(unsigned times)
{
    struct looks looks;
    uint64_t now = 0, next = UINT64_MAX;
    looks_begin(&looks, now, 1);
    for (unsigned i = 0; i < times; i++) {
        next = UINT64_MAX;
        looks_step(&looks, segment, now, &next);
        assert_true(next > now && next < now + 1000000000);
        now = next;
    }
    return looks.seen;
}

static struct look_facts looks_at(void (*work)(void), char state)
{
    pid_t pid = begin_child(work, state);
    struct look_facts seen = look_often(21);
    end_child(pid);
    assert_int_equal(seen.count, 20); /* the first comes a moment later */
    return seen;
}

static void test_sleeps(void **state)
{
    (void)state;
    struct look_facts seen = looks_at(sleep_long, 'S');
    assert_int_equal(seen.idle, 20);
    assert_int_equal(seen.clock, 20);
    assert_int_equal(seen.outside, 0);
}

static void test_waits_for_a_timer(void **state)
{
    (void)state;
    assert_int_equal(looks_at(read_timer, 'S').clock, 20);
}

static void test_waits_for_the_outside(void **state)
{
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    struct look_facts seen = looks_at(read_pipe, 'S');
    assert_int_equal(seen.idle, 20);
    assert_int_equal(seen.outside, 20);
    close(pipes[0]);
    close(pipes[1]);
}

static void test_waits_for_its_own_pipe(void **state)
{
    (void)state;
    assert_int_equal(pipe(pipes), 0);
    struct look_facts seen = looks_at(read_own_pipe, 'S');
    assert_int_equal(seen.idle, 20);
    assert_int_equal(seen.outside, 0);
    close(pipes[0]);
    close(pipes[1]);
}

static void expect_own_and_outside(void)
{
    struct look_facts seen = looks_at(read_own_socket, 'S');
    assert_int_equal(seen.idle, 20);
    assert_int_equal(seen.outside, 0);
    assert_int_equal(looks_at(read_socket, 'S').outside, 20);
    close(ends[0]);
    close(ends[1]);
}

static void test_waits_for_its_own_unix_socket(void **state)
{
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    expect_own_and_outside();
}

/* The client's end and the server's, by IPv4. */
static void connect_ends(int listener)
{
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    struct sockaddr_in server = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&bound, &length), 0);
    server.sin_port = bound.ss_family == AF_INET ? ((struct sockaddr_in *)&bound)->sin_port
                                                 : ((struct sockaddr_in6 *)&bound)->sin6_port;
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(ends[0], (struct sockaddr *)&server, sizeof server), 0);
    ends[1] = accept(listener, NULL, NULL);
    assert_true(ends[1] >= 0);
    close(listener);
}

static void test_waits_for_its_own_connection(void **state)
{
    (void)state;
    connect_ends(socket(AF_INET, SOCK_STREAM, 0));
    expect_own_and_outside();
}

/* A server that listens by IPv6 serves clients of IPv4, too. */
static void test_waits_for_its_own_connection_of_two_kinds(void **state)
{
    (void)state;
    int listener = socket(AF_INET6, SOCK_STREAM, 0);
    if (listener < 0)
        skip(); /* there is no IPv6 here */
    connect_ends(listener);
    expect_own_and_outside();
}

static void test_runs(void **state)
{
    (void)state;
    assert_int_equal(looks_at(spin, 'R').idle, 0);
}

/* Who is delayed does not what it would do. */
static void test_not_while_anybody_is_delayed(void **state)
{
    (void)state;
    pid_t pid = begin_child(sleep_long, 'S');
    atomic_store(&segment->target, segment_target_make(3, 500));
    assert_int_equal(look_often(20).count, 0);
    atomic_store(&segment->target, segment_target_make(3, 0));
    assert_true(look_often(20).count > 0);
    end_child(pid);
}

static void test_nobody_is_there(void **state)
{
    (void)state;
    assert_int_equal(look_often(20).count, 0);
}

static void test_calls(void **state)
{
    (void)state;
    const unsigned long nothing[6] = {0}, some[6] = {1, 1, 0, 1, 0, 0};
    const unsigned long timed[6] = {1, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, 1, 0, 0};
    assert_int_equal(looks_wait_of(SYS_clock_nanosleep, nothing), LOOK_CLOCK);
    assert_int_equal(looks_wait_of(SYS_ppoll, nothing), LOOK_CLOCK);
    assert_int_equal(looks_wait_of(SYS_ppoll, some), LOOK_OUTSIDE);
    assert_int_equal(looks_wait_of(SYS_epoll_pwait, some), LOOK_OUTSIDE);
    assert_int_equal(looks_wait_of(SYS_futex, nothing), LOOK_PEERS);
    assert_int_equal(looks_wait_of(SYS_futex, timed), LOOK_CLOCK);
    assert_int_equal(looks_wait_of(SYS_wait4, some), LOOK_PEERS);
    assert_int_equal(looks_wait_of(SYS_fsync, some), LOOK_DISK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sleeps, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_waits_for_a_timer, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_waits_for_the_outside, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_waits_for_its_own_pipe, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_waits_for_its_own_unix_socket, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_waits_for_its_own_connection, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_waits_for_its_own_connection_of_two_kinds, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(test_runs, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_not_while_anybody_is_delayed, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_nobody_is_there, segment_begin, segment_end),
        cmocka_unit_test(test_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
