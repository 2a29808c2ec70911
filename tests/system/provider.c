/* Plays the providers that `coz explain` and `coz suggest-points` ask, on a free port of the loopback, well and badly.
 *
 *     provider PORT-FILE REQUESTS-FILE ANSWER-FILE
 *
 * The port's number goes into the first file, every request, as it came, to the end of the second. The path's first part
 * is how to answer (see `ways`), its end which interface is meant. The answer's text is the third file's. */
#include "../amazon_message.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_BYTES = 4 << 20, PIECE = 9 };

static char answer[1 << 20];
static char key[4096]; /* that the request brought */
static int fd;
static bool is_slow;
static size_t burst = 5; /* so many bytes are sent at a time */
static enum { ANTHROPIC, OPENAI, BEDROCK, OLLAMA } interface;

/* In small packets, so that everything is cut somewhere. */
static void put_bytes(const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        size_t part = size < burst ? size : burst;
        ssize_t sent = send(fd, at, part, MSG_NOSIGNAL);
        if (sent <= 0)
            _exit(0);
        at += sent;
        size -= (size_t)sent;
    }
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    static char text[1 << 16];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_bytes(text, (size_t)size);
}

/* ---- messages ---- */

static void put_amazon(const char *type, const char *name, const char *payload)
{
    static unsigned char message[1 << 16];
    bool is_event = strcmp(type, "event") == 0;
    unsigned char *at = message + AMAZON_PRELUDE;
    size_t headers = amazon_add_header(at, is_event ? ":event-type" : ":exception-type", name);
    headers += amazon_add_header(at + headers, ":content-type", "application/json");
    headers += amazon_add_header(at + headers, ":message-type", type);
    put_bytes(message, amazon_end(message, headers, payload));
}

/* As a JSON string, but for bytes above 0x7f, which go as they are. */
static const char *quote(const char *text, size_t size)
{
    static char quoted[8 * PIECE * 64];
    char *end = quoted;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        end += byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7f ? sprintf(end, "\\u%04x", byte)
                                                                          : sprintf(end, "%c", byte);
    }
    *end = '\0';
    return quoted;
}

static void put_text(const char *text, size_t size)
{
    char event[8192];
    const char *quoted = quote(text, size);
    if (is_slow)
        usleep(100000);
    switch (interface) {
    case ANTHROPIC:
        put("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n",
            quoted);
        break;
    case OPENAI:
        put("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"finish_reason\":null}]}\r\n\r\n",
            quoted);
        break;
    case BEDROCK:
        snprintf(event, sizeof event, "{\"contentBlockIndex\":0,\"delta\":{\"text\":\"%s\"}}", quoted);
        put_amazon("event", "contentBlockDelta", event);
        break;
    case OLLAMA:
        put("{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"%s\"},\"done\":false}\n",
            quoted);
        break;
    }
}

static void put_begin(void)
{
    if (interface == ANTHROPIC)
        put("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[]}}\n\n: a comment\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n");
    if (interface == OPENAI)
        put("data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"finish_reason\":null}]}\r\n\r\n");
    if (interface == BEDROCK)
        put_amazon("event", "messageStart", "{\"role\":\"assistant\"}");
}

static void put_end(bool is_short)
{
    char event[100];
    switch (interface) {
    case ANTHROPIC:
        put("event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
            is_short ? "max_tokens" : "end_turn");
        break;
    case OPENAI:
        put("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"%s\"}]}\r\n\r\ndata: {\"choices\":[],\"usage\":{}}\r\n\r\ndata: [DONE]\r\n\r\n",
            is_short ? "length" : "stop");
        break;
    case BEDROCK:
        snprintf(event, sizeof event, "{\"stopReason\":\"%s\"}", is_short ? "max_tokens" : "end_turn");
        put_amazon("event", "messageStop", event);
        put_amazon("event", "metadata", "{\"usage\":{}}");
        break;
    case OLLAMA:
        put("{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"%s\"}\n",
            is_short ? "length" : "stop");
        break;
    }
}

static void put_words(const char *text)
{
    put_text(text, strlen(text));
}

