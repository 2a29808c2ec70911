#include "advice/dialect.h"

#include "profile/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWER_TOKENS = 8192 };

enum framing_kind dialect_framing(enum provider_kind kind)
{
    return kind == PROVIDER_BEDROCK  ? FRAMING_AMAZON
           : kind == PROVIDER_OLLAMA ? FRAMING_LINES
                                     : FRAMING_EVENTS;
}

static json_t *body_tree(const struct provider *provider, const char *system, const char *question)
{
    switch (provider->kind) {
    case PROVIDER_ANTHROPIC:
        return json_pack("{s:s, s:i, s:b, s:s, s:[{s:s, s:s}]}", "model", provider->model, "max_tokens",
                         ANSWER_TOKENS, "stream", 1, "system", system, "messages", "role", "user", "content",
                         question);
    case PROVIDER_BEDROCK:
        return json_pack("{s:[{s:s}], s:[{s:s, s:[{s:s}]}], s:{s:i}}", "system", "text", system, "messages",
                         "role", "user", "content", "text", question, "inferenceConfig", "maxTokens",
                         ANSWER_TOKENS);
    case PROVIDER_OPENAI:
    case PROVIDER_OLLAMA:
    case PROVIDERS:
        break;
    }
    return json_pack("{s:s, s:b, s:[{s:s, s:s}, {s:s, s:s}]}", "model", provider->model, "stream", 1,
                     "messages", "role", "system", "content", system, "role", "user", "content", question);
}

char *dialect_body(const struct provider *provider, const char *system, const char *question)
{
    json_t *tree = body_tree(provider, system, question);
    char *body = tree ? json_dumps(tree, JSON_COMPACT) : NULL;
    json_decref(tree);
    return body;
}

/* ---- what is answered ---- */

static const char *text_at(const json_t *object, const char *member)
{
    return json_string_value(json_object_get(object, member));
}

static bool is_text(const char *text, const char *wanted)
{
    return text && strcmp(text, wanted) == 0;
}

static int keep(char **kept, const char *text)
{
    if (!text)
        return 0;
    *kept = strdup(text);
    return *kept ? 0 : -ENOMEM;
}

/* The words of a complaint: {"error": {"message": ...}}, {"error": ...}, {"message": ...}. */
static const char *find_complaint(const json_t *tree)
{
    const json_t *error = json_object_get(tree, "error");
    const char *words = json_is_string(error) ? json_string_value(error) : text_at(error, "message");
    if (!words && error)
        words = text_at(error, "type");
    if (!words)
        words = text_at(tree, "message");
    return words ? words : text_at(tree, "Message");
}

static int read_anthropic(const json_t *tree, struct dialect_word *word)
{
    const char *type = text_at(tree, "type");
    if (is_text(type, "content_block_delta"))
        return keep(&word->text, text_at(json_object_get(tree, "delta"), "text"));
    if (is_text(type, "message_delta")) {
        const char *why = text_at(json_object_get(tree, "delta"), "stop_reason");
        word->is_short = is_text(why, "max_tokens") || is_text(why, "refusal");
    }
    word->is_end = is_text(type, "message_stop");
    return type ? 0 : -EBADMSG;
}

static int read_openai(const json_t *tree, struct dialect_word *word)
{
    const json_t *choices = json_object_get(tree, "choices"), *choice = json_array_get(choices, 0);
    const char *why = text_at(choice, "finish_reason");
    word->is_short = is_text(why, "length") || is_text(why, "content_filter");
    int code = keep(&word->text, text_at(json_object_get(choice, "delta"), "content"));
    return json_is_array(choices) ? code : -EBADMSG; /* the usage comes with an empty one */
}

static int read_bedrock(const json_t *tree, const struct frame *frame, struct dialect_word *word)
{
    if (strcmp(frame->name, "contentBlockDelta") == 0)
        return keep(&word->text, text_at(json_object_get(tree, "delta"), "text"));
    const char *why = text_at(tree, "stopReason");
    word->is_end = strcmp(frame->name, "messageStop") == 0;
    word->is_short = is_text(why, "max_tokens") || is_text(why, "guardrail_intervened") ||
                     is_text(why, "content_filtered");
    return 0;
}

static int read_ollama(const json_t *tree, struct dialect_word *word)
{
    const json_t *message = json_object_get(tree, "message");
    word->is_end = json_is_true(json_object_get(tree, "done"));
    word->is_short = is_text(text_at(tree, "done_reason"), "length");
    int code = keep(&word->text, text_at(message, "content"));
    return message || word->is_end ? code : -EBADMSG;
}

/* JSON is UTF-8; a byte that is none of a character, cut off somewhere on the way, is no reason to lose the rest. */
static json_t *load_message(const char *data, size_t size)
{
    json_t *tree = json_loadb(data, size, 0, NULL);
    char *mended = tree ? NULL : strndup(data, size);
    for (char *at = mended; at && *at;) {
        size_t length = utf8_length(at);
        if (length == 0)
            *at = '?';
        at += length ? length : 1;
    }
    if (mended)
        tree = json_loads(mended, 0, NULL);
    free(mended);
    return tree;
}

int dialect_read(enum provider_kind kind, const struct frame *frame, struct dialect_word *word)
{
    *word = (struct dialect_word){0};
    if (kind == PROVIDER_OPENAI && strcmp(frame->data, "[DONE]") == 0) {
        word->is_end = true;
        return 0;
    }
    json_t *tree = load_message(frame->data, frame->size);
    int code = -EBADMSG;
    if (frame->is_exception || json_object_get(tree, "error")) {
        const char *words = find_complaint(tree);
        code = keep(&word->complaint, words ? words : *frame->name ? frame->name : "it does not say why");
    } else if (json_is_object(tree)) {
        code = kind == PROVIDER_ANTHROPIC ? read_anthropic(tree, word)
               : kind == PROVIDER_OPENAI  ? read_openai(tree, word)
               : kind == PROVIDER_BEDROCK ? read_bedrock(tree, frame, word)
                                          : read_ollama(tree, word);
    }
    json_decref(tree);
    return code;
}

void dialect_word_release(struct dialect_word *word)
{
    free(word->text);
    free(word->complaint);
}

char *dialect_complaint(const char *body, size_t size)
{
    json_t *tree = json_loadb(body, size, JSON_DISABLE_EOF_CHECK, NULL);
    /* Some answer with an array of one. */
    const char *words = find_complaint(json_is_array(tree) ? json_array_get(tree, 0) : tree);
    char *kept = words ? strdup(words) : NULL;
    json_decref(tree);
    return kept;
}
