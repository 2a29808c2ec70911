/* Whom to ask, and how: chosen from what was said and from the environment. Keys come from there alone, and no word
 * that is made here holds one. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

enum provider_kind { PROVIDER_ANTHROPIC, PROVIDER_OPENAI, PROVIDER_BEDROCK, PROVIDER_OLLAMA, PROVIDERS };

struct provider {
    enum provider_kind kind;
    const char *name; /* as a person says it */
    char *model;
    char *url;                               /* that is asked */
    char *host;                              /* of it, with the port if it is not the usual one */
    char *path;                              /* of it */
    bool is_plain, is_local;                 /* http; this machine */
    const char *key;                         /* NULL: none is needed */
    const char *access_key, *token, *region; /* Amazon's; the token may be NULL */
};

/* name: "anthropic", "openai", "bedrock", "ollama"; NULL: COZ_PROVIDER's, or the first that the environment tells
 * of. model: NULL: COZ_MODEL's, or the usual one where there is one. needs_key: false when nothing is to be sent. 0, or
 * -EINVAL with the remedy in words, or -ENOMEM; to be released in any case. The environment must stay as it is. */
int provider_choose(struct provider *provider, const char *name, const char *model, bool needs_key,
                    struct coz_error *err);
void provider_release(struct provider *provider);
