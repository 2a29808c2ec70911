/* What an event of epoll is about: the kernel tells the word that the program gave when it added a
 * descriptor, not the descriptor. Of this process, and of its forked children. Any thread. */
#pragma once

#include <stdint.h>

/* The word will stand for the descriptor. */
void epoll_sets_add(int epoll, uint64_t word, int fd);

/* -1 when it is not known: many words later, or added by other means. */
int epoll_sets_find(int epoll, uint64_t word);
