/*
 * What the programs around sqlite share: threads that each fill a table of their own in rounds, and the hash of what
 * is in it. The contents are the same in each round, so the hash must be too, and it does not depend on how long the
 * program ran.
 */
#pragma once

#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_THREADS = 64 };

struct worker {
    pthread_t thread;
    unsigned id;
    double end;
    unsigned long inserts;
    uint64_t hash;
};

static double now_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(int ok, sqlite3 *db, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s: %s\n", what, db ? sqlite3_errmsg(db) : "failed");
        exit(1);
    }
}

static void execute(sqlite3 *db, const char *sql)
{
    must(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, db, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;

    must(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, db, sql);
    return statement;
}

/* FNV-1a over every value of every row, in order. */
static uint64_t hash_table(sqlite3 *db, sqlite3_stmt *select, int expected)
{
    uint64_t hash = 14695981039346656037u;
    int rows = 0;

    while (sqlite3_step(select) == SQLITE_ROW) {
        for (int column = 0; column < sqlite3_column_count(select); column++) {
            for (const unsigned char *c = sqlite3_column_text(select, column); *c; c++)
                hash = (hash ^ *c) * 1099511628211u;
        }
        rows++;
    }
    sqlite3_reset(select);
    must(rows == expected, db, "count");
    return hash;
}

/* A round has filled the table. */
static void end_round(struct worker *self, sqlite3 *db, sqlite3_stmt *select, int rows)
{
    uint64_t hash = hash_table(db, select, rows);

    must(self->inserts == 0 || hash == self->hash, NULL, "the same contents again");
    self->hash = hash;
    self->inserts += (unsigned long)rows;
}

/* Runs `work` in so many threads, each with its worker, and prints the hash of all. Returns how many rows they
 * inserted. */
static unsigned long run_workers(void *(*work)(void *), int threads, double seconds)
{
    static struct worker workers[MAX_THREADS];
    double start = now_seconds();

    for (int i = 0; i < threads; i++) {
        workers[i].id = (unsigned)i;
        workers[i].end = start + seconds;
        must(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, NULL, "thread");
    }

    uint64_t hash = 0;
    unsigned long inserts = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        hash = hash * 31 + workers[i].hash;
        inserts += workers[i].inserts;
    }
    printf("tables %016llx\n", (unsigned long long)hash);
    return inserts;
}
