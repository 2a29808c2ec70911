/*
 * A sqlite that has to be sure: each thread inserts rows into a database in a file of its own, and each insert
 * is a transaction, which with `PRAGMA synchronous=FULL` waits for the storage: once where the journal is a WAL,
 * several times where it is DELETE. A progress point after each.
 *
 * The threads work in rounds: fill the table, hash it, empty it. The contents are the same in each round, so the hash
 * must be too, and it does not depend on how long the program ran.
 *
 *     commits [--seconds N] [--threads N] [--synchronous FULL|OFF] [--journal WAL|DELETE]     in the current folder
 */
#include "rows.h"

#include <coz.h>
#include <unistd.h>

enum { ROWS = 500 };

static const char *synchronous = "FULL", *journal = "WAL";

static void insert_row(sqlite3 *db, sqlite3_stmt *insert, unsigned id, int row)
{
    char name[32];

    snprintf(name, sizeof name, "thread %u row %d", id, row);
    sqlite3_bind_int(insert, 1, row);
    sqlite3_bind_text(insert, 2, name, -1, SQLITE_TRANSIENT);
    must_in(db, sqlite3_step(insert) == SQLITE_DONE, "insert");
    sqlite3_reset(insert);
}

static void *work(void *argument)
{
    struct worker *self = argument;
    sqlite3 *db;
    char file[32], pragma[128];

    snprintf(file, sizeof file, "commits-%u.db", self->id);
    snprintf(pragma, sizeof pragma, "PRAGMA journal_mode=%s; PRAGMA synchronous=%s", journal, synchronous);
    unlink(file);
    must_in(db, sqlite3_open(file, &db) == SQLITE_OK, "open");
    execute(db, pragma);
    execute(db, "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)");
    sqlite3_stmt *insert = prepare(db, "INSERT INTO t VALUES (?, ?)");
    sqlite3_stmt *select = prepare(db, "SELECT name FROM t ORDER BY id");

    do {
        execute(db, "DELETE FROM t");
        for (int row = 0; row < ROWS; row++) {
            insert_row(db, insert, self->id, row);
            COZ_PROGRESS_NAMED("commit");
        }
        end_round(self, hash_table(db, select, ROWS), ROWS);
    } while (now_seconds() < self->end);

    sqlite3_finalize(insert);
    sqlite3_finalize(select);
    must_in(db, sqlite3_close(db) == SQLITE_OK, "close");
    unlink(file);
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = 10;
    int threads = 1;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            seconds = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--synchronous") == 0)
            synchronous = argv[i + 1];
        else if (strcmp(argv[i], "--journal") == 0)
            journal = argv[i + 1];
    }
    if (argc % 2 == 0 || seconds <= 0 || threads < 1 || threads > MAX_THREADS ||
        (strcmp(synchronous, "FULL") != 0 && strcmp(synchronous, "OFF") != 0) ||
        (strcmp(journal, "WAL") != 0 && strcmp(journal, "DELETE") != 0)) {
        fprintf(
            stderr,
            "usage: commits [--seconds N] [--threads 1-%d] [--synchronous FULL|OFF] [--journal WAL|DELETE]\n",
            MAX_THREADS);
        return 2;
    }

    double start = now_seconds();
    unsigned long commits = run_workers(work, threads, seconds, "tables");
    double elapsed = now_seconds() - start;
    printf("%s: %lu commits in %.2f s: %.0f commits/s\n", synchronous, commits, elapsed,
           (double)commits / elapsed);
    return 0;
}
