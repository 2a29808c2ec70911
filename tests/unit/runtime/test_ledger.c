/* The ledger's arithmetic: each rule by itself, what always holds, and whole programs on a machine with a
 * clock of its own. */
#include "ledger_machine.h"
#include "shared/growth.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/time.h>

#include <cmocka.h>

#include "segment_fixture.h"

struct purse {
    _Atomic uint64_t paid_ns;
    struct balance account;
};

static struct purse *purse_init(struct purse *purse, uint64_t paid_ns)
{
    purse->paid_ns = paid_ns;
    purse->account = (struct balance){.paid_ns = &purse->paid_ns};
    return purse;
}

static uint64_t required(void)
{
    return atomic_load(&segment->due.required_ns);
}

/* ---- the program's handlers, which may come in the middle of a change and make changes of their own */

static struct purse interrupted;
static uint64_t owed_by_handler;

static void pay_in_handler(int number)
{
    (void)number;
    ledger_step(&interrupted.account, segment, 1);
    owed_by_handler++;
}

/* A change that was made from what the balance had been before the handler would undo the handler's. */
static void a_handlers_changes_stay(void **state)
{
    (void)state;
    enum { INTERRUPTS = 20000, EVERY_US = 20 };
    uint64_t steps = 0;
    purse_init(&interrupted, 0);
    owed_by_handler = 0;
    struct sigaction action = {.sa_handler = pay_in_handler, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, EVERY_US}, {0, EVERY_US}}, never = {{0, 0}, {0, 0}};
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    for (; *(volatile uint64_t *)&owed_by_handler < INTERRUPTS; steps++)
        for (int i = 0; i < 100; i++)
            ledger_step(&interrupted.account, segment, 1);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    signal(SIGALRM, SIG_DFL);
    assert_int_equal(interrupted.paid_ns, 100 * steps + owed_by_handler);
    assert_int_equal(required(), interrupted.paid_ns);
}

/* ---- the rules */

static void own_step_is_owed_by_others_only(void **state)
{
    (void)state;
    struct purse target, other;
    purse_init(&target, 0);
    purse_init(&other, 0);
    ledger_step(&target.account, segment, 250);
    assert_int_equal(required(), 250);
    assert_int_equal(target.paid_ns, 250);
    assert_int_equal(ledger_debt(&target.account, segment), 0);
    assert_int_equal(ledger_debt(&other.account, segment), 250);
    assert_int_equal(atomic_load(&segment->own_steps_ns), 250);
}

static void two_in_the_target_owe_each_other_nothing(void **state)
{
    (void)state;
    struct purse a, b;
    purse_init(&a, 0);
    purse_init(&b, 0);
    for (int i = 0; i < 100; i++) {
        ledger_step(&a.account, segment, 10);
        ledger_step(&b.account, segment, 10);
    }
    assert_int_equal(required(), 1000);
    assert_int_equal(ledger_debt(&a.account, segment), 0);
    assert_int_equal(ledger_debt(&b.account, segment), 0);
}

static void step_of_a_debtor_pays_its_debt_first(void **state)
{
    (void)state;
    struct purse a, b;
    purse_init(&a, 0);
    purse_init(&b, 0);
    ledger_step(&a.account, segment, 100);
    ledger_step(&b.account, segment, 30);
    assert_int_equal(required(), 100);
    assert_int_equal(ledger_debt(&b.account, segment), 70);
}

static void overshoot_counts_for_the_next_pause(void **state)
{
    (void)state;
    struct purse a, b;
    purse_init(&a, 0);
    purse_init(&b, 0);
    ledger_step(&a.account, segment, 100);
    ledger_paused(&b.account, segment, 160);
    assert_int_equal(b.paid_ns, 100);
    assert_int_equal(b.account.overshoot_ns, 60);
    assert_int_equal(required(), 100);

    ledger_step(&a.account, segment, 100);
    assert_int_equal(ledger_debt(&b.account, segment), 40);
    assert_int_equal(ledger_behind(&b.account, segment), 100);
    ledger_paused(&b.account, segment, 40);
    assert_int_equal(b.paid_ns, 200);
    assert_int_equal(b.account.overshoot_ns, 0);

    /* An overshoot that covers the whole debt: level without a pause. */
    ledger_paused(&b.account, segment, 500);
    ledger_step(&a.account, segment, 200);
    assert_int_equal(ledger_debt(&b.account, segment), 0);
    ledger_paused(&b.account, segment, 0);
    assert_int_equal(b.paid_ns, 400);
    assert_int_equal(b.account.overshoot_ns, 300);
    assert_int_equal(required(), 400);
}

