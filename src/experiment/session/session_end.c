/* The end of a session. */
#include "experiment/session/session_parts.h"

#include "base/clock.h"
#include "experiment/schedule/wait_totals.h"
#include "experiment/session/locations.h"
#include "experiment/sources/source_hashes.h"

#include <stdio.h>
#include <stdlib.h>

static void note_missing_region(struct session *session, const char *name)
{
    char entered[160];
    region_targets_entered(session->owner.segment, entered, sizeof entered);
    snprintf(session->missing, sizeof session->missing,
             "--target region%s%.200s: the program passed no mark of %s (COZ_REGION_BEGIN in coz.h)%s%s",
             *name ? ":" : "", name, *name ? "that name" : "a region", *entered ? "; it did of " : "",
             entered);
}

/* Of a thread, or of a function that was to come late. */
static void note_missing(struct session *session)
{
    char missing[440];
    const char *region = region_targets_missing(&session->options.regions, session->owner.segment);
    const char *line = wait_targets_missing(&session->waits, &session->sites, session->owner.segment);
    const char *other = modules_note(session->modules);
    fixed_targets_missing(&session->options.fixed, &session->names, missing, sizeof missing);
    if (line)
        snprintf(
            session->missing, sizeof session->missing,
            "--target wait:%.200s: nobody waited there for long enough to count (`coz report --waits` lists "
            "where threads did)",
            line);
    else if (region)
        note_missing_region(session, region);
    else if (*missing && session->options.fixed.late)
        snprintf(session->missing, sizeof session->missing, "%s; %.180s", missing,
                 *other ? other : "without it, `coz run --target function` tells what names there are");
    else if (*missing)
        snprintf(session->missing, sizeof session->missing, "%s", missing);
    else
        region_targets_unpaired(session->owner.segment, session->missing, sizeof session->missing);
}

int session_write_end(struct session *session)
{
    note_missing(session);
    region_targets_end(&session->options.regions, &session->sites, session->owner.segment,
                       session_targets(session));
    uint64_t real = session_run_ns(session);
    struct profile_record record = {.type = PROFILE_RUNTIME};
    record.runtime.time_ns = real;
    uint64_t baseline = clock_passed_ns(session->schedule.results.sped_up_ns, real);
    record.runtime.baseline_ns = disturbed_rest_of_run(&session->schedule.results.disturbed, baseline);
    record.runtime.samples = atomic_load(&session->owner.segment->in_scope);
    record.runtime.lived_ns = waits_lived_ns(session->owner.segment);
    record.runtime.cpu_ns = atomic_load(&session->owner.segment->samples_ns);
    record.runtime.queued_ns = atomic_load(&session->owner.segment->queued_ns);
    struct machine_use use = machine_watch_end(&session->watch);
    record.runtime.others = use.others;
    record.runtime.stolen = use.stolen;
    struct source_files files = {.started_ns = session->started_wall_ns};
    struct source_hashes hashes = {&files, session_record, session};
    int rc = session_record(session, &record);
    if (rc == 0)
        rc = locations_write(&session->names, &session->owner, &session->options.scope,
                             &session->schedule.results.disturbed, baseline, &files, source_hashes_note,
                             &hashes);
    source_hashes_ask_modules(&files, session->owner.segment, &session->options.scope);
    if (rc == 0)
        rc = source_hashes_write(&hashes);
    source_files_release(&files);
    if (rc == 0)
        rc = wait_totals_write(&session->names, session_record, session);
    return rc ? rc : processes_emit_all(session->owner.segment, session_record, session);
}

void session_end(struct session *session)
{
    if (!session)
        return;
    heartbeat_stop(&session->heartbeat);
    if (session->writer)
        profile_writer_close(session->writer);
    schedule_release(&session->schedule);
    families_free(session->families);
    ending_release(&session->ending);
    launch_unlink_runtime(&session->runtime);
    modules_stop(session->modules);
    debuginfo_release(&session->info);
    session_release_remarks(session);
    target_groups_release(&session->groups);
    site_set_release(&session->sites);
    segment_destroy(&session->owner);
    if (!session->options.analysis)
        analysis_free(session->progress.analysis);
    free(session);
}
