#include "regions/told.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 1 << 20 };

static const char *const kinds[] = {
    [TRIAL_BASELINE] = "baseline", [TRIAL_CONTROL] = "control", [TRIAL_REGION] = "region"};

char *told_trial(enum trial_kind kind, bool is_simple, double share, const char *name)
{
    size_t size = (name ? strlen(name) : 0) + 64;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s %s %.9g %s", is_simple ? "simple" : "full", kinds[kind], share,
                 name ? name : "");
    return text;
}

void told_write(FILE *out, const struct answer *answer)
{
    fprintf(out, "answer %ld %.0f %zu\n", answer->pid, answer->time_ns, answer->count);
    for (size_t i = 0; i < answer->count; i++) {
        const struct finding *finding = &answer->findings[i];
        fprintf(out, "region %" PRIu64 " %.0f %" PRIu64 " %" PRIu64 " %zu %s\n", finding->count,
                finding->time_ns, finding->left_open, finding->never_begun, strlen(finding->name),
                finding->name);
    }
}

static int read_finding(FILE *in, struct finding *finding)
{
    size_t length;
    if (fscanf(in, " region %" SCNu64 " %lf %" SCNu64 " %" SCNu64 " %zu", &finding->count, &finding->time_ns,
               &finding->left_open, &finding->never_begun, &length) != 5 ||
        length > NAME_MOST || getc(in) != ' ')
        return -EINVAL;
    char *name = calloc(1, length + 1);
    finding->name = name;
    if (!name)
        return -ENOMEM;
    return fread(name, 1, length, in) == length ? 0 : -EINVAL;
}

int told_read(FILE *in, struct answer *answer)
{
    size_t count;
    *answer = (struct answer){0, 0, NULL, 0};
    int got = fscanf(in, " answer %ld %lf %zu", &answer->pid, &answer->time_ns, &count);
    if (got == EOF)
        return 0;
    if (got != 3 || count > REGION_LIMIT)
        return -EINVAL;
    answer->findings = calloc(count + 1, sizeof *answer->findings);
    int code = answer->findings ? 0 : -ENOMEM;
    while (answer->count < count && code == 0)
        code = read_finding(in, &answer->findings[answer->count++]);
    if (code < 0)
        told_release(answer);
    return code < 0 ? code : 1;
}

void told_release(struct answer *answer)
{
    for (size_t i = 0; i < answer->count; i++)
        free((char *)answer->findings[i].name);
    free(answer->findings);
    *answer = (struct answer){0, 0, NULL, 0};
}
