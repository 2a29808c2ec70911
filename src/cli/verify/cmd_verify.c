/* coz verify: what really came of a change, beside what was promised. */
#include "cli/verify/cmd_verify.h"

#include "base/signals.h"
#include "cli/run/status_area.h"
#include "cli/verify/options.h"
#include "cli/verify/words.h"
#include "experiment/session/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_GAINED = 0, EXIT_NOT_GAINED = 1, EXIT_NOT_MEASURED = 3 };

static volatile sig_atomic_t interrupts;

static void on_signal(int number)
{
    (void)number;
    interrupts = interrupts + 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    signals_catch((const int[]){SIGINT, SIGTERM, SIGHUP}, 3, &action);
}

struct display {
    struct status_area area;
    unsigned rounds;
};

static void on_progress(void *context, unsigned round, bool is_after, bool is_sampled)
{
    struct display *display = context;
    char line[100];
    const char *lines[] = {line};
    int columns;
    snprintf(line, sizeof line, "coz: round %u of %u, %s, %s", round, display->rounds,
             is_after ? "after" : "before", is_sampled ? "sampled" : "natively");
    if (isatty(display->area.terminal) && status_area_is_usable(&display->area, &columns))
        status_area_draw(&display->area, lines, 1);
}

/* Programs inherit standard output, on which nothing is to stand but what came of it. Returns what it was. */
static int hide_output(void)
{
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept >= 0 && nothing >= 0)
        dup2(nothing, STDOUT_FILENO);
    if (nothing >= 0)
        close(nothing);
    return kept;
}

static void show_output(int kept)
{
    if (kept < 0)
        return;
    dup2(kept, STDOUT_FILENO);
    close(kept);
}

static void keep(const struct verify_command *command, struct verify *verify)
{
    struct coz_error error;
    verify->verified.before = command->before;
    verify->verified.after = command->after;
    const char *profile = command->options.profile ? command->options.profile : "profile.jsonl";
    char *path = command->ledger ? NULL : verified_path(profile);
    const char *ledger = command->ledger ? command->ledger : path;
    if (ledger && verified_append(ledger, &verify->verified, &error) < 0)
        fprintf(stderr, "coz verify: %s\n", error.text);
    else if (ledger)
        fprintf(stderr, "coz: this is kept in %s, and `coz report` tells it\n", ledger);
    free(path);
}

static int conclude(const struct verify_command *command, struct verify *verify)
{
    struct report_options options;
    report_options_init(&options, stdout);
    words_on_verify(stdout, verify, &options);
    if (command->keeps)
        keep(command, verify);
    switch (verified_outcome(&verify->verified)) {
    case VERIFIED_GAINED:
    case VERIFIED_KEPT:
    case VERIFIED_MORE:
        return EXIT_GAINED;
    case VERIFIED_NOTHING:
    case VERIFIED_LOST:
    case VERIFIED_LESS:
        break;
    }
    return EXIT_NOT_GAINED;
}

int cmd_verify(int argc, char **argv)
{
    struct verify_command command;
    struct verify verify;
    struct coz_error error = {""};
    launch_remember_signals();
    int status = verify_options_parse(&command, argc, argv);
    if (status < 0) {
        struct display display = {.area = {.terminal = STDERR_FILENO}, .rounds = command.options.rounds};
        command.options.interrupts = &interrupts;
        command.options.progress = on_progress;
        command.options.context = &display;
        catch_signals();
        int kept = hide_output();
        int rc = verify_run(&verify, &command.options, &error);
        show_output(kept);
        status_area_close(&display.area);
        status = rc == 0 ? conclude(&command, &verify) : EXIT_NOT_MEASURED;
        if (rc)
            fprintf(stderr, "coz verify: %s\n", error.text);
        verify_release(&verify);
    }
    verify_options_release(&command);
    return status;
}
