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

static bool is_controlled(const struct book *book, size_t percent)
{
    return book->is_simple && book->percents[percent] < 0;
}

/* Writes the run of the next percentage that has one, from *at on. Returns 1, 0 when there is none, or an error. */
static int write_next(struct regions_profile *profile, const struct book *book, size_t region, size_t *at,
                      uint64_t place, struct coz_error *err)
{
    const struct book_region *row = &book->regions[region];
    for (; *at < book->percent_count; ++*at) {
        if (is_controlled(book, *at) || row->times[*at].count == 0)
            continue;
        double speedup = -book->percents[*at] / 100;
        int code = write_window(profile, row->name, speedup, last_of(&row->times[*at]), place, err);
        ++*at;
        return code < 0 ? code : 1;
    }
    return 0;
}

/* The runs were in shuffled order, so that any baseline may stand for any other. Each percentage is given one beside it,
 * as far as there are enough. */
static int write_main_block(struct regions_profile *profile, const struct book *book, size_t region,
                            struct coz_error *err)
{
    const char *name = book->regions[region].name;
    size_t at = 0, left = book->baselines.count - profile->baselines;
    uint64_t place = 1;
    int code = 1;
    profile->block++;
    for (size_t i = profile->baselines; i < book->baselines.count && code >= 0; i++, left--) {
        if (at < book->percent_count)
            code = write_next(profile, book, region, &at, place++, err);
        if (code >= 0)
            code = write_window(profile, name, 0, book->baselines.values[i], place++, err);
        if (code >= 0 && book->percent_count - at > left - 1)
            code = write_next(profile, book, region, &at, place++, err);
    }
    while (code >= 0 && at < book->percent_count)
        code = write_next(profile, book, region, &at, place++, err);
    return code < 0 ? code : 0;
}

static int write_controlled(struct regions_profile *profile, const struct book *book, size_t region,
                            size_t percent, struct coz_error *err)
{
    const struct book_region *row = &book->regions[region];
    profile->block++;
    int code = write_window(profile, row->name, 0, last_of(&book->controls[percent]), 1, err);
    if (code == 0)
        code = write_window(profile, row->name, -book->percents[percent] / 100, last_of(&row->times[percent]),
                            2, err);
    return code;
}

int regions_profile_iteration(struct regions_profile *profile, const struct book *book, struct coz_error *err)
{
    int code = 0;
    for (size_t i = 0; i < book->region_count && code == 0; i++) {
        code = write_main_block(profile, book, i, err);
        for (size_t k = 0; k < book->percent_count && code == 0; k++)
            if (is_controlled(book, k) && book->regions[i].times[k].count > 0)
                code = write_controlled(profile, book, i, k, err);
    }
    profile->baselines = book->baselines.count;
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
