#include "selftest/judge.h"

#include <math.h>

const char *selftest_mark_name(enum selftest_mark mark)
{
    static const char *const names[] = {"right", "unsure", "wrong", "no answer"};
    return names[mark];
}

static enum selftest_mark judge_line(const struct selftest_line *line)
{
    const struct selftest_effect *said = &line->said, *truth = &line->truth;
    if (isnan(said->value))
        return SELFTEST_SILENT;
    if (!(said->high - said->low <= SELFTEST_WIDEST && truth->high - truth->low <= SELFTEST_WIDEST))
        return SELFTEST_UNSURE;
    if (fabs(said->value - truth->value) <= SELFTEST_WITHIN)
        return SELFTEST_RIGHT;
    bool meet = said->low <= truth->high && truth->low <= said->high;
    return meet ? SELFTEST_UNSURE : SELFTEST_WRONG;
}

void selftest_judge(struct selftest *selftest)
{
    size_t answers = 0;
    double sum = 0;
    selftest->mean_error = selftest->largest_error = NAN;
    for (size_t i = 0; i < 4; i++)
        selftest->marks[i] = 0;
    for (size_t i = 0; i < SELFTEST_LINES; i++) {
        struct selftest_line *line = &selftest->lines[i];
        line->mark = judge_line(line);
        selftest->marks[line->mark]++;
        if (line->mark == SELFTEST_SILENT)
            continue;
        double error = fabs(line->said.value - line->truth.value);
        sum += error;
        selftest->largest_error = fmax(selftest->largest_error, error); /* fmax() passes over NAN */
        selftest->mean_error = sum / (double)++answers;
    }
    selftest->trusted = selftest->marks[SELFTEST_RIGHT] == SELFTEST_LINES;
}
