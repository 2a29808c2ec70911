#include "experiment/points/calls.h"

#include "base/nearest_word.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { NEAREST_MOST = 3 };

#define NAME_OF(name, worth) #name,
static const char *const names[] = {SEGMENT_CALLS(NAME_OF) NULL};
#undef NAME_OF

#define WORTH_OF(name, worth) worth,
static const unsigned char worths[] = {SEGMENT_CALLS(WORTH_OF)};
#undef WORTH_OF

/* Hooked, and made too often to be counted at no cost. */
static const char *const too_often[] = {"pthread_mutex_lock",
                                        "pthread_mutex_trylock",
                                        "pthread_mutex_unlock",
                                        "pthread_rwlock_rdlock",
                                        "pthread_rwlock_wrlock",
                                        "pthread_rwlock_unlock",
                                        "pthread_spin_lock",
                                        "pthread_spin_unlock",
                                        "mtx_lock",
                                        "mtx_unlock"};

const char *call_name(unsigned call)
{
    return names[call];
}

unsigned call_worth(unsigned call)
{
    return worths[call];
}

/* "; did you mean send, sendto or sendmsg?", or where all of them are listed. */
static void put_nearest(const char *name, char *text, size_t size)
{
    const char *left[sizeof names / sizeof *names], *nearest;
    size_t used = 0, found = 0;
    memcpy(left, names, sizeof names);
    while (found < NEAREST_MOST && (nearest = nearest_word(name, left))) {
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 found++ ? ", " : "; the nearest are: ", nearest);
        size_t place = 0;
        while (left[place] != nearest)
            place++;
        memmove(left + place, left + place + 1, sizeof left - (place + 1) * sizeof *left);
    }
    if (!found)
        snprintf(text, size, " (`coz points --calls` lists those that there are)");
}

static int find_exactly(const char *name, size_t length)
{
    for (int i = 0; names[i]; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return i;
    return -1;
}

static bool ends_with(const char *name, size_t length, const char *end)
{
    return length > strlen(end) && memcmp(name + length - strlen(end), end, strlen(end)) == 0;
}

int call_of_symbol(const char *symbol)
{
    size_t length = strlen(symbol);
    int call = find_exactly(symbol, length);
    if (call < 0 && strncmp(symbol, "__", 2) == 0 && ends_with(symbol + 2, length - 2, "_chk"))
        call = find_exactly(symbol + 2, length - strlen("___chk"));
    if (call < 0 && ends_with(symbol, length, "64"))
        call = find_exactly(symbol, length - 2);
    return call;
}

int call_find(const char *name, struct coz_error *err)
{
    char nearest[120];
    int call = find_exactly(name, strlen(name));
    if (call >= 0)
        return call;
    for (size_t i = 0; i < sizeof too_often / sizeof *too_often; i++)
        if (strcmp(too_often[i], name) == 0)
            return error_set(err, EINVAL,
                             "%s is called so often that to count it would change the program; name a call "
                             "that is made once for each unit of work",
                             name);
    put_nearest(name, nearest, sizeof nearest);
    return error_set(err, EINVAL, "%.80s is no call that coz sees in libc%s", name, nearest);
}
