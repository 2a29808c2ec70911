/* The longest common subsequence is what stays in order when a text is edited, and what diff looks for; see there
 * for why (Hunt and McIlroy, 1976). */
#include "stats/compare/alignment.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* More pairs than that are not worth the time: a function of 2,000 targets. Then only the place counts. */
enum { PAIRS_MOST = 4 << 20, STEPS_MOST = 64 << 20, TEXT_MOST = 256 };

#define ALIKE_LEAST 0.5 /* share of the longer text that an edited line must keep */

static bool is_callsite(const struct match_target *target)
{
    return strcmp(target->kind, "callsite") == 0;
}

/* `moved` is by how many lines most of them have moved. */
static bool is_same(long moved, const struct align_target *a, const struct align_target *b)
{
    const struct match_target *x = a->target, *y = b->target;
    if (x->text && y->text)
        return strcmp(x->text, y->text) == 0;
    if (is_callsite(x)) /* its caller may have moved otherwise */
        return strcmp(x->location, y->location) == 0;
    return b->line - a->line == moved;
}

/* Of lines that say the same (a closing brace), the one that moved like the others is meant. */
static uint16_t weigh_pair(long moved, const struct align_target *a, const struct align_target *b)
{
    if (!is_same(moved, a, b))
        return 0;
    return b->line - a->line == moved ? 2 : 1;
}

static void join(struct align_target *a, struct align_target *b, enum match_by by)
{
    a->target->by = b->target->by = by;
    a->target->other = b->index;
    b->target->other = a->index;
}

static enum match_by reason(const struct align_target *a, const struct align_target *b)
{
    if (a->target->text && b->target->text)
        return MATCH_TEXT;
    return a->target->function ? MATCH_MOVED : MATCH_NUMBER;
}

/* By how many lines most have moved; of several, by the least. Without a function the place counts. */
static long find_move(const struct align_target *before, size_t n, const struct align_target *after, size_t m)
{
    long best = 0;
    size_t most = 0;
    for (size_t i = 0; i < n && before->target->function; i++) {
        for (size_t j = 0; j < m; j++) {
            long moved = after[j].line - before[i].line;
            size_t votes = 0;
            /* Both are sorted. */
            for (size_t p = 0, q = 0; p < n && q < m;) {
                long difference = after[q].line - before[p].line - moved;
                votes += difference == 0;
                p += difference >= 0;
                q += difference <= 0;
            }
            if (votes > most || (votes == most && labs(moved) < labs(best))) {
                most = votes;
                best = moved;
            }
        }
    }
    return best;
}

/* longest[i * (m + 1) + j]: the weight of the best for before[i..n) and after[j..m). */
static void fill_longest(uint16_t *longest, long moved, const struct align_target *before, size_t n,
                         const struct align_target *after, size_t m)
{
    for (size_t i = n; i-- > 0;) {
        for (size_t j = m; j-- > 0;) {
            uint16_t down = longest[(i + 1) * (m + 1) + j], right = longest[i * (m + 1) + j + 1];
            uint16_t weight = weigh_pair(moved, &before[i], &after[j]);
            uint16_t both = (uint16_t)(longest[(i + 1) * (m + 1) + j + 1] + weight);
            uint16_t most = down > right ? down : right;
            longest[i * (m + 1) + j] = weight && both > most ? both : most;
        }
    }
}

static void join_longest(const uint16_t *longest, long moved, struct align_target *before, size_t n,
                         struct align_target *after, size_t m)
{
    for (size_t i = 0, j = 0; i < n && j < m;) {
        uint16_t here = longest[i * (m + 1) + j], weight = weigh_pair(moved, &before[i], &after[j]);
        if (weight && here == longest[(i + 1) * (m + 1) + j + 1] + weight) {
            join(&before[i], &after[j], reason(&before[i], &after[j]));
            i++;
            j++;
        } else if (here == longest[(i + 1) * (m + 1) + j]) {
            i++;
        } else {
            j++;
        }
    }
}

/* Lines that changed places. */
static void join_moved(long moved, struct align_target *before, size_t n, struct align_target *after,
                       size_t m)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m && before[i].target->by == MATCH_NONE; j++)
            if (after[j].target->by == MATCH_NONE && is_same(moved, &before[i], &after[j]))
                join(&before[i], &after[j], reason(&before[i], &after[j]));
}

/* Does one line look like the other, edited? By the characters that both have in this order. */
static bool looks_alike(const char *a, const char *b)
{
    uint16_t rows[2][TEXT_MOST + 1] = {{0}};
    size_t n = strnlen(a, TEXT_MOST), m = strnlen(b, TEXT_MOST);
    for (size_t i = 0; i < n; i++) {
        const uint16_t *above = rows[i % 2];
        uint16_t *row = rows[(i + 1) % 2];
        for (size_t j = 0; j < m; j++)
            row[j + 1] = a[i] == b[j]            ? (uint16_t)(above[j] + 1)
                         : above[j + 1] > row[j] ? above[j + 1]
                                                 : row[j];
    }
    return (double)rows[n % 2][m] >= ALIKE_LEAST * (double)(n > m ? n : m);
}

/* What stands between the same neighbours, if there are as many. */
static void join_gap(struct align_target *before, size_t n, struct align_target *after, size_t m)
{
    if (n != m || n == 0 || !before->target->function)
        return;
    for (size_t i = 0; i < n; i++) {
        const char *x = before[i].target->text, *y = after[i].target->text;
        bool is_free = before[i].target->by == MATCH_NONE && after[i].target->by == MATCH_NONE;
        if (is_free && (!x || !y || looks_alike(x, y)))
            join(&before[i], &after[i], MATCH_ORDER);
    }
}

static void join_gaps(struct align_target *before, size_t n, struct align_target *after, size_t m)
{
    size_t i = 0, j = 0;
    while (i < n || j < m) {
        size_t from_i = i, from_j = j;
        while (i < n && before[i].target->by == MATCH_NONE)
            i++;
        while (j < m && after[j].target->by == MATCH_NONE)
            j++;
        join_gap(before + from_i, i - from_i, after + from_j, j - from_j);
        i += i < n;
        j += j < m;
    }
}

int align(struct align_target *before, size_t n, struct align_target *after, size_t m)
{
    if (n > PAIRS_MOST / m) {
        join_moved(0, before, n, after, m);
        return 0;
    }
    uint16_t *longest = calloc((n + 1) * (m + 1), sizeof *longest);
    if (!longest)
        return -ENOMEM;
    long moved = n * m * (n + m) <= STEPS_MOST ? find_move(before, n, after, m) : 0;
    fill_longest(longest, moved, before, n, after, m);
    join_longest(longest, moved, before, n, after, m);
    free(longest);
    join_moved(moved, before, n, after, m);
    join_gaps(before, n, after, m);
    return 0;
}
