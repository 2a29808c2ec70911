/*
 * A write-heavy sqlite: each thread inserts rows into its own table in its own database in memory, a progress
 * point after each insert. So nothing of the program's is shared - only what sqlite shares inside: its
 * allocator's statistics, its page cache, and the locks around them.
 *
 * The threads work in rounds: fill the table, hash it, empty it. The contents are the same in each round, so
 * the hash must be too; what is printed first (the hash of all threads) does not depend on how long the
 * program ran.
 *
 *     sqlite [--seconds N] [--threads N]
 */
#include "rows.h"

#include <coz.h>

enum { ROWS = 20000 };

static void insert_row(sqlite3 *db, sqlite3_stmt *insert, unsigned id, int row)
{
    char name[32];

    snprintf(name, sizeof name, "thread %u row %d", id, row);
    sqlite3_bind_int(insert, 1, row);
    sqlite3_bind_text(insert, 2, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 3, (sqlite3_int64)row * row + id);
    must_in(db, sqlite3_step(insert) == SQLITE_DONE, "insert");
    sqlite3_reset(insert);
}

static void *work(void *argument)
{
    struct worker *self = argument;
    sqlite3 *db;

    must_in(db, sqlite3_open(":memory:", &db) == SQLITE_OK, "open");
    execute(db, "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, value INTEGER)");
    sqlite3_stmt *insert = prepare(db, "INSERT INTO t VALUES (?, ?, ?)");
    sqlite3_stmt *select = prepare(db, "SELECT id, name, value FROM t ORDER BY id");

    do {
        execute(db, "DELETE FROM t");
        for (int row = 0; row < ROWS; row++) {
            insert_row(db, insert, self->id, row);
            COZ_PROGRESS_NAMED("insert");
        }
        end_round(self, hash_table(db, select, ROWS), ROWS);
    } while (now_seconds() < self->end);

    sqlite3_finalize(insert);
    sqlite3_finalize(select);
    must_in(db, sqlite3_close(db) == SQLITE_OK, "close");
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = 10;
    int threads = 2;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            seconds = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[i + 1]);
    }
    if (argc % 2 == 0 || seconds <= 0 || threads < 1 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: sqlite [--seconds N] [--threads 1-%d]\n", MAX_THREADS);
        return 2;
    }

#ifdef CHANGED /* nobody asks how much memory is in use, so that no lock is needed to count it */
    must(sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK, "config");
#endif
    double start = now_seconds();
    unsigned long inserts = run_workers(work, threads, seconds, "tables");
    double elapsed = now_seconds() - start;
    printf("%lu inserts in %.2f s: %.0f inserts/s\n", inserts, elapsed, (double)inserts / elapsed);
    return 0;
}
