/* Writes profile records, each line to a descriptor opened for append, by one write() if that takes it all, so
 * that a line is either in the file whole or not at all, and several runs may follow each other in one file. (Two at the
 * same time may not: the second is refused with EBUSY.) */
#pragma once

#include "base/error.h"
#include "profile/record.h"

enum profile_format { PROFILE_JSON_LINES, PROFILE_TAB_SEPARATED };

struct profile_writer; /* opaque */

/* Opens (creates, appends). When the file's last line has no newline (a crash), one is added first. *appended
 * (optional) is set when the file already held something. */
int profile_writer_open(struct profile_writer **out, const char *path, enum profile_format format,
                        bool *appended, struct coz_error *err);
int profile_write(struct profile_writer *writer, const struct profile_record *record, struct coz_error *err);
void profile_writer_close(struct profile_writer *writer);
