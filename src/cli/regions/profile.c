#include "cli/regions/profile.h"

#include "base/clock.h"
#include "base/machine.h"
#include "debuginfo/build.h"
#include "experiment/targets/history.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#define POINT "run"       /* a whole run is the visit of a progress point */
#define SAMPLE_NS 1000000 /* that the profile's counts of samples stand for */

int regions_profile_begin(struct regions_profile *profile, const char *path, const char *program,
                          struct coz_error *err)
{
    char build[BUILD_TEXT];
    *profile = (struct regions_profile){.began_ns = clock_wall_ns()};
    int code = build_identify(program, build, err);
    if (code == 0 && access(path, F_OK) == 0)
        code = history_check_build(path, program, build, err);
    if (code == 0)
        code = profile_writer_open(&profile->writer, path, PROFILE_JSON_LINES, NULL, err);
    if (code < 0)
        return code;
    struct machine machine = machine_describe();
    struct profile_record record = {.type = PROFILE_STARTUP};
    record.startup.time_ns = clock_read_ns(CLOCK_REALTIME);
    record.startup.program = program;
    record.startup.build_id = build;
    record.startup.granularity = "region";
    record.startup.cores = machine.cores;
    record.startup.allowed = machine.allowed;
    record.startup.model = machine.model[0] ? machine.model : NULL;
    record.startup.load = machine.load;
    profile->cores = (unsigned)machine.allowed;
    return profile_write(profile->writer, &record, err);
}

static int write_window(struct regions_profile *profile, const char *name, double speedup, double time_ns,
                        uint64_t place, struct coz_error *err)
{
    struct profile_record record = {.type = PROFILE_EXPERIMENT};
    record.experiment.selected = name;
    record.experiment.kind = "region";
    record.experiment.speedup = speedup;
    record.experiment.duration_ns = (uint64_t)time_ns;
    record.experiment.has_block = true;
    record.experiment.block = profile->block;
    record.experiment.window = place;
    int code = profile_write(profile->writer, &record, err);
    if (code < 0)
        return code;
    record = (struct profile_record){.type = PROFILE_THROUGHPUT};
    record.throughput.name = POINT;
    record.throughput.delta = 1;
    record.throughput.elapsed_ns = (uint64_t)time_ns;
    return profile_write(profile->writer, &record, err);
}

static double last_of(const struct series *series)
{
    return series->values[series->count - 1];
}

/* The next percentage from *at on that is compared with this series, and has a run. */
static bool find_next(const struct book *book, size_t region, const struct series *beside, size_t *at)
{
    while (*at < book->percent_count &&
           (book_beside(book, *at) != beside || book->regions[region].times[*at].count == 0))
        ++*at;
    return *at < book->percent_count;
}

/* The runs of all percentages that are compared with this series, and its own of the last iteration. They were in shuffled
 * order, so that any may stand for any other: they take turns. */
static int write_block(struct regions_profile *profile, const struct book *book, size_t region,
                       const struct series *beside, struct coz_error *err)
{
    const struct book_region *row = &book->regions[region];
    size_t at = 0, left = beside->count / book->iterations;
    uint64_t place = 1;
    int code = 0;
    profile->block++;
    while (code == 0 && (find_next(book, region, beside, &at) || left > 0)) {
        if (at < book->percent_count) {
            code = write_window(profile, row->name, -book->percents[at] / 100, last_of(&row->times[at]),
                                place++, err);
            at++;
        }
        if (left > 0 && code == 0)
            code = write_window(profile, row->name, 0, beside->values[beside->count - left--], place++, err);
    }
    return code;
}

/* It is the first percentage that is compared with its series. */
static bool begins_block(const struct book *book, size_t percent)
{
    for (size_t i = 0; i < percent; i++)
        if (book_beside(book, i) == book_beside(book, percent))
            return false;
    return true;
}

int regions_profile_iteration(struct regions_profile *profile, const struct book *book, struct coz_error *err)
{
    int code = 0;
    for (size_t i = 0; i < book->region_count && code == 0; i++)
        for (size_t k = 0; k < book->percent_count && code == 0; k++)
            if (begins_block(book, k))
                code = write_block(profile, book, i, book_beside(book, k), err);
    return code;
}

int regions_profile_end(struct regions_profile *profile, const struct book *book, struct coz_error *err)
{
    struct profile_record record;
    double runs = (double)book->baselines.count;
    double all_ns = runs * book_figure(&book->baselines).value * profile->cores;
    int code = 0;
    for (size_t i = 0; i < book->region_count && code == 0 && runs > 0; i++) {
        double time_ns = book_figure(&book->regions[i].shares).value * all_ns;
        record = (struct profile_record){.type = PROFILE_SAMPLES};
        record.samples.location = book->regions[i].name;
        record.samples.kind = "region";
        record.samples.cpu_ns = (uint64_t)time_ns;
        record.samples.count = (uint64_t)(time_ns / SAMPLE_NS);
        code = profile_write(profile->writer, &record, err);
    }
    record = (struct profile_record){.type = PROFILE_RUNTIME};
    record.runtime.time_ns = clock_wall_ns() - profile->began_ns;
    record.runtime.samples = runs > 0 ? (uint64_t)(all_ns / SAMPLE_NS) : 0;
    if (code == 0)
        code = profile_write(profile->writer, &record, err);
    profile_writer_close(profile->writer);
    return code;
}
