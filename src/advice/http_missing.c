/* Where there was no libcurl when coz was built. */
#include "advice/http.h"

#include <errno.h>

int http_check(struct coz_error *err)
{
    return error_set(
        err, ENOSYS,
        "This coz was built without a way to ask, because %s. Install libcurl (on Debian: libcurl4-openssl-dev) and build it again; or let `coz report --format prompt` print what to ask, and paste it.",
        HTTP_MISSING);
}

int http_post(const struct http_request *request, struct http_answer *answer, struct coz_error *err)
{
    (void)request;
    *answer = (struct http_answer){0};
    return http_check(err);
}
