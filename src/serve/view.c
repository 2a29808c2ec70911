#include "serve/view.h"

#include "profile/reader.h"
#include "profile/verified.h"
#include "report/intake.h"
#include "report/page/html.h"
#include "stats/compare/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where nothing tells who writes, a run is taken to go on for so long after its last line. */
static const uint64_t quiet_ns = 10000000000;

struct view {
    struct view_options options;
    struct intake intake;
    struct compare_side side;          /* of the same records, for comparisons */
    uint64_t problems;                 /* lines that could not be used */
    struct profile_follower *follower; /* NULL: the file is not there yet, or cannot grow */
    uint64_t state;
    uint64_t grown_ns; /* when something came after what was there at first; 0: never */
    bool is_live;
    bool is_finished; /* the analysis was told that no more comes */
    char *ledger;     /* beside it, of what was verified; NULL: there is no place for one */
    off_t ledger_size;
    const char *name; /* the last part of the path */
    char path[];
};

static int on_record(void *context, const struct profile_record *record)
{
    struct view *view = context;
    int code = intake_add(&view->intake, record);
    return code ? code : side_add(&view->side, record);
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    (void)problem;
    struct view *view = context;
    view->problems++;
}

static struct profile_visitor visitor_of(struct view *view)
{
    return (struct profile_visitor){on_record, on_problem, view};
}

static int begin(struct view *view)
{
    view->intake = (struct intake){.profile = view->path};
    int code = intake_begin(&view->intake);
    side_begin(&view->side, view->intake.analysis, view->intake.story);
    return code;
}

static void forget(struct view *view)
{
    side_release(&view->side);
    intake_release(&view->intake);
}

static struct view *view_new(const char *path, const struct view_options *options)
{
    size_t size = strlen(path) + 1;
    struct view *view = calloc(1, sizeof *view + size);
    if (!view)
        return NULL;
    memcpy(view->path, path, size);
    const char *slash = strrchr(view->path, '/');
    view->name = slash && slash[1] ? slash + 1 : view->path;
    view->options = *options;
    view->state = 1;
    if (begin(view) < 0) {
        view_close(view);
        return NULL;
    }
    return view;
}

void view_close(struct view *view)
{
    if (!view)
        return;
    profile_unfollow(view->follower);
    forget(view);
    free(view->ledger);
    free(view);
}

/* Whether something was verified since the last look: the ledger only grows. */
static bool look_at_ledger(struct view *view)
{
    struct stat status;
    off_t size = view->ledger && stat(view->ledger, &status) == 0 ? status.st_size : 0;
    bool is_other = size != view->ledger_size;
    view->ledger_size = size;
    return is_other;
}

/* No more comes: the last block counts, though its end was not seen. */
static int finish(struct view *view, struct coz_error *err)
{
    int code = view->follower ? profile_follow_end(view->follower, err) : 0;
    view->is_finished = true;
    side_end_file(&view->side);
    if (code == 0 && analysis_finish(view->intake.analysis) < 0)
        code = error_set(err, ENOMEM, "%s: out of memory", view->path);
    return code;
}

/* Whether the run in it goes on; the analysis is finished when it does not. */
static int judge(struct view *view, uint64_t now, struct coz_error *err)
{
    bool is_fresh = view->grown_ns && now < view->grown_ns + quiet_ns;
    view->is_live = view->intake.is_open && (is_fresh || profile_is_written(view->follower));
    return view->intake.is_open && !view->is_live && !view->is_finished ? finish(view, err) : 0;
}

/* Forgets what was read, and opens the file as it is now. */
static int start(struct view *view, struct coz_error *err)
{
    struct profile_visitor visitor = visitor_of(view);
    if (view->intake.records > 0 || view->is_finished) {
        forget(view);
        view->problems = 0;
        view->is_finished = false;
        if (begin(view) < 0)
            return error_set(err, ENOMEM, "%s: out of memory", view->path);
    }
    profile_unfollow(view->follower);
    view->grown_ns = 0;
    int code = profile_follow(&view->follower, view->path, &visitor, err);
    return code < 0 ? code : profile_follow_on(view->follower, err);
}

/* What was opened must be a profile, and of one build. */
static int check(const struct view *view, struct coz_error *err)
{
    if (view->intake.records == 0 && view->problems > 0)
        return error_set(err, EINVAL, "%.300s is no profile: none of its lines could be used.", view->path);
    if (view->intake.builds.count > 1 && !view->options.mixes_builds)
        return error_set(
            err, EINVAL,
            "%.300s holds runs of different builds or programs, and their answers do not mix. `coz report` lists them; --mix takes them together.",
            view->path);
    return 0;
}

