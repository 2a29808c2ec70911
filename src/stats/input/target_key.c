#include "stats/input/target_key.h"

#include <stdio.h>
#include <string.h>

enum { BETWEEN = '\037' };

char *target_key(const char *kind, const char *location)
{
    char *key;
    return asprintf(&key, "%s%c%s", kind, BETWEEN, location) < 0 ? NULL : key;
}

bool target_key_is(const char *key, const char *kind, const char *location)
{
    size_t length = strlen(kind);
    return strncmp(key, kind, length) == 0 && key[length] == BETWEEN &&
           strcmp(key + length + 1, location) == 0;
}

size_t target_key_kind_length(const char *key)
{
    return strcspn(key, (const char[]){BETWEEN, '\0'});
}
