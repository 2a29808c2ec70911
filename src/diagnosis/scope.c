/* Where the samples fall, and what may be a target. */
#include "diagnosis/rules.h"
#include "diagnosis/words.h"

#include <stdio.h>
#include <string.h>

/* Samples are thousands a second: fewer say little of where a program is. */
enum { ENOUGH_SAMPLES = 500 };
static const double settled_s = 3;

static bool has_enough(const struct run_facts *run)
{
    return run->elapsed_s >= settled_s && run->code.samples >= ENOUGH_SAMPLES;
}

static double share(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : 0;
}

/* Some of the program's sources, by their last parts. */
static void list_sources(const struct file_facts *file, char *text, size_t size)
{
    enum { SHOWN = 4 };
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < file->source_count && i < SHOWN && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", last_part(file->sources[i]));
    if (file->source_count > SHOWN && used < size)
        snprintf(text + used, size - used, ", and %zu more", file->source_count - SHOWN);
}

bool rule_no_source_in_scope(const struct facts *facts, struct finding *finding)
{
    const struct file_facts *file = &facts->file;
    char sources[300];
    if (file->code != CODE_OUT_OF_SCOPE || file->has_binary_scope || facts->run.code.modules_with_code)
        return false;
    list_sources(file, sources, sizeof sources);
    if (file->has_source_scope)
        say(finding->what, "No code of %s is in scope: -s matches none of its sources (%s).", file->path,
            sources);
    else
        say(finding->what, "No code of %s is in scope: its sources (%s) are the system's own.", file->path,
            sources);
    if (file->has_source_scope && file->source_count)
        say(finding->remedy, "Leave -s away, or name one of them: -s '%s'.", last_part(file->sources[0]));
    else
        say(finding->remedy, "Name its sources with -s, or a library with -b.");
    return true;
}

/* Libraries that are loaded later may still come. */
bool rule_no_binary_in_scope(const struct facts *facts, struct finding *finding)
{
    const struct run_facts *run = &facts->run;
    bool had_time = has_enough(run) || run->has_ended;
    if (!facts->file.has_binary_scope || run->code.modules_in_scope || run->code.in_scope || !had_time)
        return false;
    say(finding->what,
        "Nothing is in scope: -b matches neither the program nor any library that it has loaded.");
    if (run->code.module)
        say(finding->remedy,
            "Leave -b away, or name where its time goes: -b '%s', or -b MAIN for the program.",
            last_part(run->code.module));
    else
        say(finding->remedy, "Leave -b away, or say -b MAIN for the program itself.");
    return true;
}

bool rule_no_sample(const struct facts *facts, struct finding *finding)
{
    const struct run_facts *run = &facts->run;
    if (!run->has_ended || run->code.samples || !run->processes || run->is_whole)
        return false;
    say(finding->what, "There were no samples: the program used too little CPU time.");
    say(finding->remedy, "Give it more to do, or run it again and again: --runs 20.");
    return true;
}

/* While nothing at all can be in scope, another rule has said why. */
static bool has_targets(const struct facts *facts)
{
    enum file_code code = facts->file.code;
    bool is_said = code == CODE_OUT_OF_SCOPE || code_is_missing(code);
    return !is_said || facts->run.code.modules_with_code;
}

bool rule_out_of_scope(const struct facts *facts, struct finding *finding)
{
    static const double hardly_any = 0.05;
    const struct run_facts *run = &facts->run;
    const struct code_facts *code = &run->code;
    bool none_came = run->has_ended && code->samples && !code->in_scope;
    bool few_come = has_enough(run) && share(code->in_scope, code->samples) < hardly_any;
    if ((!none_came && !few_come) || !has_targets(facts) ||
        (facts->file.has_binary_scope && !code->modules_in_scope))
        return false;
    double beyond = 100 * (1 - share(code->in_scope, code->samples));
    if (!code->module || 2 * code->module_samples < code->samples - code->in_scope) {
        char sources[300];
        list_sources(&facts->file, sources, sizeof sources);
        say(finding->what, "%.0f %% of the time goes into code that is not in scope.", beyond);
        say(finding->remedy, "Widen the scope with -s (%s), or with -b for the code of libraries.",
            *sources ? sources : "no source of it is known");
        return true;
    }
    say(finding->what, "%.0f %% of the time goes into code that is not in scope, most of it in %s.", beyond,
        code->module);
    say(finding->remedy, "Take that in with -b MAIN -b '%s'; it must be compiled with -g.",
        last_part(code->module));
    return true;
}

/* What is called from one line says no more than that line. Of the system's own libraries nobody expects more. */
bool rule_all_in_library(const struct facts *facts, struct finding *finding)
{
    static const double most = 0.8;
    const struct run_facts *run = &facts->run;
    const struct code_facts *code = &run->code;
    if (!has_enough(run) || !code->module || code->module_is_system || !code->leader)
        return false;
    if (share(code->module_samples, code->samples) < most ||
        share(code->leader_samples, code->samples) < most)
        return false;
    say(finding->what,
        "%.0f %% of the time is spent in %s, which is not in scope: all of it counts for %s, which calls it.",
        100 * share(code->module_samples, code->samples), code->module, code->leader);
    say(finding->remedy, "To see the library's own lines: -b MAIN -b '%s'; it must be compiled with -g.",
        last_part(code->module));
    return true;
}