static void short_pause_leaves_the_rest_owed(void **state)
{
    (void)state;
    struct purse a, b;
    purse_init(&a, 0);
    purse_init(&b, 0);
    ledger_step(&a.account, segment, 100);
    ledger_paused(&b.account, segment, 30);
    assert_int_equal(ledger_debt(&b.account, segment), 70);
    assert_int_equal(b.account.overshoot_ns, 0);
}

static void wake_credit_levels(void **state)
{
    (void)state;
    struct purse a, b;
    purse_init(&a, 0);
    purse_init(&b, 0);
    ledger_step(&a.account, segment, 100);
    ledger_credit_wake(&b.account, segment, UINT64_MAX);
    assert_int_equal(b.paid_ns, 100);
    assert_int_equal(atomic_load(&segment->credited_wake_ns), 100);
    ledger_credit_wake(&b.account, segment, UINT64_MAX); /* level already */
    assert_int_equal(atomic_load(&segment->credited_wake_ns), 100);
    assert_int_equal(required(), 100);
}

/* Noticed at 3 ms: it climbed to 250 us in the half millisecond from 1 ms on. */
static void a_climb_is_written_where_it_was(void **state)
{
    enum { US = 1000, MS = 1000 * US };
    const struct growth_climb climb = {
        .since_ns = 1 * MS, .took_ns = MS / 2, .from_ns = 0, .to_ns = 250 * US};
    (void)state;
    growth_note(segment, MS / 2, 10 * US); /* what others had brought it to */
    growth_note(segment, 1200 * US, 200 * US);
    growth_note_climb(segment, &climb, 3 * MS);
    assert_int_equal(growth_at(segment, MS / 2), 10 * US);
    assert_in_range(growth_at(segment, 1100 * US), 50 * US, 75 * US);
    assert_int_equal(growth_at(segment, 1200 * US), 200 * US);
    assert_in_range(growth_at(segment, 1400 * US), 200 * US, 225 * US);
    for (uint64_t at = 3 * MS / 2; at <= 3 * MS; at += 10 * US)
        assert_int_equal(growth_at(segment, at), 250 * US);
}

static void run_queue_credit_is_the_growth_meanwhile(void **state)
{
    (void)state;
    static const struct {
        uint64_t growth, queued, credit;
    } cases[] = {
        {500, 600, 500}, {700, 600, 600}, /* a clock never goes back: not more than it waited */
        {0, 600, 0},     {500, 0, 0},     {5000, 6000, 1000}, /* not more than is owed */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct purse b;
        purse_init(&b, 0);
        atomic_store(&segment->due.required_ns, 1000);
        atomic_store(&segment->credited_runqueue_ns, 0);
        ledger_credit_runqueue(&b.account, segment, cases[i].growth, cases[i].queued);
        assert_int_equal(b.paid_ns, cases[i].credit);
        assert_int_equal(atomic_load(&segment->credited_runqueue_ns), cases[i].credit);
    }
}

static void child_inherits_the_level(void **state)
{
    (void)state;
    struct purse a, parent, child;
    purse_init(&a, 0);
    purse_init(&parent, 0);
    ledger_step(&a.account, segment, 100);
    ledger_paused(&parent.account, segment, 100);
    purse_init(&child, parent.paid_ns);
    assert_int_equal(ledger_debt(&child.account, segment), 0);
    ledger_step(&a.account, segment, 50);
    assert_int_equal(ledger_debt(&child.account, segment), 50);
}

/* ---- what always holds */

static uint64_t random_below(uint64_t limit)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x % limit;
}

static void do_anything(struct balance *account)
{
    uint64_t debt = ledger_debt(account, segment);
    switch (random_below(5)) {
    case 0:
        ledger_step(account, segment, random_below(1000));
        break;
    case 1:
        ledger_paused(account, segment, debt + random_below(100)); /* too long */
        break;
    case 2:
        ledger_paused(account, segment, debt / 2); /* broken off */
        break;
    case 3:
        ledger_credit_wake(account, segment, UINT64_MAX);
        break;
    default:
        ledger_credit_runqueue(account, segment, debt, random_below(1000));
    }
}

static void books_balance_whatever_happens(void **state)
{
    (void)state;
    enum { THREADS = 8, EVENTS = 20000 };
    struct purse purses[THREADS];
    uint64_t before = 0, paid = 0, overshoot = 0;
    for (int i = 0; i < THREADS; i++)
        purse_init(&purses[i], 0);
    for (int i = 0; i < EVENTS; i++) {
        struct purse *purse = &purses[random_below(THREADS)];
        uint64_t paid_before = purse->paid_ns;
        do_anything(&purse->account);
        assert_true(required() >= before);
        assert_true(purse->paid_ns >= paid_before);
        assert_true(purse->paid_ns <= required());
        before = required();
    }
    for (int i = 0; i < THREADS; i++) {
        ledger_paused(&purses[i].account, segment, ledger_debt(&purses[i].account, segment));
        assert_int_equal(purses[i].paid_ns, required());
        paid += purses[i].paid_ns;
        overshoot += purses[i].account.overshoot_ns;
    }
    assert_int_equal(paid,
                     atomic_load(&segment->paused_ns) - overshoot + atomic_load(&segment->credited_wake_ns) +
                         atomic_load(&segment->credited_runqueue_ns) + atomic_load(&segment->own_steps_ns));
}

