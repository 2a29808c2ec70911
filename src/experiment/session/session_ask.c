/* What others may ask of a session, and ask it to do. */
#include "experiment/session/session_parts.h"

#include "base/array.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

void session_update_progress(struct session *session, uint64_t now)
{
    struct session_progress *progress = &session->progress;
    struct segment *segment = session->owner.segment;
    progress->elapsed_ns = now - session->started_ns;
    progress->windows = session->schedule.results.windows;
    progress->discarded = session->schedule.results.discarded;
    progress->stolen_from = session->schedule.results.stolen_from;
    progress->targets = session->schedule.results.blocks.targets_tried;
    progress->samples = atomic_load(&segment->samples);
    progress->in_scope = atomic_load(&segment->in_scope);
    progress->daemon = session->ending.daemon;
    progress->sampler = (enum segment_sampler)atomic_load(&segment->sampler);
    progress->perf_errno = (int)atomic_load(&segment->perf_errno);
    atomic_store(&segment->refusals.sites, session->sites.refused);
    points_count(segment, &progress->points_known, &progress->points_reached);
    session_watch_points(session, now);
}

const struct session_progress *session_progress(struct session *session)
{
    return &session->progress;
}

bool session_trying(const struct session *session, char *text, size_t size, int *permille)
{
    segment_target target = atomic_load(&session->owner.segment->target);
    uint32_t site = segment_target_number(target);
    if (site)
        target_name(&session->names, site, text, size);
    *permille = segment_target_permille(target);
    return site != 0;
}

const struct trial *session_trial(const struct session *session)
{
    return session->trial.state == TRIAL_OVER ? &session->trial : NULL;
}

const char *session_auto_point(const struct session *session)
{
    return session->auto_point;
}

pid_t session_pid(const struct session *session)
{
    return session->ending.pid;
}

bool session_appends(const struct session *session)
{
    return session->appends;
}

const char *session_set_aside(const struct session *session)
{
    return session->aside;
}

enum granularity session_granularity(const struct session *session, bool *fell_back)
{
    enum granularity granularity = (enum granularity)session->owner.segment->granularity;
    *fell_back = granularity != session->options.granularity;
    return granularity;
}

const char *session_note(const struct session *session)
{
    if (session->missing[0])
        return session->missing;
    return session->modules ? modules_note(session->modules) : "";
}

const char *session_failure(const struct session *session)
{
    if (!session->failure)
        return NULL;
    return session->write_error.text[0] ? session->write_error.text : strerror(-session->failure);
}

const struct debuginfo *session_debuginfo(const struct session *session)
{
    return &session->info;
}

void session_stop(struct session *session)
{
    ending_ask(&session->ending, clock_wall_ns());
}

bool session_stopped(const struct session *session)
{
    return session->ending.signals > 0;
}

bool session_killed(const struct session *session)
{
    return session->ending.signals > 1;
}

const char *session_program(const struct session *session)
{
    return session->program;
}

const char *session_build_id(const struct session *session)
{
    return session->build_id;
}

/* That it cannot be written, the next window will find out as well, and end the experiments. */
static void write_remark(struct session *session, const char *text, const char *remedy)
{
    struct profile_record record = {.type = PROFILE_REMARK};
    record.remark.at_ns = session->progress.elapsed_ns;
    record.remark.text = text;
    record.remark.remedy = remedy;
    session_record(session, &record);
}

/* Without memory it is lost: the user has been told, after all. */
static void keep_remark(struct session_remarks *remarks, const char *text, const char *remedy)
{
    if (remarks->count == remarks->capacity) {
        void *more = array_grown(remarks->list, &remarks->capacity, sizeof *remarks->list);
        if (!more)
            return;
        remarks->list = more;
    }
    struct kept_remark remark = {strdup(text), remedy ? strdup(remedy) : NULL};
    if (remark.text)
        remarks->list[remarks->count++] = remark;
    else
        free(remark.remedy);
}

void session_remark(struct session *session, const char *text, const char *remedy)
{
    if (session->started_wall_ns)
        write_remark(session, text, remedy);
    else
        keep_remark(&session->remarks, text, remedy);
}

void session_write_remarks(struct session *session)
{
    for (size_t i = 0; i < session->remarks.count; i++)
        write_remark(session, session->remarks.list[i].text, session->remarks.list[i].remedy);
    session_release_remarks(session);
}

void session_release_remarks(struct session *session)
{
    struct session_remarks *remarks = &session->remarks;
    for (size_t i = 0; i < remarks->count; i++) {
        free(remarks->list[i].text);
        free(remarks->list[i].remedy);
    }
    free(remarks->list);
    *remarks = (struct session_remarks){NULL, 0, 0};
}
