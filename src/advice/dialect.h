/* What each provider's interface wants to be asked, and how it answers. Pure. */
#pragma once

#include "advice/framing.h"
#include "advice/provider.h"

#include <jansson.h>
#include <stdbool.h>

enum framing_kind dialect_framing(enum provider_kind kind);

/* The request's body, to be freed. NULL when memory is out, or a text is no UTF-8. */
char *dialect_body(const struct provider *provider, const char *system, const char *question);

/* What one message of an answer says. */
struct dialect_word {
    char *text; /* of the answer; owned; NULL: none */
    bool is_end;
    bool is_short;   /* the model was not let say all */
    char *complaint; /* it has failed, in its own words; owned */
};

/* 0, -EBADMSG: it is none of that interface, -ENOMEM. To be released in any case. */
int dialect_read(enum provider_kind kind, const struct frame *frame, struct dialect_word *word);
void dialect_word_release(struct dialect_word *word);

/* The complaint in the body of a refusal, to be freed; NULL: there is none. */
char *dialect_complaint(const char *body, size_t size);
