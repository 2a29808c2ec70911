#include "cli/selftest_words.h"

#include <math.h>
#include <string.h>

static const double busy_share = 0.05;

static const char *sampler_name(const struct selftest *selftest)
{
    return selftest->sampler == SAMPLER_PERF ? "perf" : selftest->sampler == SAMPLER_TIMER ? "timer" : "none";
}

/* ---- text ---- */

static void put_effect(FILE *out, const struct selftest_effect *effect)
{
    if (isnan(effect->value))
        fprintf(out, "  %5s %16s", "-", "");
    else
        fprintf(out, "  %5.1f %6.1f to %5.1f", 100 * effect->value, 100 * effect->low, 100 * effect->high);
}

static void put_lines(FILE *out, const struct selftest *selftest)
{
    fputs(
        "Percent of the time per visit that is saved when the line takes half of its time (with 95 % intervals):\n\n"
        "program   line      true                   said\n",
        out);
    for (size_t i = 0; i < SELFTEST_LINES; i++) {
        const struct selftest_line *line = &selftest->lines[i];
        fprintf(out, "%-9s %-7s", line->program, line->name);
        put_effect(out, &line->truth);
        put_effect(out, &line->said);
        fprintf(out, "   %s\n", selftest_mark_name(line->mark));
    }
}

/* What may be the matter. */
static void put_hints(FILE *out, const struct selftest *selftest)
{
    if (selftest->strangers > busy_share)
        fprintf(out, "Other programs used %.0f %% of the machine meanwhile: try again when it is idle.\n",
                100 * selftest->strangers);
    if (selftest->stolen > busy_share)
        fprintf(
            out,
            "This is a virtual machine, whose cores had to wait for real ones for %.0f %% of the time: try again when its host is less busy.\n",
            100 * selftest->stolen);
    if (selftest->cores < 2)
        fputs("There is only one core: threads do not run at the same time here.\n", out);
    if (selftest->sampler == SAMPLER_TIMER && selftest->perf_errno)
        fprintf(
            out,
            "Sampled by timer, for perf events are not permitted (%s). `sysctl kernel.perf_event_paranoid=2` permits them.\n",
            strerror(selftest->perf_errno));
    if (selftest->marks[SELFTEST_UNSURE] > 0 && selftest->marks[SELFTEST_WRONG] == 0)
        fputs("Give it more time to make sure: --seconds 180.\n", out);
}

void selftest_text(FILE *out, const struct selftest *selftest)
{
    put_lines(out, selftest);
    fprintf(out, "\n%ld core%s, sampled by %s. ", selftest->cores, selftest->cores == 1 ? "" : "s",
            sampler_name(selftest));
    if (!isnan(selftest->mean_error))
        fprintf(out, "Off by %.1f points on average, at most %.1f.", 100 * selftest->mean_error,
                100 * selftest->largest_error);
    fputs("\n", out);
    if (selftest->trusted)
        fprintf(out, "Profiles made on this machine can be trusted: all %d answers are right.\n",
                SELFTEST_LINES);
    else if (selftest->marks[SELFTEST_WRONG] > 0)
        fprintf(
            out,
            "Profiles made on this machine, as it is now, cannot be trusted: %zu of %d answers are wrong.\n",
            selftest->marks[SELFTEST_WRONG], SELFTEST_LINES);
    else
        fprintf(
            out,
            "It is not known whether profiles made on this machine can be trusted: %zu of %d answers are right, and none is wrong.\n",
            selftest->marks[SELFTEST_RIGHT], SELFTEST_LINES);
    if (!selftest->trusted)
        put_hints(out, selftest);
}

/* ---- JSON ---- */

static void put_number(FILE *out, const char *name, double value)
{
    if (isfinite(value))
        fprintf(out, "\"%s\":%.6f", name, value);
    else
        fprintf(out, "\"%s\":null", name);
}

static void put_object(FILE *out, const char *name, const struct selftest_effect *effect)
{
    fprintf(out, ",\"%s\":{", name);
    put_number(out, "effect", effect->value);
    putc(',', out);
    put_number(out, "low", effect->low);
    putc(',', out);
    put_number(out, "high", effect->high);
    putc('}', out);
}

void selftest_json(FILE *out, const struct selftest *selftest)
{
    fprintf(out, "{\"schema\":1,\"trusted\":%s,\"within\":%g,\"widest\":%g,\"sampler\":\"%s\",\"cores\":%ld,",
            selftest->trusted ? "true" : "false", SELFTEST_WITHIN, SELFTEST_WIDEST, sampler_name(selftest),
            selftest->cores);
    put_number(out, "strangers", selftest->strangers);
    putc(',', out);
    put_number(out, "stolen", selftest->stolen);
    putc(',', out);
    put_number(out, "mean_error", selftest->mean_error);
    putc(',', out);
    put_number(out, "largest_error", selftest->largest_error);
    fputs(",\n \"lines\":[\n", out);
    for (size_t i = 0; i < SELFTEST_LINES; i++) {
        const struct selftest_line *line = &selftest->lines[i];
        fprintf(out, "  {\"program\":\"%s\",\"line\":\"%s\",\"mark\":\"%s\"", line->program, line->name,
                selftest_mark_name(line->mark));
        put_object(out, "truth", &line->truth);
        put_object(out, "said", &line->said);
        fprintf(out, ",\"windows\":%zu}%s\n", line->windows, i + 1 < SELFTEST_LINES ? "," : "");
    }
    fputs(" ]}\n", out);
}
