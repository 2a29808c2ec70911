#include "profile/frames.h"

#include <stdlib.h>
#include <string.h>

static char *next_part(char **rest)
{
    char *part = strsep(rest, "\t");
    return part && *part ? part : NULL;
}

bool profile_frame_next(const char **rest, struct profile_frame *frame)
{
    size_t length = strcspn(*rest, "\n");
    *frame = (struct profile_frame){.memory = **rest ? strndup(*rest, length) : NULL};
    if (!frame->memory)
        return false;
    *rest += length + ((*rest)[length] == '\n');
    char *parts = frame->memory;
    frame->function = next_part(&parts);
    frame->place = next_part(&parts);
    frame->is_inlined = parts && strcmp(parts, "inlined") == 0;
    return true;
}

void profile_frame_release(struct profile_frame *frame)
{
    free(frame->memory);
    *frame = (struct profile_frame){0};
}
