# shellcheck shell=sh disable=SC2154,SC2086 # see run
# memcached on a free port of the loopback address, under our load generator, which compares every byte it is answered.

build() {
    fetch memcached
    # The end of a command: the connection is made ready for its next one.
    insert memcached/memcached.c '/^#include "memcached.h"$/a #include <coz.h>
        s/^static void reset_cmd_handler(conn \*c) {$/&\n    COZ_PROGRESS_NAMED("command");/'
    [ -e memcached/Makefile ] || (cd memcached && logged ./configure CFLAGS="$cflags")
    logged make -C memcached memcached
    logged cc $cflags -D_GNU_SOURCE "$here/drivers/loadgen.c" -o loadgen -pthread
}

# serve SECONDS RESULT COMMAND...: the server under the command, and the load. The load shuts the server down.
serve() {
    load_seconds=$1
    result=$2
    shift 2
    rm -f port
    failed=no
    MEMCACHED_PORT_FILENAME=$work/port "$@" ./memcached/memcached -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -t 2 -m 256 \
        --enable-shutdown &
    server_started $!
    await_server test -s port
    port=$(sed -n 's/^TCP INET: *//p' port)
    ./loadgen "$port" --seconds "$load_seconds" >load.out || failed=yes
    status=0
    wait $server || status=$?
    cat load.out
    [ $failed$status = no0 ] || fail "requests failed: $failed, exit status of the server: $status"
    trap - EXIT
    head -n 1 load.out >"$result"
}

native() {
    serve_natively
}

profile() {
    serve_profiled
}
