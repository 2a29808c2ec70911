/* The one error idiom: a function that can fail returns 0 or a negative errno, and says why in words
 * through the `struct coz_error` it was given (which may be NULL). Only src/cli/ prints or exits. */
#pragma once

struct coz_error {
    char text[512];
};

/* Writes the formatted words into err (when there is one) and returns -code, so that a failing function
 * can end in `return error_set(err, ENOENT, "%s: no such file", path);`. code is a positive errno. */
int error_set(struct coz_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
