#include "advice/advice.h"

#include "advice/dialect.h"
#include "advice/http.h"
#include "advice/sieve.h"
#include "advice/sigv4.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TOTAL_TIMES = 8, TOTAL_S_LEAST = 60, WIRE_BYTES_MOST = 16 << 20, HEADERS_MOST = 6, WORDS_MOST = 300 };

struct advice {
    struct provider provider;
    unsigned silence_s;
    char *body;
};

int advice_new(struct advice **out, const struct advice_options *options, const char *system,
               const char *question, struct coz_error *err)
{
    *out = NULL;
    int code = options->only_shown ? 0 : http_check(err);
    if (code < 0)
        return code;
    if (strlen(question) > ADVICE_QUESTION_BYTES)
        return error_set(err, EMSGSIZE, "The question is longer than %d bytes: ask about less at a time.",
                         ADVICE_QUESTION_BYTES);
    struct advice *advice = calloc(1, sizeof *advice);
    if (!advice)
        return error_set(err, ENOMEM, "out of memory");
    advice->silence_s = options->silence_s ? options->silence_s : ADVICE_SILENCE_S;
    code = provider_choose(&advice->provider, options->provider, options->model, !options->only_shown, err);
    if (code == 0) {
        advice->body = dialect_body(&advice->provider, system, question);
        code = advice->body ? 0 : error_set(err, ENOMEM, "The question cannot be put together.");
    }
    if (code < 0)
        advice_free(advice);
    else
        *out = advice;
    return code;
}

void advice_free(struct advice *advice)
{
    if (!advice)
        return;
    provider_release(&advice->provider);
    free(advice->body);
    free(advice);
}

char *advice_notice(const struct advice *advice, const char *what)
{
    char *line;
    const struct provider *provider = &advice->provider;
    int size =
        asprintf(&line, "This sends %zu bytes (%s) to %s by %s%s, to be answered by %s (%s's interface).",
                 strlen(advice->body), what, provider->host, provider->is_plain ? "http" : "https",
                 provider->is_local ? ", on this machine" : "", provider->model, provider->name);
    return size < 0 ? NULL : line;
}

void advice_show(const struct advice *advice, FILE *out)
{
    fprintf(out, "POST %s\n\n%s\n", advice->provider.url, advice->body);
}

/* ---- the answer ---- */

struct answer {
    const struct advice *advice;
    const struct advice_sink *sink;
    struct coz_error *err;
    struct framing framing;
    struct sieve sieve;
    size_t wire_bytes, text_bytes;
    bool is_whole, is_short;
};

/* Words from elsewhere, clean, in one line, without secrets, and not too many. */
struct words {
    char text[WORDS_MOST + 1];
    size_t size;
};

static int put_words(void *context, const char *text, size_t size)
{
    struct words *words = context;
    for (size_t i = 0; i < size && words->size < WORDS_MOST; i++)
        words->text[words->size++] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    return 0;
}

static void set_secrets(struct sieve *sieve, const struct provider *provider)
{
    sieve->secrets[0] = provider->key;
    sieve->secrets[1] = provider->token;
    sieve->secrets[2] = provider->access_key;
}

static void clean_words(struct words *words, const struct provider *provider, const char *text)
{
    struct sieve sieve = {.put = put_words, .context = words};
    *words = (struct words){.size = 0};
    set_secrets(&sieve, provider);
    if (sieve_add(&sieve, text, strlen(text)) == 0)
        sieve_end(&sieve);
    sieve_release(&sieve);
    /* A character that was cut at the end is left out. */
    while (words->size == WORDS_MOST && words->size > 0 && (words->text[words->size - 1] & 0xc0) == 0x80)
        words->size--;
    words->text[words->size] = '\0';
}

static int put_text(void *context, const char *text, size_t size)
{
    struct answer *answer = context;
    size_t left = ADVICE_ANSWER_BYTES - answer->text_bytes;
    if (size > left)
        return error_set(answer->err, EMSGSIZE, "The answer of %s does not end: %d bytes of it were read.",
                         answer->advice->provider.host, ADVICE_ANSWER_BYTES);
    answer->text_bytes += size;
    return answer->sink->put(answer->sink->context, text, size);
}

static int take_frame(void *context, const struct frame *frame)
{
    struct answer *answer = context;
    const struct provider *provider = &answer->advice->provider;
    struct dialect_word word;
    struct words words;
    if (answer->is_whole)
        return 0;
    int code = dialect_read(provider->kind, frame, &word);
    if (code == -EBADMSG)
        error_set(answer->err, EBADMSG, "%s answers what is none of %s's messages.", provider->host,
                  provider->name);
    if (code == -ENOMEM)
        error_set(answer->err, ENOMEM, "out of memory");
    if (word.complaint) {
        clean_words(&words, provider, word.complaint);
        code =
            error_set(answer->err, EREMOTEIO, "%s has failed in the middle: %s", provider->host, words.text);
    }
    if (code == 0 && word.text)
        code = sieve_add(&answer->sieve, word.text, strlen(word.text));
    answer->is_whole |= word.is_end;
    answer->is_short |= word.is_short;
    dialect_word_release(&word);
    return code;
}

