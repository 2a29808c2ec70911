#include "serve/reply.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* For every answer: nobody else's page may look at it, frame it, keep it, or take it for something else. The page
 * has a stricter policy in its head; here is what cannot be said there. */
static void add_headers(struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    bool is_page = strncmp(type, "text/html", 9) == 0;
    MHD_add_response_header(response, "Content-Security-Policy",
                            is_page ? "frame-ancestors 'none'; connect-src 'self'; object-src 'none'"
                                    : "default-src 'none'; frame-ancestors 'none'; sandbox");
    MHD_add_response_header(response, "Content-Type", type);
}

enum MHD_Result reply_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                           const char *type)
{
    if (!response)
        return MHD_NO;
    add_headers(response, type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, "Allow", "GET, POST");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result reply_text(struct MHD_Connection *connection, unsigned status, const char *text)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    return reply_send(connection, status, response, "text/plain; charset=utf-8");
}

enum MHD_Result reply_made(struct MHD_Connection *connection, char *text, size_t size, const char *type)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        free(text);
    return reply_send(connection, MHD_HTTP_OK, response, type);
}
