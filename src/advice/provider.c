#include "advice/provider.h"

#include "advice/sigv4.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
    const char *word, *name;
    const char *key;   /* the variable that holds it; NULL: there is none */
    const char *base;  /* the variable that says where else */
    const char *usual; /* where, unless it is said */
    const char *model; /* NULL: none is usual */
} kinds[PROVIDERS] = {
    {"anthropic", "Anthropic", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com",
     "claude-sonnet-4-5"},
    {"openai", "OpenAI", "OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1", "gpt-4.1"},
    {"bedrock", "Amazon Bedrock", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME", NULL, NULL},
    {"ollama", "Ollama", NULL, "OLLAMA_HOST", "http://127.0.0.1:11434", NULL},
};

/* NULL where it is not set, or empty. */
static const char *read_variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static int find_kind(const char *name, struct coz_error *err)
{
    if (!name)
        name = read_variable("COZ_PROVIDER");
    for (int i = 0; name && i < PROVIDERS; i++)
        if (strcmp(kinds[i].word, name) == 0)
            return i;
    if (name)
        return error_set(err, EINVAL,
                         "There is no provider `%.40s`; there are anthropic, openai, bedrock and ollama.",
                         name);
    for (int i = 0; i < PROVIDERS; i++)
        if ((kinds[i].key && read_variable(kinds[i].key)) || read_variable(kinds[i].base))
            return i;
    return error_set(
        err, EINVAL,
        "Nothing says whom to ask. Set ANTHROPIC_API_KEY, OPENAI_API_KEY, AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY, or OLLAMA_HOST in the environment, or name one with --provider.");
}

/* ---- where ---- */

static bool is_loopback(const char *host)
{
    char name[64];
    struct in_addr address;
    size_t length = strcspn(host, ":");
    if (strncmp(host, "[::1]", 5) == 0 && (host[5] == ':' || !host[5]))
        return true;
    if (length >= sizeof name)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    return strcmp(name, "localhost") == 0 ||
           (inet_pton(AF_INET, name, &address) == 1 && ntohl(address.s_addr) >> 24 == 127);
}

/* "HOST[:PORT]" of letters, digits and what else may be in one. */
static bool is_host(const char *host, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)host[i]) && !strchr("-._:[]", host[i]))
            return false;
    return length > 0 && length < 256;
}

/* Splits the base, and puts url together. */
static int set_place(struct provider *provider, const char *base, const char *below, struct coz_error *err)
{
    const char *variable = kinds[provider->kind].base;
    provider->is_plain = strncmp(base, "http://", 7) == 0;
    const char *host = strstr(base, "://");
    if (!host || (!provider->is_plain && strncmp(base, "https://", 8) != 0))
        return error_set(err, EINVAL, "%s must begin with https:// or http://.", variable);
    host += 3;
    size_t length = strcspn(host, "/?#"), rest = strlen(host + length);
    while (rest > 0 && host[length + rest - 1] == '/')
        rest--;
    bool is_path = true;
    for (size_t i = 0; i < rest; i++)
        is_path &= host[length + i] > ' ' && host[length + i] < 0x7f && !strchr("?#\\", host[length + i]);
    if (!is_host(host, length) || !is_path)
        return error_set(err, EINVAL,
                         "%s must be an address like https://host:443/path, without a user's name, ? and #.",
                         variable);
    /* The usual port is not in the header Host, which is signed. */
    size_t shown = length;
    const char *port = provider->is_plain ? ":80" : ":443";
    if (length > strlen(port) && strncmp(host + length - strlen(port), port, strlen(port)) == 0)
        shown -= strlen(port);
    provider->host = strndup(host, shown);
    if (asprintf(&provider->path, "%.*s%s", (int)rest, host + length, below) < 0)
        provider->path = NULL;
    if (!provider->host || !provider->path ||
        asprintf(&provider->url, "%s://%s%s", provider->is_plain ? "http" : "https", provider->host,
                 provider->path) < 0) {
        provider->url = NULL;
        return error_set(err, ENOMEM, "out of memory");
    }
    provider->is_local = is_loopback(provider->host);
    return 0;
}

/* Ollama's own variable may say less than an address, and may be the server's: 0.0.0.0 is any. */
static char *complete_ollama(const char *said)
{
    char *base;
    const char *scheme = strstr(said, "://") ? "" : "http://",
               *host = *scheme ? said : strstr(said, "://") + 3;
    const char *colon = strrchr(host, ':'), *bracket = strchr(host, ']');
    bool is_any = strncmp(host, "0.0.0.0", 7) == 0;
    bool has_port = (colon && (!bracket || colon > bracket)) || !*scheme;
    if (asprintf(&base, "%s%.*s%s%s%s", scheme, (int)(host - said), said, is_any ? "127.0.0.1" : "",
                 is_any ? host + 7 : host, has_port ? "" : ":11434") < 0)
        return NULL;
    return base;
}

