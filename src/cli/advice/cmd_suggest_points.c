/* coz suggest-points: where a language model would put progress points, as a diff that compiles. */
#include "advice/points/answer.h"
#include "advice/points/apply.h"
#include "advice/points/compile.h"
#include "cli/advice/commands.h"
#include "cli/advice/suggest_options.h"
#include "report/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_PROPOSED = 0, EXIT_NOT_PROPOSED = 1, COMPLAINT = 300 };

/* The answer, as it comes; a dot for each piece shows that it does. */
struct collected {
    FILE *out;
    bool shows, is_shown;
};

static int collect(void *context, const char *text, size_t size)
{
    struct collected *collected = context;
    if (collected->shows) {
        putc('.', stderr);
        collected->is_shown = true;
    }
    return fwrite(text, 1, size, collected->out) == size ? 0 : -ENOMEM;
}

static void say_remark(void *context, const char *words)
{
    (void)context;
    fprintf(stderr, "%s\n", words);
}

static const struct points_remarks remarks = {.say = say_remark};

static void refuse_memory(void)
{
    fputs("coz suggest-points: out of memory\n", stderr);
}

/* ---- does it compile? ---- */

static enum compile_outcome try_source(const struct compile_way *way, const struct point_source *source,
                                       const struct insertions *all, char *words)
{
    char *text = edit_text(source, all);
    enum compile_outcome outcome =
        text ? compile_try(way, source->path, text, words, COMPLAINT) : COMPILE_UNKNOWN;
    free(text);
    return outcome;
}

static bool is_point_of(const struct insertion *one, const struct point_source *source)
{
    return one->source == source && one->kind != POINT_INCLUDE && !one->is_dropped;
}

static void refuse_point(const struct insertion *one, const char *words)
{
    char *clean = clean_text(words, true);
    fprintf(stderr, "Dropped the point `%s` in %s: it does not compile there (%s).\n", one->name,
            one->source->path, clean ? clean : "?");
    free(clean);
}

/* Takes the points back, and puts in one after the other those with which it compiles. */
static void keep_compiling(const struct compile_way *way, const struct point_source *source,
                           struct insertions *all)
{
    char words[COMPLAINT];
    bool *is_point = calloc(all->count, sizeof *is_point);
    for (size_t i = 0; is_point && i < all->count; i++) {
        is_point[i] = is_point_of(&all->items[i], source);
        all->items[i].is_dropped |= is_point[i];
    }
    for (size_t i = 0; is_point && i < all->count; i++) {
        struct insertion *one = &all->items[i];
        if (!is_point[i])
            continue;
        one->is_dropped = false;
        if (try_source(way, source, all, words) != COMPILE_FAILS)
            continue;
        one->is_dropped = true;
        refuse_point(one, words);
    }
    free(is_point);
}

static void check_source(const struct point_source *source, struct insertions *all)
{
    struct compile_way way;
    char words[COMPLAINT];
    if (compile_way_find(&way, source->path) < 0) {
        compile_way_release(&way);
        refuse_memory();
        return;
    }
    const char *by = way.is_listed ? "with the flags in compile_commands.json" : "with no flags of its own";
    enum compile_outcome before = compile_try(&way, source->path, source->text, words, COMPLAINT);
    if (before == COMPILE_WORKS) {
        if (try_source(&way, source, all, words) == COMPILE_FAILS)
            keep_compiling(&way, source, all);
        if (insertions_count(all, source) > 0)
            fprintf(stderr, "%s compiles with them (%s).\n", source->path, by);
    } else {
        char *clean = clean_text(words, true);
        fprintf(stderr, "It could not be checked that %s compiles with them: %s%s%s%s.\n", source->path,
                before == COMPILE_FAILS ? "it does not as it is, " : "there is no compiler",
                before == COMPILE_FAILS ? by : "", *words ? ": " : "", clean ? clean : "");
        free(clean);
    }
    compile_way_release(&way);
}

/* ---- what is shown and done ---- */

