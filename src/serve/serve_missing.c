/* Where there was no libmicrohttpd when coz was built. */
#include "serve/serve.h"

#include <errno.h>

int serve(const struct serve_options *options, struct coz_error *err)
{
    (void)options;
    return error_set(
        err, ENOSYS,
        "This coz was built without the server, because %s. Install libmicrohttpd (on Debian: libmicrohttpd-dev) and build it again; or have the page in a file, and open that: coz report --format html -o page.html",
        SERVE_MISSING);
}
