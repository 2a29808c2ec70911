/* What both commands that ask a language model are told, and how they ask for leave first. */
#pragma once

#include "advice/advice.h"

#include <getopt.h>
#include <stdbool.h>

struct asking {
    const char *command; /* for what is said: "coz explain" */
    struct advice_options options;
    bool is_allowed; /* --yes */
};

enum { ASKING_PROVIDER = 512, ASKING_MODEL, ASKING_TIMEOUT, ASKING_DRY_RUN };

#define ASKING_LONG_OPTIONS                                                                                  \
    {"provider", required_argument, NULL, ASKING_PROVIDER},                                                  \
        {"model", required_argument, NULL, ASKING_MODEL},                                                    \
        {"timeout", required_argument, NULL, ASKING_TIMEOUT},                                                \
        {"dry-run", no_argument, NULL, ASKING_DRY_RUN},                                                      \
    {                                                                                                        \
        "yes", no_argument, NULL, 'y'                                                                        \
    }

#define ASKING_USAGE                                                                                             \
    "      --provider NAME  anthropic, openai (and what is compatible), bedrock or ollama (default: the first\n" \
    "                       of these that the environment has a key or an address for)\n"                        \
    "      --model NAME     which of its models (default: claude-sonnet-4-5, gpt-4.1; the others need it)\n"     \
    "      --timeout S      give up after so many seconds of silence (default: 120)\n"                           \
    "      --dry-run        print what would be sent, and send nothing\n"                                        \
    "  -y, --yes            do not ask before it is sent\n"

#define ASKING_ENVIRONMENT                                                                                    \
    "  COZ_PROVIDER, COZ_MODEL\n"                                                                             \
    "                       what --provider and --model say when they are not given\n"                        \
    "  ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL; OPENAI_API_KEY, OPENAI_BASE_URL; AWS_ACCESS_KEY_ID,\n"          \
    "  AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_BEDROCK_RUNTIME; OLLAMA_HOST\n" \
    "                       the keys, which are taken from nowhere else, and addresses\n"

/* A whole number from 1 to most, and nothing else. */
bool asking_whole(const char *text, size_t most, size_t *number);

/* Takes one of those options. False: the argument is wrong, and it was said. */
bool asking_option(struct asking *asking, int option, const char *argument);

/* Asks that on the terminal; whatever does not begin with a y is no. */
bool asking_yes(const char *question);

/* Puts the question together, tells in one line what would go where, asks for leave unless it is given, and hands on the
 * answer. what: what is sent, in words. 0: answered; 1: it was only shown; -ECANCELED: there is no leave. What is wrong
 * was printed. */
int asking_ask(const struct asking *asking, const char *system, const char *question, const char *what,
               const struct advice_sink *sink);
