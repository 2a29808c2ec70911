/* Drawing the next target: in turns, in proportion to the CPU time that fell in each site lately, but not too
 * many different ones. A target with one block says nothing, and has cost as much as a block that would have
 * narrowed another's interval. */
#pragma once

#include "experiment/targets/drawn.h"
#include "shared/create.h"

void targets_release(struct targets *targets);

/* Looks at what was sampled since the last call. site_count: ids in use. 0 or -ENOMEM. */
int targets_update(struct targets *targets, const struct segment_owner *owner, uint32_t site_count);

/* How much CPU time speaks for trying a target: for a function its own time, and a tenth of that of functions
 * it calls. Those are tried themselves; but some functions only call, and main() would be tried half of the
 * time if all of it counted. */
double target_worth(const struct segment *segment, double cpu_ns, double self_ns);

/* An earlier run drew the site. 0 or -ENOMEM. */
int targets_remember(struct targets *targets, uint32_t site, uint32_t site_count);

/* An earlier run drew a wait, whichever: it has no number before it comes again. */
void targets_remember_wait(struct targets *targets);

/* The site stands for waits, of which many may go on at once, and while others run: all waits together are drawn at
 * most half as often as all that runs; or, where they are to be few, one of them in each eighth draw, or
 * when there is nothing else: one that was tried until it has blocks enough, then the largest that was not. Or for a
 * region, in which lines run that are targets as well: all together are drawn at most as often as those. 0 or -ENOMEM. */
int targets_add_beside(struct targets *targets, uint32_t site, enum target_beside kind, uint32_t site_count);

/* From now on only this one, and others that were named, are drawn, in turn. */
void targets_fix(struct targets *targets, uint32_t target);

/* The next target, or 0 while there are no samples. Sites with less than a thousandth of the time are not
 * drawn; tried ones with less than a hundredth count as a hundredth. Notable are those with a twentieth of the
 * time, and the ten largest of those with a two-hundredth: nobody should miss their answers. New ones are
 * tried in the order of their shares, the next only while fewer than a fifth as many sites as draws were
 * tried, or half as many where it is notable; one that has too few blocks for any answer (CURVE_MIN_UNITS)
 * counts at least as much as the largest, and half as much until it has enough for a good one (5), unless it
 * has less than a hundredth and is not notable. While a notable one has too few for an answer where the control
 * tells the noise (CURVE_MIN_KNOWN_UNITS), and then while one has too few for any, all others count a tenth. */
uint32_t targets_draw(struct targets *targets, uint64_t *seed);

/* That part of a block of the site's was measured in vain, for the machine was not ours: what adds up to a block is
 * drawn again, as if it had not been. */
void targets_lose(struct targets *targets, uint32_t site, double part);

/* Somebody wants to know of the site: it is drawn next, as often as an answer needs blocks; where targets were
 * named, when its turn comes next, and that is at once. 0, -EINVAL: it is not among the named ones, or -ENOMEM. */
int targets_put_first(struct targets *targets, uint32_t site, uint32_t site_count);

/* How many blocks the site that was drawn last had before. */
uint32_t targets_turn(const struct targets *targets, uint32_t site);
