/* The one line that the runtime may say to the user. */
#pragma once

/* Leaves it in the segment for the controller to print, and on standard error if there is no segment. Only
 * the first is kept. Any thread, handlers too; errno is not touched. */
void message_say(const char *what);