static void *step_often(void *account)
{
    for (int i = 0; i < 20000; i++)
        ledger_step(account, segment, 3);
    return NULL;
}

static void steps_at_once_lose_nothing(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct purse purses[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        purse_init(&purses[i], (uint64_t)i);
        assert_int_equal(pthread_create(&threads[i], NULL, step_often, &purses[i].account), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(required(), 60000 + THREADS - 1);
    assert_int_equal(atomic_load(&segment->own_steps_ns), THREADS * 60000);
}

/* ---- whole programs */

#define MS 1000000u

/* The target's work, in the operations of a program, really made shorter. */
static void shorten(struct operation *out, const struct operation *program, double speedup)
{
    do {
        *out = *program;
        if (program->kind == TARGET)
            out->amount = (uint64_t)((double)program->amount * (1 - speedup));
        if (out->kind == TARGET && out->amount == 0)
            continue;
        out++;
    } while (program++->kind != AGAIN);
}

struct program {
    const struct operation *threads[MACHINE_THREADS];
    int available[MACHINE_SEMAPHORES];
};

static double run_program(const struct program *program, double virtual_speedup, double real_speedup)
{
    static struct operation operations[MACHINE_THREADS][32];
    struct machine machine = {.segment = fake_segment(), .speedup = virtual_speedup};
    assert_non_null(machine.segment);
    memcpy(machine.available, program->available, sizeof machine.available);
    for (int i = 0; program->threads[i]; i++) {
        shorten(operations[i], program->threads[i], real_speedup);
        machine_add(&machine, operations[i]);
    }
    double ns = machine_run(&machine, 200);
    fake_segment_release(machine.segment);
    return ns;
}

/* Virtual and real speedup give the same time for each visit, and it is what was computed by hand (in ms). */
static void expect(const struct program *program, double speedup, double by_hand_ms)
{
    double virtual_ns = run_program(program, speedup, 0), real_ns = run_program(program, 0, speedup);
    if (fabs(real_ns - by_hand_ms * MS) > 0.005 * by_hand_ms * MS + 2 * MACHINE_QUANTUM)
        fail_msg("%.0f %% faster: %.4f ms, by hand %.4f", speedup * 100, real_ns / MS, by_hand_ms);
    if (fabs(virtual_ns - real_ns) > 0.005 * real_ns + 2 * MACHINE_QUANTUM)
        fail_msg("%.0f %% faster: %.4f ms, virtually %.4f", speedup * 100, real_ns / MS, virtual_ns / MS);
}

static void serial_program(void **state)
{
    (void)state;
    static const struct operation only[] = {
        {TARGET, 7 * MS / 10}, {WORK, 3 * MS / 10}, {VISIT, 0}, {AGAIN, 0}};
    static const struct program program = {.threads = {only}};
    expect(&program, 0.25, 0.3 + 0.7 * 0.75);
    expect(&program, 0.5, 0.3 + 0.7 * 0.5);
    expect(&program, 1, 0.3);
}

/* Semaphores 0 and 1 start the workers, 2 and 3 end their round. */
static void fork_and_join(void **state)
{
    (void)state;
    static const struct operation parent[] = {{GIVE, 0}, {GIVE, 1},  {TAKE, 2},
                                              {TAKE, 3}, {VISIT, 0}, {AGAIN, 0}};
    static const struct operation longer[] = {{TAKE, 0}, {TARGET, 150 * MS / 100}, {GIVE, 2}, {AGAIN, 0}};
    static const struct operation shorter[] = {{TAKE, 1}, {WORK, 100 * MS / 100}, {GIVE, 3}, {AGAIN, 0}};
    static const struct program program = {.threads = {parent, longer, shorter}};
    expect(&program, 0.25, 1.125);
    expect(&program, 0.5, 1);
    expect(&program, 1, 1);

    static const struct operation longer_beside[] = {
        {TAKE, 0}, {WORK, 150 * MS / 100}, {GIVE, 2}, {AGAIN, 0}};
    static const struct operation shorter_target[] = {
        {TAKE, 1}, {TARGET, 100 * MS / 100}, {GIVE, 3}, {AGAIN, 0}};
    static const struct program other_side = {.threads = {parent, longer_beside, shorter_target}};
    expect(&other_side, 0.5, 1.5);
    expect(&other_side, 1, 1.5);
}

/* Semaphore 0 is a lock. While it is held for more than half of the time, it is what bounds two threads. */
static void contended_lock(void **state)
{
    (void)state;
    static const struct operation thread[] = {
        {TAKE, 0}, {TARGET, 60 * MS / 100}, {GIVE, 0}, {WORK, 40 * MS / 100}, {VISIT, 0}, {AGAIN, 0}};
    static const struct program held = {.threads = {thread, thread}, .available = {1}};
    expect(&held, 0.1, 0.54);
    expect(&held, 0.25, 0.45);
    expect(&held, 0.5, 0.35); /* (0.3 + 0.4) / 2: no longer the lock */

    static const struct operation beside_thread[] = {
        {TAKE, 0}, {WORK, 60 * MS / 100}, {GIVE, 0}, {TARGET, 40 * MS / 100}, {VISIT, 0}, {AGAIN, 0}};
    static const struct program beside = {.threads = {beside_thread, beside_thread}, .available = {1}};
    expect(&beside, 0.5, 0.6);
    expect(&beside, 1, 0.6);
}

/* Semaphore 0 counts free places, 1 what is in the queue. */
static void bounded_queue(void **state)
{
    (void)state;
    static const struct operation producer[] = {{WORK, 68 * MS / 100}, {TAKE, 0}, {GIVE, 1}, {AGAIN, 0}};
    static const struct operation consumer[] = {{TAKE, 1}, {TARGET, MS}, {GIVE, 0}, {VISIT, 0}, {AGAIN, 0}};
    static const struct program program = {.threads = {producer, consumer}, .available = {8}};
    expect(&program, 0.25, 0.75);
    expect(&program, 0.5, 0.68);
    expect(&program, 1, 0.68);

    static const struct operation producer_target[] = {
        {TARGET, 68 * MS / 100}, {TAKE, 0}, {GIVE, 1}, {AGAIN, 0}};
    static const struct operation consumer_beside[] = {
        {TAKE, 1}, {WORK, MS}, {GIVE, 0}, {VISIT, 0}, {AGAIN, 0}};
    static const struct program other_side = {.threads = {producer_target, consumer_beside},
                                              .available = {8}};
    expect(&other_side, 0.5, 1);
}

/* Threads that never meet, all in the same line: each is as much faster as the line. */
static void same_line_on_all_threads(void **state)
{
    (void)state;
    static const struct operation visitor[] = {{TARGET, MS}, {WORK, MS}, {VISIT, 0}, {AGAIN, 0}};
    static const struct operation companion[] = {{WORK, 37 * MS / 100}, {TARGET, MS}, {WORK, MS}, {AGAIN, 0}};
    static const struct program program = {.threads = {visitor, companion, companion}};
    expect(&program, 0.5, 1.5);
    expect(&program, 1, 1);
}

/* A chain of three stages with a queue of one between; the middle one is the target. */
static void pipeline(void **state)
{
    (void)state;
    static const struct operation first[] = {{WORK, 50 * MS / 100}, {TAKE, 0}, {GIVE, 1}, {AGAIN, 0}};
    static const struct operation middle[] = {{TAKE, 1}, {GIVE, 0}, {TARGET, MS},
                                              {TAKE, 2}, {GIVE, 3}, {AGAIN, 0}};
    static const struct operation last[] = {
        {TAKE, 3}, {GIVE, 2}, {WORK, 40 * MS / 100}, {VISIT, 0}, {AGAIN, 0}};
    static const struct program program = {.threads = {first, middle, last}, .available = {1, 0, 1, 0}};
    expect(&program, 0.25, 0.75);
    expect(&program, 0.5, 0.5);
    expect(&program, 0.75, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_handlers_changes_stay, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(own_step_is_owed_by_others_only, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(two_in_the_target_owe_each_other_nothing, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(step_of_a_debtor_pays_its_debt_first, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(overshoot_counts_for_the_next_pause, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(short_pause_leaves_the_rest_owed, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(wake_credit_levels, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(a_climb_is_written_where_it_was, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(run_queue_credit_is_the_growth_meanwhile, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(child_inherits_the_level, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(books_balance_whatever_happens, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(steps_at_once_lose_nothing, segment_begin, segment_end),
        cmocka_unit_test(serial_program),
        cmocka_unit_test(fork_and_join),
        cmocka_unit_test(contended_lock),
        cmocka_unit_test(bounded_queue),
        cmocka_unit_test(same_line_on_all_threads),
        cmocka_unit_test(pipeline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
