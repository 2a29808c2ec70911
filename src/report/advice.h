/* Sentences on what to do with an answer, or without one. Internal to src/report/. The results are of one
 * progress point, best first. */
#pragma once

#include "report/cells.h"
#include "stats/waits/reason.h"

/* What the curve says at the speedup to speak of: 50 %, or the largest that was measured. The curve has a point. */
struct effect_at headline_effect(const struct analysis_result *result, double *speedup);

/* "faster" or "slower"; waits are made "shorter" or "longer". */
const char *speedup_word(const struct analysis_result *result, bool faster);

/* What pays most; or that nothing is shown to, and how much longer a run would tell. */
void put_advice(FILE *out, const struct analysis_result *results, size_t count);

/* Says of which answers no longer run makes surer, and why, and which are more than can be; nothing if there are
 * none. */
void put_limits(FILE *out, const struct analysis_result *results, size_t count);

/* Why a result has no verdict, and how much longer a run would bring one. To be freed; NULL when memory is
 * out. */
char *explain_doubt(const struct analysis_result *result);

/* "Just off the critical path: ..."; nothing when both sides of 0 were not tried, or `shown_only` and no bend is
 * shown. location: the target's name as it is printed. */
void put_kink(FILE *out, const struct analysis_result *result, const char *location, bool shown_only);

/* "a.c:1 and b.c:2 at once: ..."; nothing for a target that is one. results: of its progress point. */
void put_together(FILE *out, const struct analysis_result *result, const struct analysis_result *results,
                  size_t count);

/* Why a result has no effect; no share where it has one, or the profile does not tell. */
struct reason reason_of(const struct analysis_result *result, const struct report_options *options);

/* "Its threads wait 71 % of the time for worker.c:88."; nothing where it has an effect, or the profile does not
 * tell. */
void put_reason(FILE *out, const struct analysis_result *result, const struct report_options *options);

/* The same of all, in lines of their own that begin with their names. */
void put_reasons(FILE *out, const struct analysis_result *results, size_t count,
                 const struct report_options *options);

/* Bends and targets at once, of all that have an answer, in lines of their own; nothing if there is none. */
void put_findings(FILE *out, const struct analysis_result *results, size_t count,
                  const struct report_options *options);
