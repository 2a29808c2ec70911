#include "profile/verified.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 20 };

static bool is_known(const struct verified_effect *effect)
{
    return isfinite(effect->value) && isfinite(effect->low) && isfinite(effect->high);
}

enum verified_outcome verified_outcome(const struct verified *verified)
{
    const struct verified_effect *gain = &verified->gain, *promise = &verified->promise;
    if (is_known(gain) && gain->high < 0)
        return VERIFIED_LOST;
    if (!is_known(gain) || gain->low <= 0)
        return VERIFIED_NOTHING;
    if (!is_known(promise))
        return VERIFIED_GAINED;
    return gain->high < promise->low   ? VERIFIED_LESS
           : gain->low > promise->high ? VERIFIED_MORE
                                       : VERIFIED_KEPT;
}

const char *verified_outcome_name(enum verified_outcome outcome)
{
    static const char *const names[] = {"nothing", "lost", "gained", "kept", "less", "more"};
    return names[outcome];
}

char *verified_path(const char *profile)
{
    char *path = NULL;
    const char *slash = strrchr(profile, '/');
    if (asprintf(&path, "%.*s" VERIFIED_FILE, slash ? (int)(slash + 1 - profile) : 0, profile) < 0)
        return NULL;
    return path;
}

static json_t *number_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *effect_json(const struct verified_effect *effect)
{
    if (isnan(effect->value))
        return json_null();
    return json_pack("{s:o, s:o, s:o}", "effect", number_json(effect->value), "low", number_json(effect->low),
                     "high", number_json(effect->high));
}

/* Bytes that are no UTF-8 cannot be kept. */
static json_t *text_json(const char *text)
{
    json_t *value = text ? json_string(text) : json_null();
    return value ? value : json_string("?");
}

json_t *verified_json(const struct verified *verified)
{
    return json_pack(
        "{s:s, s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "type",
        "verified", "time", (json_int_t)verified->time_ns, "point", text_json(verified->point), "metric",
        verified->is_latency ? "latency" : "throughput", "kind", text_json(verified->kind), "location",
        text_json(verified->location), "after_location", text_json(verified->after_location), "before",
        text_json(verified->before), "after", text_json(verified->after), "before_build",
        text_json(verified->before_build), "after_build", text_json(verified->after_build), "profile",
        text_json(verified->profile), "rounds", (int)verified->rounds, "gain", effect_json(&verified->gain),
        "line", effect_json(&verified->line), "promise", effect_json(&verified->promise));
}

static int append_line(const char *path, const char *line, struct coz_error *err)
{
    char *whole;
    int length = asprintf(&whole, "%s\n", line);
    if (length < 0)
        return error_set(err, ENOMEM, "out of memory");
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    ssize_t written = fd < 0 ? -1 : write(fd, whole, (size_t)length);
    int reason = written < 0 ? errno : ENOSPC;
    if (fd >= 0 && close(fd) != 0 && written == length) {
        written = -1;
        reason = errno;
    }
    free(whole);
    return written == length ? 0 : error_set(err, reason, "%s cannot be written: %s", path, strerror(reason));
}

int verified_append(const char *path, const struct verified *verified, struct coz_error *err)
{
    json_t *object = verified_json(verified);
    char *line = object ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    int rc = line ? append_line(path, line, err) : error_set(err, ENOMEM, "out of memory");
    free(line);
    json_decref(object);
    return rc;
}

static struct verified_effect read_effect(const json_t *object, const char *name)
{
    static const char *const members[] = {"effect", "low", "high"};
    double values[3];
    const json_t *effect = json_object_get(object, name);
    for (size_t i = 0; i < 3; i++) {
        const json_t *value = json_object_get(effect, members[i]);
        values[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return (struct verified_effect){values[0], values[1], values[2]};
}

static const char *read_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

/* False: it is none. */
static bool read_verified(const json_t *object, struct verified *verified)
{
    const char *type = read_text(object, "type"), *metric = read_text(object, "metric");
    json_int_t time = json_integer_value(json_object_get(object, "time"));
    json_int_t rounds = json_integer_value(json_object_get(object, "rounds"));
    *verified = (struct verified){.time_ns = time > 0 ? (uint64_t)time : 0,
                                  .before = read_text(object, "before"),
                                  .after = read_text(object, "after"),
                                  .before_build = read_text(object, "before_build"),
                                  .after_build = read_text(object, "after_build"),
                                  .profile = read_text(object, "profile"),
                                  .point = read_text(object, "point"),
                                  .is_latency = metric && strcmp(metric, "latency") == 0,
                                  .kind = read_text(object, "kind"),
                                  .location = read_text(object, "location"),
                                  .after_location = read_text(object, "after_location"),
                                  .rounds = rounds > 0 && rounds < INT32_MAX ? (unsigned)rounds : 0,
                                  .gain = read_effect(object, "gain"),
                                  .line = read_effect(object, "line"),
                                  .promise = read_effect(object, "promise")};
    return type && strcmp(type, "verified") == 0 && verified->point && isfinite(verified->gain.value);
}

int verified_read(const char *path, int (*one)(void *context, const struct verified *verified), void *context)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    int rc = 0;
    for (ssize_t length; file && rc == 0 && (length = getline(&line, &room, file)) > 0;) {
        struct verified verified;
        json_t *object = length < LINE_MOST ? json_loadb(line, (size_t)length, 0, NULL) : NULL;
        if (object && read_verified(object, &verified))
            rc = one(context, &verified);
        json_decref(object);
    }
    free(line);
    if (file)
        fclose(file);
    return rc;
}
