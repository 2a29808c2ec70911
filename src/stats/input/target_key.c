#include "stats/input/target_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BETWEEN = '\037' };

char *target_key(const char *kind, const char *location)
{
    char *key;
    return asprintf(&key, "%s%c%s", kind, BETWEEN, location) < 0 ? NULL : key;
}

long target_key_add(struct names *names, const char *kind, const char *location)
{
    kind = kind ? kind : "line";
    if (names->count > 0 && target_key_is(names->text[names->last], kind, location))
        return (long)names->last;
    char *key = target_key(kind, location);
    long id = key ? names_add(names, key) : -1;
    free(key);
    return id;
}

long target_key_find(const struct names *names, const char *kind, const char *location)
{
    char *key = target_key(kind ? kind : "line", location);
    long id = key ? names_find(names, key) : -1;
    free(key);
    return id;
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
