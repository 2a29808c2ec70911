/* The rules. Each writes its finding's texts and returns true, or returns false. Internal to src/diagnosis/. */
#pragma once

#include "diagnosis/finding.h"

/* Until then the program may still be starting. */
#define EARLY_S 2.0

bool rule_static(const struct facts *facts, struct finding *finding);
bool rule_privileged(const struct facts *facts, struct finding *finding);
bool rule_go(const struct facts *facts, struct finding *finding);
bool rule_go_with_c(const struct facts *facts, struct finding *finding);
bool rule_not_loaded(const struct facts *facts, struct finding *finding);
bool rule_no_code(const struct facts *facts, struct finding *finding);
bool rule_no_lines(const struct facts *facts, struct finding *finding);

bool rule_no_source_in_scope(const struct facts *facts, struct finding *finding);
bool rule_no_binary_in_scope(const struct facts *facts, struct finding *finding);
bool rule_no_sample(const struct facts *facts, struct finding *finding);
bool rule_out_of_scope(const struct facts *facts, struct finding *finding);
bool rule_all_in_library(const struct facts *facts, struct finding *finding);

bool rule_point_never(const struct facts *facts, struct finding *finding);
bool rule_point_seldom(const struct facts *facts, struct finding *finding);
bool rule_point_shared(const struct facts *facts, struct finding *finding);
bool rule_too_short(const struct facts *facts, struct finding *finding);

bool rule_sleeps(const struct facts *facts, struct finding *finding);
bool rule_waits(const struct facts *facts, struct finding *finding);
bool rule_waits_for_disk(const struct facts *facts, struct finding *finding);
bool rule_spins(const struct facts *facts, struct finding *finding);
bool rule_asks_clock(const struct facts *facts, struct finding *finding);

bool rule_capped(const struct facts *facts, struct finding *finding);
bool rule_stolen(const struct facts *facts, struct finding *finding);
bool rule_others(const struct facts *facts, struct finding *finding);
bool rule_swaps(const struct facts *facts, struct finding *finding);
bool rule_no_perf(const struct facts *facts, struct finding *finding);