int view_open(struct view **out, const char *path, const struct view_options *options, struct coz_error *err)
{
    struct view *view = view_new(path, options);
    *out = NULL;
    if (!view)
        return error_set(err, ENOMEM, "%s: out of memory", path);
    int code = start(view, err);
    if (strcmp(path, "-") != 0)
        view->ledger = verified_path(path);
    look_at_ledger(view);
    if (code == -ENOENT && options->awaits) {
        *out = view;
        return 0;
    }
    if (code >= 0)
        code = judge(view, 0, err);
    if (code >= 0)
        code = check(view, err);
    if (code < 0)
        view_close(view);
    else
        *out = view;
    return code;
}

int view_open_bytes(struct view **out, const char *name, const char *bytes, size_t size,
                    const struct view_options *options, struct coz_error *err)
{
    struct view *view = view_new(name, options);
    *out = NULL;
    if (!view)
        return error_set(err, ENOMEM, "%s: out of memory", name);
    struct profile_visitor visitor = visitor_of(view);
    int code = profile_read_bytes(view->name, bytes, size, &visitor, err);
    if (code == 0)
        code = finish(view, err);
    if (code == 0 && view->intake.records == 0)
        code = error_set(err, EINVAL, "%.300s is no profile: there is nothing in it that could be used.",
                         view->name);
    if (code == 0)
        code = check(view, err);
    if (code < 0)
        view_close(view);
    else
        *out = view;
    return code;
}

/* Something came: after a run that was taken to be over, all of it is read again. */
static int take_news(struct view *view, uint64_t now)
{
    view->grown_ns = now;
    if (!view->is_finished)
        return 0;
    int code = start(view, NULL);
    view->grown_ns = now;
    return code;
}

bool view_look(struct view *view, uint64_t now)
{
    uint64_t records = view->intake.records;
    bool was_live = view->is_live, was_finished = view->is_finished;
    if (!view->follower && !view->options.awaits)
        return false;
    int code = view->follower ? profile_follow_on(view->follower, NULL) : start(view, NULL);
    bool is_other = code == -ESTALE;
    if (is_other)
        view->options.awaits = (code = start(view, NULL)) == -ENOENT;
    else if (code == 1)
        code = take_news(view, now);
    if (view->follower && code >= 0)
        judge(view, now, NULL);
    bool is_verified = look_at_ledger(view);
    bool is_new =
        is_other || is_verified || view->intake.records != records || view->is_finished != was_finished;
    view->state += is_new;
    return is_new || view->is_live != was_live;
}

uint64_t view_state(const struct view *view)
{
    return view->state;
}

bool view_is_live(const struct view *view)
{
    return view->is_live;
}

const char *view_name(const struct view *view)
{
    return view->name;
}

struct analysis *view_analysis(struct view *view)
{
    return view->intake.analysis;
}

static struct report_options report_options_of(const struct view *view)
{
    struct report_options options = {.ledgers = &view->ledger, .ledger_count = view->ledger ? 1 : 0};
    intake_lend(&view->intake, &options);
    return options;
}

static struct page_options page_options_of(const struct view *view)
{
    return (struct page_options){
        .title = "coz", .without_source = view->options.without_source, .served = view->state};
}

int view_put_page(struct view *view, FILE *out, struct coz_error *err)
{
    struct report_options report = report_options_of(view);
    struct page_options page = page_options_of(view);
    return report_html(out, view->intake.analysis, &report, &page, err);
}

int view_put_data(struct view *view, FILE *out, struct coz_error *err)
{
    struct report_options report = report_options_of(view);
    struct page_options page = page_options_of(view);
    return report_html_data(out, view->intake.analysis, &report, &page, err);
}

int view_put_comparison(const struct view *before, const struct view *after, FILE *out, struct coz_error *err)
{
    struct comparison comparison;
    struct report_options options = {.all = true};
    const struct compare_report report = {&before->side, &after->side, {before->name, after->name},
                                          &comparison,   NULL,         0};
    int code = comparison_make(&comparison, &before->side, &after->side);
    code = code ? error_set(err, ENOMEM, "There is not enough memory to compare them.")
                : report_html_compared(out, &report, &options, err);
    comparison_release(&comparison);
    return code;
}

int view_ask(struct view *view, const char *target, struct explain_question *question, struct coz_error *err)
{
    const struct explain_options options = {
        .wanted = target, .without_source = view->options.without_source, .story = view->intake.story};
    return explain_question_make(question, view->intake.analysis, &options, err);
}
