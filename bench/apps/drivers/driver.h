/*
 * What our drivers of real programs share: threads that do the same work in rounds, and the hash of what came of it. It
 * is the same in each round, so the hash must be too, and it does not depend on how long the program ran.
 */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_THREADS = 64 };

struct worker {
    pthread_t thread;
    unsigned id;
    double end; /* when it is to stop, as now_seconds() */
    unsigned long units;
    uint64_t hash; /* of its first round */
};

static inline double now_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline void must(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s failed\n", what);
        exit(1);
    }
}

/* FNV-1a: of these bytes after those that `hash` is of. */
#define HASH_OF_NOTHING UINT64_C(14695981039346656037)

static inline uint64_t hashed(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *c = bytes;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ c[i]) * UINT64_C(1099511628211);
    return hash;
}

/* A round of so many units has come to this hash. */
static inline void end_round(struct worker *self, uint64_t hash, unsigned long units)
{
    must(self->units == 0 || hash == self->hash, "the same contents again");
    self->hash = hash;
    self->units += units;
}

/* Runs `work` in so many threads, each with its worker, and prints the hash of all, called `name`. Returns how many units
 * they did. */
static inline unsigned long run_workers(void *(*work)(void *), int threads, double seconds, const char *name)
{
    static struct worker workers[MAX_THREADS];
    double start = now_seconds();

    for (int i = 0; i < threads; i++) {
        workers[i].id = (unsigned)i;
        workers[i].end = start + seconds;
        must(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "thread");
    }

    uint64_t hash = 0;
    unsigned long units = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        hash = hash * 31 + workers[i].hash;
        units += workers[i].units;
    }
    printf("%s %016llx\n", name, (unsigned long long)hash);
    return units;
}

/* The value of --seconds, the only option. */
static inline double seconds_asked(int argc, char **argv)
{
    double seconds = argc == 3 && strcmp(argv[1], "--seconds") == 0 ? atof(argv[2]) : argc == 1 ? 5 : 0;

    if (seconds <= 0) {
        fprintf(stderr, "usage: %s [--seconds N]\n", argv[0]);
        exit(2);
    }
    return seconds;
}
