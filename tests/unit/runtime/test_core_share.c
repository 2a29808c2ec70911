/* Who has had too much of a core's virtual time, by how much, and that it is given away. */
#include "fake_account.h"
#include "runtime/ledger/core_share.h"

#include <errno.h>
#include <math.h>
#include <time.h>

enum { MS = 1000000 };

static struct fake_account fake;

/* Times in milliseconds; a part of them was paid. */
static struct core_sums sums(double had, double part_paid, double queued)
{
    return (struct core_sums){had * MS, part_paid * had * MS, queued * MS, (had + queued) * MS};
}

static double surplus_ms(struct core_sums mine, struct core_sums others)
{
    const struct core_turns turns = {.mine = mine, .others = others};
    return core_share_surplus_ns(&turns) / MS;
}

static void assert_near(double value, double wanted)
{
    assert_true(fabs(value - wanted) < 0.01);
}

static void who_has_a_core_alone_has_no_surplus(void **state)
{
    (void)state;
    assert_near(surplus_ms(sums(400, 0, 0), sums(0, 0, 0)), 0);
    assert_near(surplus_ms(sums(300, 0, 50), sums(0, 0, 0)), 0); /* strangers had it */
}

static void neighbours_that_are_alike_have_none(void **state)
{
    (void)state;
    assert_near(surplus_ms(sums(200, 0.5, 200), sums(200, 0.5, 200)), 0);
    assert_near(surplus_ms(sums(100, 0.3, 300), sums(300, 0.3, 900)), 0);
}

/* One of two does a quarter of its time in virtual time: it is to have four fifths of the core. */
static void a_neighbour_of_the_target_gives_it_what_it_would_have(void **state)
{
    (void)state;
    assert_near(surplus_ms(sums(200, 0, 200), sums(200, 0.75, 200)), 120);
    assert_near(surplus_ms(sums(80, 0, 320), sums(320, 0.75, 80)), 0);
    assert_true(surplus_ms(sums(60, 0, 340), sums(340, 0.75, 60)) < 0);
    assert_near(surplus_ms(sums(200, 0.75, 200), sums(200, 0, 200)),
                0); /* who is behind has nothing to give */
}

/* A thread that the kernel gives a fifth of what others get is to have no more of the core in virtual time either: not the
 * four fifths that one of nice 0 would be given. */
static void what_the_kernel_weighs_them_by_counts(void **state)
{
    (void)state;
    struct core_sums usual = sums(200, 0, 200), nice = sums(200, 0.75, 200);
    nice.ranked_ns /= 5;
    assert_near(surplus_ms(usual, nice), 200 - 400 * 0.25 / (0.2 + 0.25));
    usual = sums(400.0 / 1.8, 0, 400 - 400.0 / 1.8);
    nice = sums(400 - 400.0 / 1.8, 0.75, 400.0 / 1.8);
    nice.ranked_ns /= 5;
    assert_near(surplus_ms(usual, nice), 0);
}

/* For 100 of them nobody else wanted the core. */
static void what_it_had_alone_does_not_count(void **state)
{
    (void)state;
    assert_near(surplus_ms(sums(300, 0, 200), sums(200, 0.5, 200)), 200 - 400.0 / 3);
}

/* Two of four are in the target for all of their time, at half: each of them is to have a third, the others a sixth. */
static void a_crowd_of_two_kinds_is_shared_out(void **state)
{
    (void)state;
    assert_true(surplus_ms(sums(100, 0, 300), sums(300, 1.0 / 3, 900)) > 0);
    double others_had = 2 * 400.0 / 3 + 400.0 / 6, others_paid = 400.0 / 3;
    double others_queued = 2 * (400 - 400.0 / 3) + (400 - 400.0 / 6);
    assert_near(surplus_ms(sums(400.0 / 6, 0, 400 - 400.0 / 6),
                           sums(others_had, others_paid / others_had, others_queued)),
                0);
}

/* Of CPU time, which is to be some before a thread is looked at; and a look is not to follow at once. */
static void pass_some_time(void)
{
    while (clock_cpu_ns() < 20 * MS)
        ;
    struct timespec time = {.tv_nsec = 3 * MS};
    nanosleep(&time, NULL);
}

static uint64_t look(struct account *account)
{
    return core_share_even(account, instant_now(&account->presence));
}

/* If nobody wants the core it is back at once; else when the surplus is given. */
static void a_surplus_is_given_away(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_target(500);
    pass_some_time();
    assert_int_equal(look(account), 0);
    account->core_share.turns[0].mine = sums(200, 0, 200);
    account->core_share.turns[0].others = sums(200, 0.5, 200);
    pass_some_time();
    errno = 77;
    assert_true(look(account) > 0);
    assert_int_equal(errno, 77);
}

static void without_a_speedup_nothing_is_given(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_target(0);
    account->core_share.turns[0].mine = sums(200, 0, 200);
    account->core_share.turns[0].others = sums(200, 0.5, 200);
    pass_some_time();
    assert_int_equal(look(account), 0);
    fake_target(-500);
    assert_int_equal(look(account), 0);
}

/* Sums of one target are kept while another one is tried. */
static void each_target_has_its_own_sums(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    pass_some_time();
    for (int i = 0; i < 2; i++) {
        fake_target(250);
        look(account);
        pass_some_time();
        look(account);
        fake_target(500);
        pass_some_time();
        look(account);
    }
    const struct core_turns *turns = account->core_share.turns;
    assert_int_equal(segment_target_permille(turns[0].target), 250);
    assert_int_equal(segment_target_permille(turns[1].target), 500);
    assert_int_equal(account->core_share.count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_a_core_alone_has_no_surplus),
        cmocka_unit_test(neighbours_that_are_alike_have_none),
        cmocka_unit_test(a_neighbour_of_the_target_gives_it_what_it_would_have),
        cmocka_unit_test(what_the_kernel_weighs_them_by_counts),
        cmocka_unit_test(what_it_had_alone_does_not_count),
        cmocka_unit_test(a_crowd_of_two_kinds_is_shared_out),
        cmocka_unit_test_setup_teardown(a_surplus_is_given_away, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(without_a_speedup_nothing_is_given, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(each_target_has_its_own_sums, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
