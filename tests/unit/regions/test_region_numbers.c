/* Medians with errors, quotients, and what the book and its table make of them. */
#include "regions/results/book.h"
#include "regions/results/numbers.h"
#include "regions/results/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

static void outlier_is_left_out(void **state)
{
    (void)state;
    double values[] = {10, 12, 11, 1000, 9, 8};
    struct figure figure = figure_median(values, 6);
    assert_int_equal(figure.kept, 5);
    assert_int_equal(figure.of, 6);
    assert_near(figure.value, 10, 1e-12);
    /* 8 to 12: a standard deviation of sqrt(10 / 4) */
    assert_near(figure.error, 1.2533 * sqrt(2.5) / sqrt(5), 1e-12);
}

/* Distances from 5.5 are 4.5 3.5 2.5 1.5 .5 .5 1.5 2.5 3.5 4.5: a MAD of 2.5, and a bound of 11.1. */
static void bound_is_three_scaled_mads(void **state)
{
    (void)state;
    double within[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16.5}, beyond[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20};
    /* Of 11 the median is 6, and the MAD 3. */
    assert_int_equal(figure_median(within, 11).kept, 11);
    assert_int_equal(figure_median(beyond, 11).kept, 10);
}

static void few_values(void **state)
{
    (void)state;
    double one[] = {7}, two[] = {4, 2}, same[] = {3, 3, 3, 9};
    assert_true(isnan(figure_median(one, 0).value));
    assert_near(figure_median(one, 1).value, 7, 0);
    assert_true(isnan(figure_median(one, 1).error));
    assert_near(figure_median(two, 2).value, 3, 0);
    assert_int_equal(figure_median(two, 2).kept, 2);
    assert_int_equal(figure_median(same, 4).kept, 4);
}

static void change_has_both_errors(void **state)
{
    (void)state;
    struct figure change = figure_change((struct figure){80, 4, 5, 5}, (struct figure){100, 12, 5, 5});
    assert_near(change.value, -20, 1e-9);
    assert_near(change.error, 80 * sqrt(.05 * .05 + .12 * .12), 1e-9);
}

static void fill(struct book *book, enum trial_kind kind, size_t percent, double time_ns)
{
    for (int i = -1; i <= 1; i++)
        assert_int_equal(book_add(book, &(struct trial){kind, 0, percent}, time_ns + i), 0);
}

static void each_method_has_its_comparison(void **state)
{
    (void)state;
    static const double percents[] = {10, -20, -40};
    for (int is_simple = 0; is_simple <= 1; is_simple++) {
        struct book book;
        assert_int_equal(book_init(&book, is_simple, percents, 3), 0);
        assert_int_equal(book_region(&book, "work"), 0);
        assert_int_equal(book_region(&book, "work"), 0);
        assert_int_equal(book_region(&book, "rest"), 1);
        fill(&book, TRIAL_BASELINE, 0, 100);
        fill(&book, TRIAL_CONTROL, 1, 200);
        fill(&book, TRIAL_CONTROL, 2, 202);
        for (size_t i = 0; i < 3; i++)
            fill(&book, TRIAL_REGION, i, i == 0 ? 110 : 90);
        assert_near(book_effect(&book, 0, 0).value, 10, 1e-9);
        assert_near(book_effect(&book, 0, 1).value, 100 * (90 / (is_simple ? 200. : 201) - 1), 1e-9);
        assert_near(book_effect(&book, 0, 2).value, 100 * (90 / (is_simple ? 202. : 201) - 1), 1e-9);
        assert_true(isnan(book_effect(&book, 1, 1).value));
        book_release(&book);
    }
}

static void table_has_a_row_for_each_region(void **state)
{
    (void)state;
    static const double percents[] = {10, -20};
    struct book book;
    char *text = NULL;
    size_t size = 0;
    setenv("LC_ALL", "C", 1);
    assert_int_equal(book_init(&book, false, percents, 2), 0);
    assert_int_equal(book_region(&book, "work"), 0);
    fill(&book, TRIAL_BASELINE, 0, 1e6);
    fill(&book, TRIAL_REGION, 0, 1.1e6);
    series_add(&book.regions[0].counts, 49);
    series_add(&book.regions[0].shares, .305);
    book.regions[0].left_open = 2;
    book.iterations = 3;
    FILE *out = open_memstream(&text, &size);
    table_print(out, &book, 9);
    fclose(out);
    assert_string_equal(
        text, "\nIteration 3 of 9, method full; a call takes 1 ms\n"
              "Region     Count   Time %         +10 %         -20 %\n"
              "work          49     30.5   10.0 +- 0.0             ?\n"
              "Region work was left 2 times without its end (by an exception, longjmp, return, or with "
              "its thread), and was closed.\n");
    free(text);
    book_release(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlier_is_left_out),
        cmocka_unit_test(bound_is_three_scaled_mads),
        cmocka_unit_test(few_values),
        cmocka_unit_test(change_has_both_errors),
        cmocka_unit_test(each_method_has_its_comparison),
        cmocka_unit_test(table_has_a_row_for_each_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
