#include "experiment/targets/wait_targets.h"

#include "base/clock.h"
#include "shared/thread_slots.h"
#include "shared/waits.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

uint64_t waits_lived_ns(struct segment *segment)
{
    uint64_t lived = atomic_load(&segment->lived_ns), now = clock_wall_ns();
    uint32_t used = thread_slots_end(segment);
    for (uint32_t i = 0; i < used; i++) {
        struct segment_thread *slot = &segment->thread_slots[i];
        uint64_t began = atomic_load(&slot->began_ns);
        if (began && thread_slot_is_taken(thread_slot_owner(slot)))
            lived += clock_passed_ns(began, now);
    }
    return lived;
}

static const double large_part = 0.05; /* of the time of all threads */
static const uint64_t look_every_ns = 1000000000;

static uint32_t class_named(const char *name)
{
    for (uint32_t class = WAIT_NONE + 1; class < WAIT_CLASSES; class ++)
        if (strcmp(wait_class_name(class), name) == 0)
            return class;
    return WAIT_NONE;
}

static void name_classes(char *text, size_t size)
{
    *text = '\0';
    for (uint32_t class = WAIT_NONE + 1; class < WAIT_CLASSES; class ++) {
        size_t used = strlen(text);
        if (wait_class_is_target(class))
            snprintf(text + used, size - used, "%s%s", used ? ", " : "", wait_class_name(class));
    }
}

static int add_class(const char *name, uint32_t class, struct site_set *sites, struct segment *segment,
                     struct targets *targets, struct coz_error *err)
{
    char text[64];
    if (!wait_class_is_target(class))
        return error_set(
            err, EINVAL,
            "--target wait:%s: such a wait ends when a thread gets there, and what that thread does is "
            "what can be made faster (`coz report --waits` tells who it is)",
            name);
    if (class == WAIT_QUEUE)
        snprintf(text, sizeof text, "all waits for a core");
    else
        snprintf(text, sizeof text, "all %s waits", name);
    uint32_t number = site_intern(sites, text, 0);
    if (!number)
        return error_set(err, ENOMEM, "out of memory");
    atomic_store(&segment->wait_targets[class], number);
    targets_fix(targets, number);
    return targets_add_beside(targets, number, BESIDE_WAIT, sites->count);
}

static int check_line(const char *line, const struct site_set *sites, struct coz_error *err)
{
    uint32_t nearest = 0;
    char name[PATH_MAX] = "", classes[128];
    if (site_find(sites, line, &nearest))
        return 0;
    if (nearest)
        return error_set(err, EINVAL,
                         "--target wait:%s: no code in scope there; the nearest line with code is %s", line,
                         site_name(sites, nearest, name, sizeof name));
    name_classes(classes, sizeof classes);
    return error_set(
        err, EINVAL,
        "--target wait:%s: neither a line with code in scope (FILE:LINE; `coz lines PROGRAM` lists "
        "them) nor a class of waits (%s)",
        line, classes);
}

int wait_targets_resolve(struct wait_targets *waits, struct site_set *sites, struct segment *segment,
                         struct targets *targets, struct coz_error *err)
{
    int rc = 0;
    targets->waits_are_few = waits->largest;
    if (waits->all && targets->only_fixed)
        return error_set(err, EINVAL, "--target wait: beside targets that are named, name the waits as well");
    if ((waits->count > 0 || waits->all) && segment->granularity != GRANULARITY_LINE)
        return error_set(err, EINVAL,
                         "--target wait%s%s: waits are targets beside lines only, and these are none",
                         waits->count ? ":" : "", waits->count ? waits->wanted[0] : "");
    targets->only_fixed |= waits->count > 0;
    for (size_t i = 0; rc == 0 && i < waits->count; i++) {
        uint32_t class = class_named(waits->wanted[i]);
        rc = class ? add_class(waits->wanted[i], class, sites, segment, targets, err)
                   : check_line(waits->wanted[i], sites, err);
    }
    return rc;
}

