#include "cli/run/suggest.h"

#include "experiment/points/calls.h"

#include <math.h>
#include <string.h>

/* "12,300" */
static void print_rate(char *text, size_t size, double rate)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, rate < 10 ? "%.1f" : "%.0f", rate);
    size_t used = 0;
    for (int i = 0; i < length && used + 2 < size; i++) {
        if (rate >= 10 && i && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
}

static const char *evenness(double spread)
{
    if (isnan(spread))
        return "";
    return spread < 0.25 ? ", even" : spread < 0.7 ? ", uneven" : ", in bursts";
}

size_t suggest_calls(FILE *out, const struct trial *trial)
{
    struct trial_call calls[TRIAL_MOST];
    size_t count = trial_rank(trial, calls);
    for (size_t i = 0; i < count; i++) {
        char rate[40];
        print_rate(rate, sizeof rate, calls[i].rate);
        fprintf(out, "       -p call:%-24s %8s a second%s\n", call_name(calls[i].call), rate,
                evenness(calls[i].spread));
    }
    return count;
}

/* As a shell takes it. */
static void put_word(FILE *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+@%-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    putc('\'', out);
}

void suggest_command(FILE *out, const struct trial *trial, char *const *argv)
{
    struct trial_call calls[TRIAL_MOST];
    if (trial_rank(trial, calls) == 0)
        return;
    fprintf(out, "       coz run -p call:%s", call_name(calls[0].call));
    bool is_ours = true; /* up to the program */
    while (*++argv) {
        is_ours = is_ours && strcmp(*argv, "---") != 0 && strcmp(*argv, "--") != 0;
        if (is_ours && strcmp(*argv, "--auto-point") == 0)
            continue; /* which is for a run without -p */
        putc(' ', out);
        put_word(out, *argv);
    }
    putc('\n', out);
}
