#include "cli/regions/cmd_regions.h"

#include "cli/regions/options.h"
#include "cli/regions/profile.h"
#include "cli/regions/whole_run.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_MEASURED = 0, EXIT_NOT_MEASURED = 1 };

static volatile sig_atomic_t stopped;

static void on_stop(int number)
{
    (void)number;
    stopped = 1;
}

/* Ctrl-C ends the program's run as well, for it is of the same terminal. A signal to us alone ends after it. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int keep_iteration(void *context, const struct book *book)
{
    struct coz_error error;
    int code = regions_profile_iteration(context, book, &error);
    if (code < 0)
        fprintf(stderr, "coz regions: %s\n", error.text);
    return code;
}

static int measure(struct regions_command *command, struct whole_run *run, struct book *book)
{
    struct coz_error error;
    struct regions_profile profile = {0};
    struct campaign_runner runner = {whole_run_make, run};
    if (command->profile) {
        if (regions_profile_begin(&profile, command->profile, run->program, &error) < 0) {
            fprintf(stderr, "coz regions: %s\n", error.text);
            profile_writer_close(profile.writer);
            return EXIT_NOT_MEASURED;
        }
        command->campaign.done = keep_iteration;
        command->campaign.context = &profile;
    }
    catch_signals();
    command->campaign.stop = &stopped;
    campaign_run(&command->campaign, &runner, book);
    if (stopped)
        fprintf(stderr, "coz regions: interrupted after %u complete iterations\n", book->iterations);
    if (command->profile && regions_profile_end(&profile, book, &error) < 0)
        fprintf(stderr, "coz regions: %s\n", error.text);
    else if (command->profile && book->iterations > 0 && !command->campaign.is_quiet)
        fprintf(stderr, "\nThe same with intervals, ranked: coz report %s\n", command->profile);
    return book->iterations > 0 ? EXIT_MEASURED : EXIT_NOT_MEASURED;
}

int cmd_regions(int argc, char **argv)
{
    struct regions_command command;
    struct whole_run run;
    struct coz_error error;
    struct book book;
    int status = regions_options_parse(&command, argc, argv);
    if (status >= 0)
        return status;
    status = EXIT_NOT_MEASURED;
    if (whole_run_init(&run, command.program, command.keeps_output, &error) < 0)
        fprintf(stderr, "coz regions: %s\n", error.text);
    else if (book_init(&book, command.is_simple, command.percents, command.percent_count) < 0)
        fputs("coz regions: out of memory\n", stderr);
    else {
        status = measure(&command, &run, &book);
        book_release(&book);
    }
    whole_run_release(&run);
    return status;
}