static bool is_wanted(const struct wait_targets *waits, const struct site *site)
{
    for (size_t i = 0; i < waits->count; i++)
        if (site_line_matches(site->file, site->line, waits->wanted[i]))
            return true;
    return false;
}

/* Of all threads' time, lived_ns, it has a part worth blocks, and somebody may be waiting for who is in it. */
static bool is_large(const struct segment_wait *wait, uint64_t lived_ns)
{
    return atomic_load(&wait->matters) && (double)atomic_load(&wait->ns) >= large_part * (double)lived_ns;
}

/* lived_ns: of all threads. */
static void give_number(struct wait_targets *waits, struct site_set *sites, struct segment *segment,
                        struct segment_wait *wait, uint64_t lived_ns, struct targets *targets)
{
    char name[PATH_MAX + 64], place[PATH_MAX];
    uint32_t site = wait_site_of(wait);
    if (!site || site >= sites->count || !sites->sites[site].line)
        return;
    bool is_named = is_wanted(waits, &sites->sites[site]);
    if (!is_named && !waits->all && !(waits->largest && is_large(wait, lived_ns)))
        return;
    snprintf(name, sizeof name, "%s (%s)", site_name(sites, site, place, sizeof place),
             wait_class_name(wait_class_of(wait)));
    uint32_t number = site_intern(sites, name, 0);
    if (number && is_named)
        targets_fix(targets, number);
    if (!number || targets_add_beside(targets, number, BESIDE_WAIT, sites->count))
        return;
    /* What was counted before it had a number is its own, too. */
    struct segment_site *counts = &segment->sites[number];
    atomic_fetch_add(&counts->count, atomic_load(&wait->count));
    atomic_fetch_add(&counts->cpu_ns, atomic_load(&wait->ns));
    atomic_fetch_add(&counts->baseline_ns, atomic_load(&wait->baseline_ns));
    atomic_store(&wait->target, number);
}

/* Waits become large as time goes on: looking at all of them once in a while is soon enough. */
static bool is_time_to_look(struct wait_targets *waits, const struct segment *segment)
{
    uint32_t used = atomic_load(&segment->waits_used);
    if (waits->largest) {
        uint64_t now = clock_wall_ns();
        if (!used || clock_passed_ns(waits->looked_ns, now) < look_every_ns)
            return false;
        waits->looked_ns = now;
        return true;
    }
    bool is_new = (waits->count || waits->all) && used != waits->seen;
    waits->seen = used;
    return is_new;
}

void wait_targets_look(struct wait_targets *waits, struct site_set *sites, struct segment *segment,
                       struct targets *targets)
{
    if (segment->granularity != GRANULARITY_LINE || !is_time_to_look(waits, segment))
        return;
    uint64_t lived_ns = waits->largest ? waits_lived_ns(segment) : 0;
    for (uint32_t i = 0; i < SEGMENT_WAITS; i++) {
        struct segment_wait *wait = &segment->waits[i];
        if (atomic_load(&wait->key) && !atomic_load(&wait->target) &&
            wait_class_is_target(wait_class_of(wait)))
            give_number(waits, sites, segment, wait, lived_ns, targets);
    }
}

const char *wait_targets_missing(const struct wait_targets *waits, const struct site_set *sites,
                                 const struct segment *segment)
{
    for (size_t i = 0; i < waits->count; i++) {
        bool found = class_named(waits->wanted[i]) != WAIT_NONE;
        for (uint32_t j = 0; !found && j < SEGMENT_WAITS; j++) {
            uint32_t site = wait_site_of(&segment->waits[j]);
            found = atomic_load(&segment->waits[j].target) && site < sites->count &&
                    site_line_matches(sites->sites[site].file, sites->sites[site].line, waits->wanted[i]);
        }
        if (!found)
            return waits->wanted[i];
    }
    return NULL;
}
