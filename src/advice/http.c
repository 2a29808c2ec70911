#include "advice/http.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CONNECT_MS = 15000, HEADER_BYTES_MOST = 65536 };

struct transfer {
    CURL *curl;
    const struct http_request *request;
    struct http_answer *answer;
    size_t header_bytes;
    int code; /* take()'s, once it was not 0 */
};

static size_t take_body(char *bytes, size_t one, size_t size, void *context)
{
    struct transfer *transfer = context;
    struct http_answer *answer = transfer->answer;
    (void)one; /* is 1 */
    curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &answer->status);
    if (answer->status == 200) {
        transfer->code = transfer->request->take(transfer->request->context, bytes, size);
        return transfer->code ? 0 : size;
    }
    size_t room = HTTP_REFUSAL_BYTES - answer->refusal_size, part = size < room ? size : room;
    memcpy(answer->refusal + answer->refusal_size, bytes, part);
    answer->refusal_size += part;
    return part == size ? size : 0; /* what is longer than that is no message */
}

static size_t take_header(char *bytes, size_t one, size_t size, void *context)
{
    static const char retry[] = "retry-after:";
    struct transfer *transfer = context;
    (void)one;
    transfer->header_bytes += size;
    if (size > sizeof retry && strncasecmp(bytes, retry, sizeof retry - 1) == 0) {
        char number[16] = "";
        size_t length = size - (sizeof retry - 1);
        memcpy(number, bytes + sizeof retry - 1, length < sizeof number ? length : sizeof number - 1);
        long seconds = strtol(number, NULL, 10);
        transfer->answer->retry_after_s = seconds > 0 && seconds < 1000000 ? seconds : 0;
    }
    return transfer->header_bytes > HEADER_BYTES_MOST ? 0 : size;
}

static int on_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    struct transfer *transfer = context;
    (void)a, (void)b, (void)c, (void)d;
    if (!transfer->code)
        transfer->code = transfer->request->take(transfer->request->context, "", 0);
    return transfer->code != 0;
}

static struct curl_slist *make_headers(const struct http_request *request)
{
    /* A large body would otherwise wait for the server's leave. */
    struct curl_slist *list = curl_slist_append(NULL, "Expect:");
    for (size_t i = 0; list && i < request->header_count; i++) {
        struct curl_slist *longer = curl_slist_append(list, request->headers[i]);
        if (!longer)
            curl_slist_free_all(list);
        list = longer;
    }
    return list;
}

static void set_options(struct transfer *transfer, const struct curl_slist *headers)
{
    const struct http_request *request = transfer->request;
    CURL *curl = transfer->curl;
    curl_easy_setopt(curl, CURLOPT_URL, request->url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->size);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "coz/" COZ_VERSION);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)request->silence_s);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)request->total_s);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, transfer);
    if (request->direct)
        curl_easy_setopt(curl, CURLOPT_PROXY, "");
}

static int judge_transfer(const struct transfer *transfer, CURLcode code, struct coz_error *err)
{
    struct http_answer *answer = transfer->answer;
    const struct http_request *request = transfer->request;
    if (transfer->code)
        return transfer->code;
    if (code == CURLE_OK || (answer->status > 0 && answer->status != 200 && answer->refusal_size > 0))
        return 0;
    if (code == CURLE_OPERATION_TIMEDOUT)
        return error_set(err, ETIMEDOUT,
                         "%s did not answer in time: it is given up after %u s of silence, or %u s in all.",
                         request->host, request->silence_s, request->total_s);
    if (transfer->header_bytes > HEADER_BYTES_MOST)
        return error_set(err, EMSGSIZE, "The answer of %s begins with more than %d bytes of headers.",
                         request->host, HEADER_BYTES_MOST);
    if (answer->status == 200) {
        answer->is_cut = true;
        return 0;
    }
    return error_set(err, ECONNABORTED, "%s cannot be asked: %s.", request->host, curl_easy_strerror(code));
}

int http_check(struct coz_error *err)
{
    static bool is_ready;
    if (!is_ready && curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return error_set(err, ENOSYS, "libcurl cannot be started.");
    is_ready = true;
    return 0;
}

int http_post(const struct http_request *request, struct http_answer *answer, struct coz_error *err)
{
    *answer = (struct http_answer){0};
    int code = http_check(err);
    if (code < 0)
        return code;
    struct transfer transfer = {.curl = curl_easy_init(), .request = request, .answer = answer};
    struct curl_slist *headers = make_headers(request);
    if (transfer.curl && headers) {
        set_options(&transfer, headers);
        CURLcode how = curl_easy_perform(transfer.curl);
        curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &answer->status);
        code = judge_transfer(&transfer, how, err);
    } else {
        code = error_set(err, ENOMEM, "out of memory");
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(transfer.curl);
    return code;
}