static int take_bytes(void *context, const char *bytes, size_t size)
{
    struct answer *answer = context;
    const struct advice_sink *sink = answer->sink;
    if (sink->is_over && sink->is_over(sink->context))
        return error_set(answer->err, ECANCELED, "Nobody wants the answer any more.");
    answer->wire_bytes += size;
    if (answer->wire_bytes > WIRE_BYTES_MOST)
        return error_set(answer->err, EMSGSIZE, "The answer of %s does not end: %d bytes of it were read.",
                         answer->advice->provider.host, WIRE_BYTES_MOST);
    return framing_add(&answer->framing, bytes, size, answer->err);
}

static int refuse_status(const struct provider *provider, const struct http_answer *http,
                         struct coz_error *err)
{
    char *complaint = dialect_complaint(http->refusal, http->refusal_size), retry[64] = "";
    struct words words;
    clean_words(&words, provider, complaint ? complaint : http->refusal);
    free(complaint);
    const char *remedy = http->status == 401 || http->status == 403
                             ? " Is the key right, and allowed to ask this model?"
                         : http->status == 404     ? " Is the model's name right?"
                         : http->status == 429     ? " It has been asked too often, or too much."
                         : http->status >= 500     ? " Try again later."
                         : http->status / 100 == 3 ? " It leads elsewhere, and is not followed."
                                                   : "";
    if (http->retry_after_s > 0)
        snprintf(retry, sizeof retry, " It wants to be left alone for %ld s.", http->retry_after_s);
    return error_set(err, EPROTO, "%s refuses (status %ld)%s%s.%s%s", provider->host, http->status,
                     *words.text ? ": " : "", words.text, remedy, retry);
}

/* After the last byte, of an answer that began well. */
static int end_answer(struct answer *answer, bool is_cut, struct coz_error *err)
{
    int code = is_cut ? 0 : framing_end(&answer->framing, err);
    code = code == -EBADMSG ? 0 : code; /* a message that was cut */
    int ended = sieve_end(&answer->sieve);
    if (code == 0)
        code = ended;
    if (code < 0)
        return code;
    if (!answer->is_whole)
        return error_set(err, EPIPE,
                         "The answer of %s was cut off: the connection ended in the middle of it.",
                         answer->advice->provider.host);
    if (answer->is_short)
        return error_set(err, EMSGSIZE, "The answer is not whole: the model was stopped before its end.");
    return 0;
}

/* ---- the request ---- */

struct header_lines {
    char *lines[HEADERS_MOST];
    size_t count;
};

static void add_header(struct header_lines *headers, const char *name, const char *value)
{
    char *line;
    if (value && asprintf(&line, "%s%s", name, value) >= 0)
        headers->lines[headers->count++] = line;
}

static void add_signature(struct header_lines *headers, const struct provider *provider, const char *body)
{
    const struct sigv4 request = {.access_key = provider->access_key,
                                  .secret_key = provider->key,
                                  .token = provider->token,
                                  .region = provider->region,
                                  .service = "bedrock",
                                  .host = provider->host,
                                  .path = provider->path,
                                  .body = body,
                                  .size = strlen(body),
                                  .now = time(NULL)};
    char date[SIGV4_DATE], *authorization = sigv4_sign(&request, date);
    add_header(headers, "X-Amz-Date: ", date);
    add_header(headers, "X-Amz-Security-Token: ", provider->token);
    add_header(headers, "Authorization: ", authorization);
    free(authorization);
}

static void add_headers(struct header_lines *headers, const struct advice *advice)
{
    const struct provider *provider = &advice->provider;
    add_header(headers, "Content-Type: ", "application/json");
    if (provider->kind == PROVIDER_ANTHROPIC) {
        add_header(headers, "anthropic-version: ", "2023-06-01");
        add_header(headers, "x-api-key: ", provider->key);
    } else if (provider->kind == PROVIDER_BEDROCK) {
        add_signature(headers, provider, advice->body);
    } else if (provider->kind == PROVIDER_OPENAI && provider->key) {
        add_header(headers, "Authorization: Bearer ", provider->key);
    }
}

static void release_headers(struct header_lines *headers)
{
    for (size_t i = 0; i < headers->count; i++) {
        explicit_bzero(headers->lines[i], strlen(headers->lines[i]));
        free(headers->lines[i]);
    }
}

int advice_send(const struct advice *advice, const struct advice_sink *sink, struct coz_error *err)
{
    const struct provider *provider = &advice->provider;
    struct header_lines headers = {.count = 0};
    struct http_answer http;
    struct answer answer = {.advice = advice, .sink = sink, .err = err};
    answer.framing =
        (struct framing){.kind = dialect_framing(provider->kind), .take = take_frame, .context = &answer};
    answer.sieve = (struct sieve){.put = put_text, .context = &answer};
    set_secrets(&answer.sieve, provider);
    add_headers(&headers, advice);
    unsigned total_s = TOTAL_TIMES * advice->silence_s;
    const struct http_request request = {.url = provider->url,
                                         .host = provider->host,
                                         .headers = (const char *const *)headers.lines,
                                         .header_count = headers.count,
                                         .body = advice->body,
                                         .size = strlen(advice->body),
                                         .silence_s = advice->silence_s,
                                         .total_s = total_s > TOTAL_S_LEAST ? total_s : TOTAL_S_LEAST,
                                         .direct = provider->is_plain || provider->is_local,
                                         .take = take_bytes,
                                         .context = &answer};
    int code = http_post(&request, &http, err);
    if (code == 0 && http.status != 200)
        code = refuse_status(provider, &http, err);
    else if (code == 0)
        code = end_answer(&answer, http.is_cut, err);
    release_headers(&headers);
    framing_release(&answer.framing);
    sieve_release(&answer.sieve);
    return code;
}
