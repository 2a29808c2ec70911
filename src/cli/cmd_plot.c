/* coz plot, coz view: the page of a profile from a server inside this command. */
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/plot/browser.h"
#include "cli/plot/plot_options.h"

#include <errno.h>
#include <getopt.h> /* optind */
#include <stdio.h>
#include <stdlib.h>

static volatile sig_atomic_t interrupts;

static void on_signal(int number)
{
    (void)number;
    interrupts = interrupts + 1;
}

/* The browser's starter is nobody to be waited for. */
static void prepare_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    signals_catch((const int[]){SIGINT, SIGTERM, SIGHUP}, 3, &action);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
}

static void on_ready(void *context, const char *address, unsigned port)
{
    const struct plot_command *command = context;
    char tunnel[320];
    browser_tunnel(port, tunnel, sizeof tunnel);
    printf("%s\n", address);
    fflush(stdout);
    if (command->opens_browser && browser_open(address))
        fputs("coz plot: The page opens in your browser. Ctrl-C ends it.\n", stderr);
    else
        fprintf(stderr,
                "coz plot: Open that address in a browser here. From another machine, run this there first:\n"
                "    %s\n"
                "Ctrl-C ends it.\n",
                tunnel);
}

static int show(struct plot_command *command)
{
    struct coz_error err = {""};
    command->serve.interrupts = &interrupts;
    command->serve.ready = on_ready;
    command->serve.context = command;
    prepare_signals();
    int code = serve(&command->serve, &err);
    if (code == 0)
        return 0;
    fprintf(stderr, "coz plot: %s\n", err.text);
    if (code == -ENOENT)
        fputs(
            "Make a profile with `coz run --- PROGRAM ARGUMENTS`, name one that exists, or wait for it with --live.\n",
            stderr);
    if (code == -EISDIR)
        fputs("Name the profile in it, as `coz run --output` was told it.\n", stderr);
    return 1;
}

/* The same profiles by `coz report`. */
static int print_text(const struct plot_command *command)
{
    const struct serve_options *serve = &command->serve;
    static char name[] = "report", mix[] = "--mix", no_source[] = "--no-source", end[] = "--";
    char **words = calloc(serve->profile_count + 5, sizeof *words);
    int count = 0;
    if (!words)
        return 1;
    words[count++] = name;
    if (serve->view.mixes_builds)
        words[count++] = mix;
    if (serve->view.without_source)
        words[count++] = no_source;
    words[count++] = end;
    for (size_t i = 0; i < serve->profile_count; i++)
        words[count++] = serve->profiles[i];
    optind = 0; /* getopt begins anew */
    int status = cmd_report(count, words);
    free(words);
    return status;
}

int cmd_plot(int argc, char **argv)
{
    struct plot_command command;
    int status = plot_options_parse(&command, argc, argv);
    if (status < 0)
        status = command.is_text ? print_text(&command) : show(&command);
    plot_options_release(&command);
    return status;
}
