#include "serve/explain.h"

#include "advice/advice.h"
#include "serve/asker.h"
#include "serve/reply.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An answer on its way to a page. */
struct explained {
    struct explained *next;
    struct explainer *explainer;
    struct MHD_Connection *connection;
    int pipe, socket;
    bool is_suspended, is_closed;
};

/* ---- the first step: what would be sent ---- */

static int make_question(struct explainer *explainer, struct view *view, const char *target, char **notice,
                         struct coz_error *err)
{
    static const struct advice_options options;
    struct explain_question question;
    struct advice *advice;
    int code = view_ask(view, target, &question, err);
    if (code < 0)
        return code;
    code = advice_new(&advice, &options, explain_system, question.text, err);
    if (code == 0) {
        *notice = advice_notice(advice, question.what);
        advice_free(explainer->question);
        explainer->question = advice;
        explainer->number++;
        code = *notice ? 0 : error_set(err, ENOMEM, "out of memory");
    }
    explain_question_release(&question);
    return code;
}

static enum MHD_Result tell_question(struct explainer *explainer, struct MHD_Connection *connection,
                                     struct view *view, const char *body, size_t size)
{
    struct coz_error err = {"out of memory"};
    char *notice = NULL, *target = strndup(body, size), *text = NULL;
    int code = target ? make_question(explainer, view, target, &notice, &err) : -ENOMEM;
    json_t *tree =
        code == 0 ? json_pack("{s:i, s:s}", "number", (int)explainer->number, "notice", notice) : NULL;
    text = tree ? json_dumps(tree, JSON_COMPACT) : NULL;
    json_decref(tree);
    free(notice);
    free(target);
    if (text)
        return reply_made(connection, text, strlen(text), "application/json");
    return reply_text(connection, MHD_HTTP_CONFLICT, code < 0 ? err.text : "The name is no text.");
}

/* ---- the second: the answer ---- */

static ssize_t on_read(void *context, uint64_t position, char *buffer, size_t room)
{
    struct explained *answer = context;
    (void)position;
    ssize_t got = answer->is_closed ? 0 : read(answer->pipe, buffer, room);
    if (got > 0)
        return got;
    if (got == 0)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (errno != EAGAIN)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    answer->is_suspended = true;
    MHD_suspend_connection(answer->connection);
    return 0;
}

static void on_end(void *context)
{
    struct explained *answer = context;
    for (struct explained **at = &answer->explainer->answers; *at; at = &(*at)->next)
        if (*at == answer) {
            *at = answer->next;
            break;
        }
    close(answer->pipe); /* whoever asks sees it, and ends */
    free(answer);
}

static enum MHD_Result send_answer(struct explainer *explainer, struct MHD_Connection *connection)
{
    struct coz_error err;
    struct explained *answer = calloc(1, sizeof *answer);
    int pipe = answer ? asker_start(explainer->question, &err) : -1;
    if (pipe < 0) {
        enum MHD_Result result =
            answer ? reply_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, err.text) : MHD_NO;
        free(answer);
        return result;
    }
    *answer =
        (struct explained){.next = explainer->answers, .explainer = explainer, .connection = connection};
    answer->pipe = pipe;
    answer->socket = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    explainer->answers = answer;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, on_read, answer, on_end);
    if (!response)
        on_end(answer);
    return reply_send(connection, MHD_HTTP_OK, response, "application/x-ndjson");
}

/* Leave is for the question that was told last, and once. */
static enum MHD_Result take_leave(struct explainer *explainer, struct MHD_Connection *connection,
                                  const char *number)
{
    size_t count = 0;
    char ours[16];
    snprintf(ours, sizeof ours, "%u", explainer->number);
    if (!explainer->question || strcmp(number, ours) != 0)
        return reply_text(connection, MHD_HTTP_CONFLICT,
                          "That was asked already, or by another page. Ask again.");
    for (const struct explained *answer = explainer->answers; answer; answer = answer->next)
        count++;
    if (count >= EXPLAIN_MOST)
        return reply_text(connection, MHD_HTTP_CONFLICT, "Others are being explained. Wait until they are.");
    enum MHD_Result result = send_answer(explainer, connection);
    advice_free(explainer->question);
    explainer->question = NULL;
    return result;
}

enum MHD_Result explain_request(struct explainer *explainer, struct MHD_Connection *connection,
                                struct view *view, const char *body, size_t size)
{
    const char *yes = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "yes");
    return yes ? take_leave(explainer, connection, yes)
               : tell_question(explainer, connection, view, body, size);
}

/* ---- for the loop ---- */

nfds_t explain_add_ends(const struct explainer *explainer, struct pollfd *ends)
{
    nfds_t count = 0;
    for (const struct explained *answer = explainer->answers; answer; answer = answer->next)
        if (answer->is_suspended) {
            ends[count++] = (struct pollfd){.fd = answer->pipe, .events = POLLIN};
            ends[count++] = (struct pollfd){.fd = answer->socket, .events = POLLRDHUP};
        }
    return count;
}

void explain_resume(struct explainer *explainer, bool is_over)
{
    for (struct explained *answer = explainer->answers; answer; answer = answer->next) {
        struct pollfd ends[] = {{.fd = answer->pipe, .events = POLLIN},
                                {.fd = answer->socket, .events = POLLRDHUP}};
        bool is_ready = poll(ends, 2, 0) > 0;
        answer->is_closed |= is_over || ends[1].revents;
        if (!answer->is_suspended || !(is_ready || is_over))
            continue;
        answer->is_suspended = false;
        MHD_resume_connection(answer->connection);
    }
}

void explain_release(struct explainer *explainer)
{
    advice_free(explainer->question);
    explainer->question = NULL;
}
