#include "cli/advice/asking.h"

#include "cli/options/option_value.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TIMEOUT_MOST_S = 3600 };

bool asking_whole(const char *text, size_t most, size_t *number)
{
    uint64_t whole;
    if (!option_whole(text, &whole) || whole == 0 || whole > most)
        return false;
    *number = (size_t)whole;
    return true;
}

bool asking_option(struct asking *asking, int option, const char *argument)
{
    size_t number;
    switch (option) {
    case ASKING_PROVIDER:
        asking->options.provider = argument;
        return true;
    case ASKING_MODEL:
        asking->options.model = argument;
        return true;
    case ASKING_TIMEOUT:
        if (!asking_whole(argument, TIMEOUT_MOST_S, &number)) {
            fprintf(stderr, "%s: --timeout wants a number of seconds from 1 to %d, not `%s`.\n",
                    asking->command, TIMEOUT_MOST_S, argument);
            return false;
        }
        asking->options.silence_s = (unsigned)number;
        return true;
    case ASKING_DRY_RUN:
        asking->options.only_shown = true;
        return true;
    default:
        asking->is_allowed = true;
        return true;
    }
}

bool asking_yes(const char *question)
{
    char answer[16];
    fprintf(stderr, "%s [y/N] ", question);
    fflush(stderr);
    return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

/* Whoever is not asked at a terminal has to have said it before. */
static bool get_leave(const struct asking *asking)
{
    if (asking->is_allowed)
        return true;
    if (!isatty(STDIN_FILENO)) {
        fputs(
            "Nothing was sent: there is no terminal to ask at. --yes says yes, --dry-run shows what it is.\n",
            stderr);
        return false;
    }
    bool yes = asking_yes("Send it?");
    if (!yes)
        fputs("Nothing was sent.\n", stderr);
    return yes;
}

int asking_ask(const struct asking *asking, const char *system, const char *question, const char *what,
               const struct advice_sink *sink)
{
    struct coz_error err;
    struct advice *advice;
    int code = advice_new(&advice, &asking->options, system, question, &err);
    char *notice = code == 0 ? advice_notice(advice, what) : NULL;
    if (code == 0 && !notice)
        code = error_set(&err, ENOMEM, "out of memory");
    if (code < 0) {
        fprintf(stderr, "%s: %s\n", asking->command, err.text);
    } else if (asking->options.only_shown) {
        advice_show(advice, stdout);
        fprintf(stderr, "%s (Not now: --dry-run sends nothing.)\n", notice);
        code = 1;
    } else {
        fprintf(stderr, "%s\n", notice);
        code = get_leave(asking) ? advice_send(advice, sink, &err) : -ECANCELED;
        if (code < 0 && code != -ECANCELED)
            fprintf(stderr, "%s: %s\n", asking->command, err.text);
    }
    free(notice);
    advice_free(advice);
    return code;
}
