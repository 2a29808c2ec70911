/* The course of a run in slices of equal length: of how much of each windows tell, and what part of that the
 * machine was not the program's. Memory is the same however long the run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SLICES = 240 };

struct slice {
    double seen_ns, stolen_ns;
};

/* Begins as zeroes. */
struct slices {
    uint64_t length_ns; /* of each; 0: there is none */
    struct slice all[SLICES];
    size_t count; /* up to the last of which windows tell */
};

/* A window that began so long after the run did. Slices are made longer, two of them one, until it lies within
 * them; what is beyond all reason, some thousand years, is not taken. */
void slices_add(struct slices *slices, uint64_t began_ns, uint64_t length_ns, uint64_t stolen_ns);
