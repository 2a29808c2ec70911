#include "stats/answers/source_change.h"

#include "base/md5.h"
#include "base/sha256.h"

#include <string.h>

enum source_change source_change_by_hash(const struct story *story, const char *path, const char *text)
{
    struct story_source then = story ? story_source(story, path) : (struct story_source){NULL, NULL};
    char md5[MD5_HEX], sha256[SHA256_HEX];
    uint8_t digest[MD5_BYTES];
    if (then.md5) {
        md5_digest(text, strlen(text), digest);
        md5_hex(digest, md5);
        return strcmp(then.md5, md5) != 0 ? SOURCE_CHANGED_SINCE_BUILD : SOURCE_SAME;
    }
    if (!then.sha256)
        return SOURCE_NO_HASH;
    sha256_hex(text, strlen(text), sha256);
    return strcmp(then.sha256, sha256) != 0 ? SOURCE_CHANGED_SINCE_RUN : SOURCE_SAME;
}

static bool is_younger(const struct story *story, uint64_t modified_ns)
{
    const struct story_run *runs;
    size_t count = story ? story_runs(story, &runs) : 0;
    for (size_t i = 0; i < count; i++)
        if (runs[i].time_ns > 0)
            return modified_ns > runs[i].time_ns;
    return false;
}

bool source_is_changed(const struct story *story, const char *path, const char *text, uint64_t modified_ns)
{
    enum source_change change = source_change_by_hash(story, path, text);
    return change == SOURCE_NO_HASH ? is_younger(story, modified_ns) : change != SOURCE_SAME;
}
