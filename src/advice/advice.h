/* Asking a language model, opt-in: a question is put together first, so that it can be said what goes where before
 * anything does; then it is sent, and the answer comes in pieces. docs/design/advice.md tells the rules. For one
 * thread. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct advice_options {
    const char *provider, *model; /* NULL: what the environment says (provider.h) */
    unsigned silence_s;           /* so long without a byte, and it is given up; 0: ADVICE_SILENCE_S */
    bool only_shown;              /* nothing will be sent, so that no key is needed */
};

enum { ADVICE_SILENCE_S = 120, ADVICE_QUESTION_BYTES = 1 << 20, ADVICE_ANSWER_BYTES = 256 << 10 };

struct advice;

/* system: who is asked, and for what; both texts are UTF-8. 0; -ENOSYS: this coz cannot ask; -EINVAL: whom, or with
 * which key, is not told; -EMSGSIZE, -ENOMEM. err says what to do. */
int advice_new(struct advice **out, const struct advice_options *options, const char *system,
               const char *question, struct coz_error *err);
void advice_free(struct advice *advice);

/* One line: how many bytes go where; `what` says what is in them, "numbers of the profile", and names files. To be
 * freed; NULL when memory is out. */
char *advice_notice(const struct advice *advice, const char *what);

/* What would be sent, and where; without keys. */
void advice_show(const struct advice *advice, FILE *out);

struct advice_sink {
    /* A piece of the answer: clean (sieve.h), for terminals, too. Not 0 ends it. */
    int (*put)(void *context, const char *text, size_t size);
    /* Whether nobody wants the answer any more; asked about once a second. NULL: somebody does. */
    bool (*is_over)(void *context);
    void *context;
};

/* Sends it, and hands on the answer. 0 when it is whole; else a negative errno, and err says why: what came until then
 * was handed on. -ECANCELED: nobody wanted it; or what put() returned. */
int advice_send(const struct advice *advice, const struct advice_sink *sink, struct coz_error *err);
