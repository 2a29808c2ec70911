/*
 * What the programs around sqlite share: threads that each fill a table of their own in rounds, and the hash of what
 * is in it.
 */
#pragma once

#include "driver.h"

#include <sqlite3.h>

static inline void must_in(sqlite3 *db, int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(db));
        exit(1);
    }
}

static void execute(sqlite3 *db, const char *sql)
{
    must_in(db, sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;

    must_in(db, sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK, sql);
    return statement;
}

/* Of every value of every row, in order. */
static uint64_t hash_table(sqlite3 *db, sqlite3_stmt *select, int expected)
{
    uint64_t hash = HASH_OF_NOTHING;
    int rows = 0;

    while (sqlite3_step(select) == SQLITE_ROW) {
        for (int column = 0; column < sqlite3_column_count(select); column++) {
            const char *text = (const char *)sqlite3_column_text(select, column);
            hash = hashed(hash, text, strlen(text));
        }
        rows++;
    }
    sqlite3_reset(select);
    must_in(db, rows == expected, "count");
    return hash;
}
