/*
 * A line that matters only in one phase: for some 1.5 s each visit passes the first line, then for 1 s the
 * second. Planted: each line pays its share of the whole, about 15, 30, 45 % and 10, 20, 30 %. A profiler
 * that compares windows of one phase with those of the other finds anything. The truth is timed with phases
 * of a fiftieth, which is the same work; the program only ends after whole cycles.
 *
 * @case phases
 * @truth phases --set first-visits=36 --set second-visits=24
 */
#include "case.h"

static unsigned first_steps = MS, second_steps = MS, first_visits = 1800, second_visits = 1200;

static void first_phase(void)
{
    unsigned x = 1;

    for (unsigned i = 0; i < first_visits; i++) {
        WORK(x, first_steps); /* TARGET first */
        case_count();
        COZ_PROGRESS_NAMED("visit");
    }
}

static void second_phase(void)
{
    unsigned x = 1;

    for (unsigned i = 0; i < second_visits; i++) {
        WORK(x, second_steps); /* TARGET second */
        case_count();
        COZ_PROGRESS_NAMED("visit");
    }
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"first", &first_steps},
                                 {"second", &second_steps},
                                 {"first-visits", &first_visits},
                                 {"second-visits", &second_visits}};

    case_start(argc, argv, knobs, 4);
    for (;;) {
        first_phase();
        second_phase();
        case_check();
    }
}
