#include "cli/run/target_options.h"

#include "cli/options/option_value.h"
#include "cli/options/usage.h"
#include "shared/waits.h"

#include <string.h>

/* In the order of enum granularity. */
static const char *const granularities[] = {"line", "function", "callsite", "file", "thread", NULL};

int target_options_granularity(struct session_options *session, const char *option, const char *word)
{
    int kind = option_word(word, granularities);
    if (kind < 0)
        return usage_complain(option, word, "must be line, function, callsite, file or thread");
    if (session->granularity_is_given && session->granularity != (enum granularity)kind)
        return usage_complain(option, word, "a run has targets of one kind only");
    session->granularity = (enum granularity)kind;
    session->granularity_is_given = true;
    return GO_ON;
}

/* Where it is to go; NULL when there is no place left. */
static struct target_spec *next_spec(struct session_options *session)
{
    return session->fixed.count < FIXED_MOST ? &session->fixed.specs[session->fixed.count] : NULL;
}

/* All are of one kind, and that is then the granularity. */
static int take_spec(struct session_options *session, const struct coz_error *err)
{
    const struct target_spec *specs = session->fixed.specs, *last = &specs[session->fixed.count];
    if (*err->text)
        return usage_say(err->text);
    if (target_spec_granularity(last) != target_spec_granularity(&specs[0]))
        return usage_complain(last->option, last->text,
                              "a run has targets of one kind only (lines and files go together)");
    session->fixed.count++;
    return GO_ON;
}

/* "wait", "wait:CLASS", "wait:FILE:LINE". */
static int add_wait(struct session_options *session, const char *text, const char *which)
{
    struct wait_targets *waits = &session->waits;
    if (!*which) {
        waits->all = true;
        return GO_ON;
    }
    if (*which != ':' || !which[1])
        return usage_complain("--target", text, "must be wait, wait:CLASS or wait:FILE:LINE");
    if (waits->count == WAIT_TARGETS_MOST)
        return usage_complain("--target", text, "is one too many (64 waits at most)");
    waits->wanted[waits->count++] = which + 1;
    return GO_ON;
}

/* "region", "region:NAME". */
static int add_region(struct session_options *session, const char *text, const char *which)
{
    struct region_targets *regions = &session->regions;
    if (!*which) {
        regions->only = true;
        return GO_ON;
    }
    if (!which[1])
        return usage_complain("--target", text, "must be region or region:NAME");
    if (regions->count == REGION_TARGETS_MOST)
        return usage_complain("--target", text, "is one too many (64 regions at most)");
    regions->wanted[regions->count++] = which + 1;
    return GO_ON;
}

static bool is_of_regions(const char *text)
{
    return strcmp(text, "region") == 0 || strncmp(text, "region:", strlen("region:")) == 0;
}

static bool is_of_waits(const char *text)
{
    return strcmp(text, "wait") == 0 || strncmp(text, "wait:", strlen("wait:")) == 0;
}

int target_options_add(struct session_options *session, const char *text)
{
    struct coz_error err = {.text = ""};
    struct target_spec *spec = next_spec(session);
    if (is_of_waits(text))
        return add_wait(session, text, text + strlen("wait"));
    if (is_of_regions(text))
        return add_region(session, text, text + strlen("region"));
    if (option_word(text, granularities) >= 0)
        return target_options_granularity(session, "--target", text);
    if (!spec)
        return usage_complain("--target", text, "too many targets (64 at most)");
    target_spec_parse(spec, text, &err);
    return take_spec(session, &err);
}

int target_options_add_fixed(struct session_options *session, const char *option, enum target_part_kind kind,
                             const char *name)
{
    struct coz_error err = {.text = ""};
    struct target_spec *spec = next_spec(session);
    if (!spec)
        return usage_complain(option, name, "too many targets (64 at most)");
    target_spec_of_kind(spec, option, kind, name, &err);
    return take_spec(session, &err);
}

/* ---- what is left out ---- */

static int add_pattern(const char **patterns, size_t *count, const char *pattern, const char *text)
{
    if (!*pattern)
        return usage_complain("--exclude", text, "there is no pattern behind the colon");
    if (*count == EXCLUDED_MOST)
        return usage_complain("--exclude", text, "too many patterns (64 at most)");
    patterns[(*count)++] = pattern;
    return GO_ON;
}

/* What is behind the prefix; NULL when the text begins otherwise. */
static const char *behind(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

int target_options_exclude(struct session_options *session, struct exclusions *exclusions, const char *text)
{
    struct scope *scope = &session->scope;
    const char *pattern;
    if ((pattern = behind(text, "binary:")))
        return add_pattern(exclusions->binaries, &scope->excluded_binary_count, pattern, text);
    if ((pattern = behind(text, "function:")))
        return add_pattern(exclusions->functions, &scope->excluded_function_count, pattern, text);
    if ((pattern = behind(text, "file:")))
        return add_pattern(exclusions->sources, &scope->excluded_source_count, pattern, text);
    return usage_complain(
        "--exclude", text,
        "must be file:PATTERN, function:NAME or binary:PATTERN, as in --exclude 'file:lib/%'");
}

/* That a core comes later for all who want one is nothing that can be made to happen. */
static bool slows_queue(const struct session_options *session)
{
    bool slows = false, is_named = false;
    for (size_t i = 0; i < session->speedup_count; i++)
        slows |= session->speedups[i] < 0;
    for (size_t i = 0; i < session->waits.count; i++)
        is_named |= strcmp(session->waits.wanted[i], wait_class_name(WAIT_QUEUE)) == 0;
    return slows && is_named;
}

int target_options_finish(struct session_options *session)
{
    if (slows_queue(session))
        return usage_complain("--fixed-speedup", "below zero, with --target wait:queue",
                              "a core can be had sooner, but not be made to come later");
    const struct fixed_targets *fixed = &session->fixed;
    enum granularity named = fixed->count ? target_spec_granularity(&fixed->specs[0]) : session->granularity;
    if (fixed->late && (fixed->count == 0 || named != GRANULARITY_FUNCTION))
        return usage_complain("--late", "alone", "it is for functions, as in --target function:NAME");
    if (fixed->late && session->end_to_end)
        return usage_complain("--late", "with --end-to-end", "a whole run cannot wait for its target");
    for (size_t i = 0; fixed->late && i < fixed->count; i++)
        if (fixed->specs[i].count > 1)
            return usage_complain("--late", fixed->specs[i].text, "several at once cannot come late");
    if (fixed->count && session->granularity_is_given && session->granularity != named)
        return usage_complain(fixed->specs[0].option, fixed->specs[0].text,
                              "the run was told to have targets of another kind; leave one of them out");
    session->granularity = named;
    if (session->scope.excluded_function_count && named == GRANULARITY_CALLSITE)
        return usage_complain("--exclude", "function:...",
                              "is for lines, functions and files, not for call sites");
    return GO_ON;
}
