# shellcheck shell=sh disable=SC2154,SC2086 # see run
# postgresql on a socket in a folder, asked again and again by two clients of pgbench how many of its notes hold a word.
question="SELECT count(*) FROM notes WHERE body LIKE '%vkmzqyx%'"
# Both builds take the first one's data, and listen where one load finds them.
shared=$build_dir/apps/postgresql
data=$shared/data
export PGHOST="$shared/socket" PGUSER=postgres PGDATABASE=postgres
# The server refuses to run as root.
user=nobody
as_user=
[ "$(id -u)" != 0 ] || as_user="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups"

# may_write FILE...: the server's user.
may_write() {
    [ -z "$as_user" ] || chown "$user" "$@"
}

# After a % the C library looks for the next byte of the pattern, and not the loop for each character. Of the four encodings
# only UTF-8, in which no character holds the first byte of another one, has neither of the two macros.
find_first_byte() {
    grep -q memchr postgresql-15/src/backend/utils/adt/like_match.c ||
        sed -i -e '/^\t\t\t\tif (GETCHAR(\*t) == firstpat)$/i\
#if !defined(CHAREQ) \&\& !defined(MATCH_LOWER)\
\t\t\t\tconst char *found = memchr(t, firstpat, tlen);\
\
\t\t\t\tif (!found)\
\t\t\t\t\tbreak;\
\t\t\t\ttlen -= found - t;\
\t\t\t\tt = found;\
#endif' postgresql-15/src/backend/utils/adt/like_match.c
    [ "$(grep -c memchr postgresql-15/src/backend/utils/adt/like_match.c)" = 1 ] ||
        fail "the change does not fit into like_match.c: is it a new version?"
}

# 2 MB of text in rows of 750 bytes: of 8 MB, how long a search takes would be the memory's affair, and on a shared machine
# others'. Made once, without a server.
make_data() {
    logged cc $cflags "$here/drivers/generate.c" -o generate
    ./generate 2000000 | paste -d ' ' - - - - - - - - - - >notes
    rm -rf "$data.new"
    mkdir -p "$data.new" "$PGHOST"
    may_write "$data.new" "$PGHOST"
    $as_user test -r notes || fail "the user $user does not reach $work"
    logged $as_user installed/bin/initdb -D "$data.new" -U "$PGUSER" -E UTF8 --locale=C -A trust --no-sync
    cat >>"$data.new/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$PGHOST'
max_parallel_workers_per_gather = 0
autovacuum = off
fsync = off
END
    cat >notes.sql <<END
CREATE TABLE notes (body text);
COPY notes FROM '$work/notes';
VACUUM ANALYZE notes;
END
    logged $as_user installed/bin/postgres --single -D "$data.new" "$PGDATABASE" <notes.sql
    mv "$data.new" "$data"
}

build() {
    fetch postgresql-15
    [ -z "$changed" ] || find_first_byte
    # A query is answered.
    insert postgresql-15/src/backend/tcop/postgres.c '/^#include "postgres.h"$/a #include <coz.h>
        /^exec_simple_query(/,/^}/ s/^\tTRACE_POSTGRESQL_QUERY_DONE(.*$/&\n\tCOZ_PROGRESS_NAMED("query");/'
    [ -e postgresql-15/src/Makefile.global ] ||
        (cd postgresql-15 && logged ./configure --prefix="$work/installed" --without-readline --without-zlib CFLAGS="$cflags")
    logged make -C postgresql-15/src/backend generated-headers
    for part in timezone backend backend/snowball interfaces/libpq pl/plpgsql/src bin/initdb bin/psql bin/pgbench; do
        logged make -j2 -C "postgresql-15/src/$part" install
    done
    [ -e "$data" ] || make_data
    echo "$question" >question.sql
    rm -f answer
}

ask() {
    installed/bin/psql -X -A -t -c "$question"
}

# keep_asking SECONDS: how many answers that were.
keep_asking() {
    installed/bin/pgbench -n -c 2 -T "$1" -f question.sql 2>&1 | sed -n 's/^number of .*processed: \([0-9]*\)$/\1 answers/p'
}

# A changed server must answer as the first one did.
answers_as_ever() {
    answer=$(ask 2>/dev/null) || return 1
    [ -s answer ] || echo "$answer" >answer
    [ "$answer" = "$(cat answer)" ] || fail "the answer was $(cat answer), and is now $answer"
}

# Whenever a server is there, until it is no more.
load() {
    while :; do
        ! answers_as_ever || keep_asking 1000000 >/dev/null
        sleep 0.1
    done
}

# serve SECONDS RESULT COMMAND...: the server under the command, and the load.
serve() {
    load_seconds=$1
    result=$2
    shift 2
    $as_user "$@" installed/bin/postgres -D "$data" >server.log 2>&1 &
    server_started $!
    await_server ask
    ask >"$result"
    keep_asking "$load_seconds"
    ask >>"$result"
    kill -INT "$(head -n 1 "$data/postmaster.pid")"
    server_ends
}

native() {
    serve_natively
}

profile() {
    : >"$profile"
    may_write "$profile"
    serve_profiled
}
