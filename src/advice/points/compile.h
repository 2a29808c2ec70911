/* Whether a changed source still compiles. Only the flags that say where headers are and what is defined are taken from
 * compile_commands.json; the compiler is ours ($CC or cc, $CXX or c++), so that no tree decides what is run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum compile_outcome { COMPILE_WORKS, COMPILE_FAILS, COMPILE_UNKNOWN /* there is no compiler */ };

struct compile_way {
    char **flags; /* owned, and each */
    size_t flag_count, flag_capacity;
    char *folder; /* that they are meant in; owned */
    /* They are from compile_commands.json, which is in one of the source's folders or their build/. */
    bool is_listed;
};

/* What is known of how the source is compiled. 0 or -ENOMEM; to be released in any case. */
int compile_way_find(struct compile_way *way, const char *path);
void compile_way_release(struct compile_way *way);

/* Compiles the text, which stands for the file at that path, as far as its meaning (-fsyntax-only). words: the compiler's
 * first complaint, of `room` bytes. It takes a second or so; 60 s at most. */
enum compile_outcome compile_try(const struct compile_way *way, const char *path, const char *text,
                                 char *words, size_t room);
