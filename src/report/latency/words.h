/* Latencies in words: how many units come and go, what they take, and what is to be known when the answers about
 * latency and those about throughput differ. Names are given as they are to be printed. */
#pragma once

#include "stats/answers/answer.h"
#include "stats/latency/latencies.h"

#include <stdbool.h>
#include <stdio.h>

/* "1.9 ms" */
void put_time(FILE *out, double ns);

/* "62 (55 to 68)", in percent; "-" where it is not known. */
void put_saved(FILE *out, const struct latency_value *effect);

/* Sentences, each with a line end, on what is so when nothing is changed. */
void put_latency_point(FILE *out, const struct latency_point *point);

/* Of a target, a line for each speedup: what its units took, and what that saves. */
void put_latency_table(FILE *out, const struct latency_at *all, size_t count);

/* What of all[0..count) is at the speedup; NULL: nothing, or no quantile is known. */
const struct latency_at *latency_at_speedup(const struct latency_at *all, size_t count, double speedup);

/* Why a target's answers about latency and throughput differ; nothing when they do not. One result is of either
 * metric, with those verdicts; names as they are printed. */
bool latency_disagrees(const struct analysis_result *latency, const struct analysis_result *throughput);
void put_disagreement(FILE *out, const struct analysis_result *latency,
                      const struct analysis_result *throughput, const char *target, const char *unit,
                      const char *visit);
