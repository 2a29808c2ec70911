#include "cli/verify/words.h"

#include "report/cells.h"
#include "report/ink.h"

#include <math.h>
#include <stdlib.h>

static void put_effect(FILE *out, const struct verified_effect *effect)
{
    fprintf(out, "%.1f %% (95 %% sure: ", 100 * effect->value);
    if (isfinite(effect->low) && isfinite(effect->high))
        fprintf(out, "%.1f to %.1f)", 100 * effect->low, 100 * effect->high);
    else
        fputs("interval unknown)", out);
}

/* In the unit that a person would say it in. */
static void put_time(FILE *out, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    for (; ns >= 999.5 && unit < 3; unit++)
        ns /= 1000;
    fprintf(out, "%.3g %s", ns, units[unit]);
}

static void put_times(FILE *out, const double times[2])
{
    put_time(out, times[0]);
    fputs(" before, ", out);
    put_time(out, times[1]);
    fputs(" after", out);
}

/* "24.1 % less", or what it lost. */
static void put_change(FILE *out, const struct verified_effect *effect, const char *what)
{
    const struct verified_effect loss = {-effect->value, -effect->high, -effect->low};
    put_effect(out, effect->value < 0 ? &loss : effect);
    fprintf(out, " %s %s", effect->value < 0 ? "more" : "less", what);
}

static void put_gain(FILE *out, const struct verify *verify, const char *point)
{
    const struct verified *verified = &verify->verified;
    enum verified_outcome outcome = verified_outcome(verified);
    fprintf(out, "%s: %s `%s` takes ",
            outcome == VERIFIED_NOTHING ? "No gain is shown"
            : outcome == VERIFIED_LOST  ? "It became slower"
                                        : "Gained",
            verified->is_latency ? "a" : "each visit of", point);
    put_change(out, &verified->gain, verified->is_latency ? "time from begin to end" : "time");
    fputs(": ", out);
    put_times(out, verify->time_ns);
    fprintf(out, "; %u rounds.\n", verified->rounds);
}

static void put_line(FILE *out, const struct verify *verify)
{
    const struct verified *verified = &verify->verified;
    char *location = clean_text(verified->location, true),
         *after = clean_text(verified->after_location, true);
    fprintf(out, "The line: %s takes ", location ? location : "?");
    put_change(out, &verified->line, "CPU time for each visit");
    fputs(": ", out);
    put_times(out, verify->line_ns);
    if (verify->line_is_guess)
        fprintf(out,
                ". (It is taken for %s of the new build, the nearest with samples; else say --after-line)",
                after ? after : "?");
    fputs(".\n", out);
    free(location);
    free(after);
}

static void put_promise(FILE *out, const struct verified *verified)
{
    static const char *const outcomes[] = {
        [VERIFIED_NOTHING] = "It did not come true: no gain is shown",
        [VERIFIED_LOST] = "It did not come true",
        [VERIFIED_GAINED] = "",
        [VERIFIED_KEPT] = "It came true: both intervals allow for the same",
        [VERIFIED_LESS] = "It came true in part only: the gain is surely less",
        [VERIFIED_MORE] = "It was exceeded: the gain is surely more",
    };
    enum verified_outcome outcome = verified_outcome(verified);
    bool allows = outcome == VERIFIED_NOTHING && verified->gain.high >= verified->promise.low;
    char *profile = clean_text(verified->profile, true);
    fprintf(out, "Promised: for a line that becomes so much faster, %s said ", profile ? profile : "?");
    put_change(out, &verified->promise, "time");
    fprintf(out, ". %s.\n", allows ? "Neither is shown to be more than none" : outcomes[outcome]);
    free(profile);
}

void words_on_verify(FILE *out, const struct verify *verify, const struct report_options *options)
{
    struct flow flow;
    FILE *stream = put_flow(&flow, out);
    char *point = clean_text(verify->verified.point, true), *note = clean_text(verify->note, true);
    put_gain(stream, verify, point ? point : "?");
    if (isfinite(verify->verified.line.value))
        put_line(stream, verify);
    if (isfinite(verify->verified.promise.value))
        put_promise(stream, &verify->verified);
    if (note && *note)
        fprintf(stream, "%s\n", note);
    if (verify->is_other_build)
        fputs("The profile is of another build than --before: what it promised may hold for that one only.\n",
              stream);
    put_flow_end(&flow, options->wraps ? (size_t)options->width : 0);
    free(point);
    free(note);
}