static void show_points(const struct insertions *all, const struct point_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        edit_diff(stdout, &sources->items[i], all, isatty(STDOUT_FILENO));
    fflush(stdout);
    for (size_t i = 0; i < all->count; i++)
        if (!all->items[i].is_dropped && all->items[i].why)
            fprintf(stderr, "%s:%zu `%s`: %s\n", all->items[i].source->path, all->items[i].before,
                    all->items[i].name, all->items[i].why);
}

static bool may_apply(const struct suggest_command *command)
{
    if (command->applies)
        return true;
    if (!isatty(STDIN_FILENO)) {
        fputs("Nothing was changed: --apply does, or patch -p0 with this diff.\n", stderr);
        return false;
    }
    bool yes = asking_yes("Change the files so?");
    if (!yes)
        fputs("Nothing was changed.\n", stderr);
    return yes;
}

static int apply_points(const struct insertions *all, const struct point_sources *sources)
{
    int status = EXIT_PROPOSED;
    for (size_t i = 0; i < sources->count; i++) {
        struct coz_error err = {"out of memory"};
        const struct point_source *source = &sources->items[i];
        if (insertions_count(all, source) == 0)
            continue;
        char *text = edit_text(source, all);
        if (!text || source_replace(source, text, &err) < 0) {
            fprintf(stderr, "coz suggest-points: %s\n", err.text);
            status = EXIT_NOT_PROPOSED;
        } else {
            fprintf(stderr, "%s is changed.\n", source->path);
        }
        free(text);
    }
    return status;
}

static int use_answer(const struct suggest_command *command, const struct point_sources *sources,
                      const char *answer)
{
    struct coz_error err;
    struct insertions all;
    int status = EXIT_NOT_PROPOSED;
    int code = points_answer_read(&all, answer, sources, &command->request, &remarks, &err);
    if (code < 0)
        fprintf(stderr, "coz suggest-points: %s\n", err.text);
    for (size_t i = 0; i < sources->count && code == 0; i++)
        if (insertions_count(&all, &sources->items[i]) > 0)
            check_source(&sources->items[i], &all);
    size_t left = 0;
    if (code == 0)
        points_drop_halves(&all, &remarks);
    for (size_t i = 0; i < all.count && code == 0; i++)
        left += !all.items[i].is_dropped;
    if (left > 0) {
        show_points(&all, sources);
        status = may_apply(command) ? apply_points(&all, sources) : EXIT_PROPOSED;
    } else if (code == 0) {
        fputs("No point is proposed. --hint tells what a unit of work is; other sources may hold it.\n",
              stderr);
    }
    insertions_release(&all);
    return status;
}

static int ask(const struct suggest_command *command, const struct point_sources *sources,
               const char *question, const char *what)
{
    char *answer = NULL;
    size_t size;
    struct collected collected = {.out = open_memstream(&answer, &size), .shows = isatty(STDERR_FILENO)};
    const struct advice_sink sink = {.put = collect, .context = &collected};
    if (!collected.out) {
        refuse_memory();
        return EXIT_NOT_PROPOSED;
    }
    int code = asking_ask(&command->asking, points_system, question, what, &sink);
    bool failed = fclose(collected.out) != 0;
    if (collected.is_shown)
        putc('\n', stderr);
    int status = code == 1 ? EXIT_PROPOSED : EXIT_NOT_PROPOSED;
    if (code == 0 && failed)
        refuse_memory();
    else if (code == 0)
        status = use_answer(command, sources, answer);
    free(answer);
    return status;
}

static int suggest(const struct suggest_command *command)
{
    struct coz_error err;
    struct point_sources sources;
    int status = EXIT_NOT_PROPOSED;
    if (point_sources_read(&sources, &command->choice, &err) < 0) {
        fprintf(stderr, "coz suggest-points: %s\n", err.text);
    } else {
        char *question = points_question(&sources, &command->request), *what = points_what(&sources);
        if (question && what)
            status = ask(command, &sources, question, what);
        else
            refuse_memory();
        free(question);
        free(what);
    }
    point_sources_release(&sources);
    return status;
}

int cmd_suggest_points(int argc, char **argv)
{
    struct suggest_command command;
    int status = suggest_options_parse(&command, argc, argv);
    if (status < 0)
        status = suggest(&command);
    suggest_options_release(&command);
    return status;
}