/* So many bytes of the answer; characters stay whole. */
static void put_answer(size_t size)
{
    for (size_t at = 0, part; at < size; at += part) {
        part = size - at < PIECE ? size - at : PIECE;
        while (at + part < size && (answer[at + part] & 0xc0) == 0x80)
            part++;
        put_text(answer + at, part);
    }
}

/* ---- ways to answer ---- */

static void put_head(const char *status, const char *more)
{
    put("HTTP/1.1 %s\r\nContent-Type: text/event-stream\r\nConnection: close\r\n%s\r\n", status, more);
}

static void answer_good(void)
{
    put_head("200 OK", "");
    put_begin();
    put_answer(strlen(answer));
    put_end(false);
}

static void answer_slow(void)
{
    is_slow = true;
    answer_good();
}

static void answer_short(void)
{
    put_head("200 OK", "");
    put_begin();
    put_answer(strlen(answer));
    put_end(true);
}

static void answer_cut(void)
{
    put_head("200 OK", "");
    put_begin();
    put_answer(strlen(answer) / 2);
    put_bytes("\0\0\0\x99\0\0", 6);
}

static void answer_torn(void)
{
    put_head("200 OK", "Content-Length: 1000000\r\n");
    put_begin();
    put_answer(strlen(answer) / 2);
}

static void answer_failing(void)
{
    put_head("200 OK", "");
    put_begin();
    put_words("So far.");
    if (interface == BEDROCK)
        put_amazon("exception", "throttlingException", "{\"message\":\"overloaded \\u001b[31mnow\"}");
    else if (interface == OLLAMA)
        put("{\"error\":\"overloaded \\u001b[31mnow\"}\n");
    else
        put("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"x\",\"message\":\"overloaded \\u001b[31mnow\"}}\n\n");
}

static void answer_page(void)
{
    put_head("200 OK", "");
    put("<!DOCTYPE html>\n<html><body>Please log in to this network.</body></html>\n");
    put("data: <p>\n\n");
}

static void answer_garbage(void)
{
    put_head("200 OK", "");
    put_begin();
    if (interface == BEDROCK)
        put_amazon("event", "contentBlockDelta", "{\"delta\": oops");
    else
        put(interface == OLLAMA ? "{\"message\": oops\n" : "data: {\"type\": oops\n\n");
}

static void answer_damaged(void)
{
    put_head("200 OK", "");
    put_begin();
    if (interface == BEDROCK)
        put_bytes("\0\0\0\x30\0\0\0\x10"
                  "1234"
                  "01234567890123456789012345678901234567890123",
                  56);
    else
        put("data: [1, 2]\n\n[1, 2]\n");
}

