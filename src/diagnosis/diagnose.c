#include "diagnosis/diagnose.h"

#include "diagnosis/rules.h"

static const struct rule {
    bool (*find)(const struct facts *facts, struct finding *finding);
    enum finding_weight weight;
} rules[FINDING_KINDS] = {
    [FINDING_STATIC] = {rule_static, FINDING_STOPS},
    [FINDING_PRIVILEGED] = {rule_privileged, FINDING_STOPS},
    [FINDING_GO] = {rule_go, FINDING_STOPS},
    [FINDING_NOT_LOADED] = {rule_not_loaded, FINDING_STOPS},
    [FINDING_NO_CODE] = {rule_no_code, FINDING_STOPS},
    [FINDING_NO_SOURCE_IN_SCOPE] = {rule_no_source_in_scope, FINDING_STOPS},
    [FINDING_NO_BINARY_IN_SCOPE] = {rule_no_binary_in_scope, FINDING_STOPS},
    [FINDING_NO_SAMPLE] = {rule_no_sample, FINDING_STOPS},
    [FINDING_OUT_OF_SCOPE] = {rule_out_of_scope, FINDING_STOPS},
    [FINDING_POINT_NEVER] = {rule_point_never, FINDING_STOPS},
    [FINDING_TOO_SHORT] = {rule_too_short, FINDING_STOPS},
    [FINDING_POINT_SELDOM] = {rule_point_seldom, FINDING_HINTS},
    [FINDING_SLEEPS] = {rule_sleeps, FINDING_HINTS},
    [FINDING_WAITS] = {rule_waits, FINDING_HINTS},
    [FINDING_WAITS_FOR_DISK] = {rule_waits_for_disk, FINDING_HINTS},
    [FINDING_SPINS] = {rule_spins, FINDING_HINTS},
    [FINDING_ASKS_CLOCK] = {rule_asks_clock, FINDING_HINTS},
    [FINDING_ALL_IN_LIBRARY] = {rule_all_in_library, FINDING_HINTS},
    [FINDING_POINT_SHARED] = {rule_point_shared, FINDING_HINTS},
    [FINDING_CAPPED] = {rule_capped, FINDING_HINTS},
    [FINDING_STOLEN] = {rule_stolen, FINDING_HINTS},
    [FINDING_OTHERS] = {rule_others, FINDING_HINTS},
    [FINDING_SWAPS] = {rule_swaps, FINDING_HINTS},
    [FINDING_NO_LINES] = {rule_no_lines, FINDING_NOTE},
    [FINDING_GO_WITH_C] = {rule_go_with_c, FINDING_NOTE},
    [FINDING_NO_PERF] = {rule_no_perf, FINDING_NOTE},
};

void diagnose(const struct facts *facts, struct findings *findings)
{
    findings->count = 0;
    for (int kind = 0; kind < FINDING_KINDS; kind++) {
        struct finding *finding = &findings->list[findings->count];
        *finding = (struct finding){.kind = (enum finding_kind)kind, .weight = rules[kind].weight};
        findings->count += rules[kind].find(facts, finding);
    }
}

bool findings_stop(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->list[i].weight == FINDING_STOPS)
            return true;
    return false;
}
