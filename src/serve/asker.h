/* A process of its own that asks a language model, so that nobody waits for it: what comes is read from a pipe, as lines
 * of JSON.
 *
 *     {"text": "a piece of the answer"}
 *     {"done": true}   or, at last,   {"error": "why there is no more"}  */
#pragma once

#include "advice/advice.h"

/* Sends the question. The pipe's end to be read, which does not block; a negative errno. The process ends when the end
 * is closed; that it has ended nobody needs to know (SIGCHLD is ignored, or it is waited for elsewhere). */
int asker_start(const struct advice *advice, struct coz_error *err);
