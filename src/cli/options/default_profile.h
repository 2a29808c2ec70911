/* The profile that a command reads when none is named. */
#pragma once

/* "profile.jsonl"; where that is not there but the original's "profile.coz" is, that, which is said: `command` is
 * how the sentence begins ("coz report"). */
char *default_profile(const char *command);
