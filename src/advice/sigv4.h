/* Signatures of Amazon's services, version 4, for a POST without a query: see "Create a signed AWS API request" in the
 * IAM user guide. libcurl can sign, too, but not all of its versions encode a path a second time, which the rule asks
 * for and names of models (with their colons) need. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { SIGV4_DATE = 17, SIGV4_SCOPED = 512 };

struct sigv4 {
    const char *access_key, *secret_key;
    const char *token; /* of a session; NULL: none */
    const char *region, *service;
    const char *host; /* as the header Host says it */
    const char *path; /* as it is sent */
    const char *body;
    size_t size;
    time_t now;
};

/* What the header X-Amz-Date says, and the header Authorization, to be freed; NULL when memory is out. Besides these
 * two and Host, X-Amz-Security-Token is signed where there is a token. */
char *sigv4_sign(const struct sigv4 *request, char date[SIGV4_DATE]);

/* Text as a part of a path: all but letters, digits and -._~ in hexadecimal digits, and / if it is not kept. To be
 * freed; NULL when memory is out. */
char *sigv4_encode(const char *text, bool keeps_slash);
