/* Code that a process met and did not know: finding out, from the kernel, what is mapped there. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "shared/layout.h"

/* Answers the questions that processes have put into the segment, and requests the modules that they need.
 * Code that is in no file is generated's. A question that cannot be answered is dropped. */
struct generated;
void mappings_serve(struct segment *segment, struct generated *generated);

/* Reads the unwind rows of the code that the kernel maps into every process, our own included. */
void mappings_read_vdso(struct debuginfo *out);
