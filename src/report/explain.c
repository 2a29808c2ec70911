#include "diagnosis/diagnose.h"
#include "report/cells.h"
#include "report/ink.h"

#include <inttypes.h>

static bool has_point(struct analysis *analysis, const char *name)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results);
    for (size_t i = 0; i < count; i++)
        if (option_wants(&(struct report_options){.point = name}, &results[i]))
            return true;
    return false;
}

/* What the rules that `coz run` goes by make of what the profile says. False: nothing. */
static bool put_findings(FILE *out, struct analysis *analysis)
{
    uint64_t samples = analysis_samples(analysis);
    struct facts facts = {
        .run = {.elapsed_s = (double)analysis_runtime_ns(analysis) * 1e-9,
                .has_ended = true,
                .processes = 1,
                .windows = analysis_windows(analysis),
                .code = {.samples = samples, .in_scope = samples},
                .points = {.reached = (uint32_t)analysis_point_count(analysis)}},
    };
    struct findings findings;
    diagnose(&facts, &findings);
    for (size_t i = 0; i < findings.count; i++)
        if (findings.list[i].kind == FINDING_POINT_NEVER) {
            fprintf(out, "%s\n%s\n", findings.list[i].what, findings.list[i].remedy);
            return true;
        }
    return false;
}

static void explain_windows(FILE *out, struct analysis *analysis)
{
    uint64_t windows = analysis_windows(analysis);
    if (put_findings(out, analysis))
        return;
    fprintf(out,
            "Nothing has enough windows for an answer yet (%" PRIu64 " in all).\n"
            "Let the program run longer, or run it again: a new run adds to the same profile.\n",
            windows);
}

static void explain(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    if (analysis_windows(analysis) > 0 && options->point && !has_point(analysis, options->point)) {
        fprintf(out,
                "There is no answer for a progress point named %s.\n"
                "Leave --point away to see those that there are.\n",
                options->point);
        return;
    }
    if (analysis_windows(analysis) > 0) {
        explain_windows(out, analysis);
        return;
    }
    if (analysis_samples(analysis) > 0) {
        fprintf(out,
                "The profile holds samples but no experiments: the program reached no progress point, or "
                "ended too soon.\n"
                "Put COZ_PROGRESS where a unit of work is done, or name a point (`coz run -p`); let it run "
                "longer, or run it again: a new run adds to the same profile.\n");
    } else if (analysis_runtime_ns(analysis) > 0) {
        fprintf(out,
                "The profile holds no experiments and no samples: no code that was in scope ran for long.\n"
                "Widen the scope (`coz run --source-scope`, `--binary-scope`), check that the program is "
                "built with -g, and that it runs for some seconds.\n");
    } else {
        fprintf(out, "The profile holds no experiments: it is empty, or the run was stopped at once.\n"
                     "Make one with `coz run --- PROGRAM ARGUMENTS`.\n");
    }
}

void report_explain(FILE *out, struct analysis *analysis, const struct report_options *options)
{
    struct flow flow;
    explain(put_flow(&flow, out), analysis, options);
    put_flow_end(&flow, (size_t)options->width);
}
