/* What is sent back to a page, with the headers that every answer has. */
#pragma once

#include <microhttpd.h>
#include <stddef.h>

/* The response is released; NULL: memory is out. */
enum MHD_Result reply_send(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response,
                           const char *type);
enum MHD_Result reply_text(struct MHD_Connection *connection, unsigned status, const char *text);

/* With status 200; the text is taken. */
enum MHD_Result reply_made(struct MHD_Connection *connection, char *text, size_t size, const char *type);