static int place_ollama(struct provider *provider, struct coz_error *err)
{
    const char *said = read_variable(kinds[PROVIDER_OLLAMA].base);
    char *base = said ? complete_ollama(said) : NULL;
    if (said && !base)
        return error_set(err, ENOMEM, "out of memory");
    int code = set_place(provider, said ? base : kinds[PROVIDER_OLLAMA].usual, "/api/chat", err);
    free(base);
    return code;
}

/* The region is a part of the host's name. */
static bool is_region(const char *region)
{
    size_t length = strspn(region, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length > 0 && length < 40 && !region[length];
}

static int place_bedrock(struct provider *provider, struct coz_error *err)
{
    char usual[128], *below = NULL, *model = sigv4_encode(provider->model, false);
    const char *base = read_variable(kinds[PROVIDER_BEDROCK].base);
    provider->region = read_variable("AWS_REGION");
    if (!provider->region)
        provider->region = read_variable("AWS_DEFAULT_REGION");
    int code = 0;
    if (!provider->region || !is_region(provider->region))
        code = error_set(err, EINVAL, "Set AWS_REGION to the region of Amazon Bedrock, us-east-1 for one.");
    else if (!model || asprintf(&below, "/model/%s/converse-stream", model) < 0)
        code = error_set(err, ENOMEM, "out of memory");
    if (code == 0) {
        snprintf(usual, sizeof usual, "https://bedrock-runtime.%s.amazonaws.com", provider->region);
        code = set_place(provider, base ? base : usual, below, err);
        free(below);
    }
    free(model);
    return code;
}

/* ---- the key ---- */

/* What cannot be in a header; the value is never told. */
static bool is_header(const char *value)
{
    for (; *value; value++)
        if (*value <= ' ' || *value >= 0x7f)
            return false;
    return true;
}

static int read_key(const char *variable, bool is_needed, const char **key, struct coz_error *err)
{
    *key = read_variable(variable);
    if (!*key && is_needed)
        return error_set(err, EINVAL, "There is no key: set %s in the environment.", variable);
    if (*key && !is_header(*key))
        return error_set(err, EINVAL, "%s holds a blank, a line's end, or another character that no key has.",
                         variable);
    return 0;
}

static int set_keys(struct provider *provider, bool needs_key, struct coz_error *err)
{
    const struct kind *kind = &kinds[provider->kind];
    /* Who serves OpenAI's interface elsewhere may want none. */
    bool may_lack = provider->kind == PROVIDER_OPENAI && read_variable(kind->base);
    int code = kind->key ? read_key(kind->key, needs_key && !may_lack, &provider->key, err) : 0;
    if (code == 0 && provider->kind == PROVIDER_BEDROCK) {
        code = read_key("AWS_ACCESS_KEY_ID", needs_key, &provider->access_key, err);
        if (code == 0)
            code = read_key("AWS_SESSION_TOKEN", false, &provider->token, err);
    }
    if (code == 0 && provider->key && provider->is_plain && !provider->is_local)
        code =
            error_set(err, EINVAL, "The key must not go to %.200s unencrypted: let %s begin with https://.",
                      provider->host, kind->base);
    return code;
}

int provider_choose(struct provider *provider, const char *name, const char *model, bool needs_key,
                    struct coz_error *err)
{
    static const char *const below[PROVIDERS] = {"/v1/messages", "/chat/completions"};
    *provider = (struct provider){0};
    int found = find_kind(name, err);
    if (found < 0)
        return found;
    const struct kind *kind = &kinds[found];
    provider->kind = (enum provider_kind)found;
    provider->name = kind->name;
    if (!model)
        model = read_variable("COZ_MODEL");
    if (!model)
        model = kind->model;
    if (!model)
        return error_set(err, EINVAL, "%s has many models: name one with --model, or in COZ_MODEL.",
                         kind->name);
    if (strlen(model) > 256 || !is_header(model))
        return error_set(err, EINVAL, "That is no model's name.");
    provider->model = strdup(model);
    if (!provider->model)
        return error_set(err, ENOMEM, "out of memory");
    const char *base = read_variable(kind->base);
    int code = found == PROVIDER_BEDROCK  ? place_bedrock(provider, err)
               : found == PROVIDER_OLLAMA ? place_ollama(provider, err)
                                          : set_place(provider, base ? base : kind->usual, below[found], err);
    return code ? code : set_keys(provider, needs_key, err);
}

void provider_release(struct provider *provider)
{
    free(provider->model);
    free(provider->url);
    free(provider->host);
    free(provider->path);
}