static void answer_401(void)
{
    put_head("401 Unauthorized", "");
    put("{\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"no such key: %s\\u001b[1m\"}}",
        key);
}

static void answer_429(void)
{
    put_head("429 Too Many Requests", "Retry-After: 7\r\n");
    put("{\"message\":\"slow down\"}");
}

static void answer_500(void)
{
    put_head("500 Internal Server Error", "");
    put("<html>\n\n oh dear %s</html>", key);
}

static void answer_elsewhere(void)
{
    put_head("302 Found", "Location: http://127.0.0.1:9/stolen\r\nContent-Length: 0\r\n");
}

static void answer_endless(void)
{
    put_head("200 OK", "");
    put_begin();
    burst = 1 << 20;
    for (;;)
        put_words("on and on and on and on and on and on and on and on and on and on and on. ");
}

static void answer_line(void)
{
    static char much[65536];
    memset(much, 'x', sizeof much);
    put_head("200 OK", "");
    if (interface == BEDROCK) {
        unsigned char prelude[12];
        amazon_set_u32(prelude, 1u << 30);
        amazon_set_u32(prelude + 4, 16);
        amazon_set_u32(prelude + 8, amazon_checksum(prelude, 8));
        put_bytes(prelude, sizeof prelude);
    }
    burst = 1 << 20;
    for (;;)
        put_bytes(much, sizeof much);
}

static void answer_headers(void)
{
    put("HTTP/1.1 200 OK\r\n");
    burst = 1 << 20;
    for (int i = 0;; i++)
        put("X-Header-%d: and on and on and on and on and on and on and on\r\n", i);
}

static void answer_silent(void)
{
    put_head("200 OK", "");
    put_begin();
    put_words("So far.");
    sleep(120);
}

static void answer_never(void)
{
    sleep(120);
}

/* What steers a terminal, what is markup, and the key in two pieces with a character between that is not seen. */
static void answer_hostile(void)
{
    static const char text[] = "\x1b]0;title\x07\x1b[2Jred\x1b[31m \x9b"
                               "31m <script>alert(1)</script><img src=x> ";
    size_t half = strlen(key) / 2;
    put_head("200 OK", "");
    put_begin();
    put_words(text);
    put_words("\xe2\x80\xae turned \xc2\x9b hidden\xe2\x80\x8b\r\n");
    put_words("cut \xc3");
    put_words("\xa9 here. ");
    put_text(key, half);
    put_words("\x1b\xe2\x80\x8b");
    put_text(key + half, strlen(key) - half);
    put_words(" behind it.");
    put_end(false);
}

static const struct way {
    const char *name;
    void (*answer)(void);
} ways[] = {
    {"good", answer_good},
    {"slow", answer_slow},
    {"short", answer_short},
    {"cut", answer_cut},
    {"torn", answer_torn},
    {"failing", answer_failing},
    {"page", answer_page},
    {"garbage", answer_garbage},
    {"damaged", answer_damaged},
    {"401", answer_401},
    {"429", answer_429},
    {"500", answer_500},
    {"elsewhere", answer_elsewhere},
    {"endless", answer_endless},
    {"line", answer_line},
    {"headers", answer_headers},
    {"silent", answer_silent},
    {"never", answer_never},
    {"hostile", answer_hostile},
};

/* ---- requests ---- */

/* The value of a header to the end of its line, or to any of the stops. */
static bool find_value(const char *head, const char *name, const char *stops)
{
    const char *found = strcasestr(head, name);
    if (!found)
        return false;
    found += strlen(name);
    size_t size = strcspn(found, stops);
    snprintf(key, sizeof key, "%.*s", (int)size, found);
    return true;
}

static void answer_request(const char *requests)
{
    char *text = calloc(1, REQUEST_BYTES + 1), way[32] = "", path[512] = "", *body = NULL;
    size_t size = 0, wanted = SIZE_MAX;
    while (text && size < wanted && size < REQUEST_BYTES) {
        ssize_t got = recv(fd, text + size, REQUEST_BYTES - size, 0);
        if (got <= 0)
            _exit(1);
        size += (size_t)got;
        body = body ? body : strstr(text, "\r\n\r\n");
        const char *length = body ? strcasestr(text, "content-length: ") : NULL;
        if (length)
            wanted = (size_t)(body + 4 - text) + strtoul(length + 16, NULL, 10);
    }
    FILE *log = fopen(requests, "a");
    fwrite(text, 1, size, log);
    fputs("\n", log);
    fclose(log);
    if (sscanf(text, "POST /%31[^/]%511s", way, path) != 2)
        _exit(1);
    interface = strstr(path, "/api/chat")           ? OLLAMA
                : strstr(path, "/converse-stream")  ? BEDROCK
                : strstr(path, "/chat/completions") ? OPENAI
                                                    : ANTHROPIC;
    if (!find_value(text, "x-api-key: ", "\r") && !find_value(text, "x-amz-security-token: ", "\r") &&
        !find_value(text, "authorization: bearer ", "\r"))
        strcpy(key, "no-key-was-sent");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, way) == 0)
            ways[i].answer();
    shutdown(fd, SHUT_WR);
    _exit(0);
}

int main(int argc, char **argv)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    FILE *file = argc == 4 ? fopen(argv[3], "r") : NULL;
    if (!file || bind(listener, (struct sockaddr *)&place, size) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, (struct sockaddr *)&place, &size) != 0) {
        fputs("usage: provider PORT-FILE REQUESTS-FILE ANSWER-FILE\n", stderr);
        return 2;
    }
    answer[fread(answer, 1, sizeof answer - 1, file)] = '\0';
    fclose(file);
    signal(SIGCHLD, SIG_IGN);
    file = fopen(argv[1], "w");
    fprintf(file, "%d\n", ntohs(place.sin_port));
    fclose(file);
    while ((fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            answer_request(argv[2]);
        }
        close(fd);
    }
    return 1;
}
