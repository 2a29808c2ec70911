# shellcheck shell=sh disable=SC2154,SC2086 # see run
# memcached on a free port of the loopback address, under our load generator, which compares every byte it is answered.

# Where the builds of a case listen (cases/run).
case_port=21211

# The answer of a get waits for those of the commands that have come with it, as the answers of all others do. The state
# for the next command sends what is to be sent when there is none.
gather_answers() {
    sed -i -e '/^static inline void process_get_command(/,/^}/ s/^\( *conn_set_state(c, \)conn_mwrite);$/\1conn_new_cmd);/' \
        memcached/proto_text.c
    sed -n '/^static inline void process_get_command(/,/^}/p' memcached/proto_text.c | grep -q 'c, conn_new_cmd);$' ||
        fail "the change does not fit into proto_text.c: is it a new version?"
}

build() {
    fetch memcached
    [ -z "$changed" ] || gather_answers
    # A command is carried out, but for the bytes that a set brings.
    insert memcached/proto_text.c '/^#include "memcached.h"$/a #include <coz.h>
        s/^    process_command_ascii(c, c->rcurr);$/&\n    COZ_PROGRESS_NAMED("command");/'
    [ -e memcached/Makefile ] || (cd memcached && logged ./configure CFLAGS="$cflags")
    logged make -C memcached memcached
    cp memcached/memcached memcached.bin
    logged cc $cflags -D_GNU_SOURCE "$here/drivers/loadgen.c" -o loadgen -pthread
}

# Gets alone, whenever a server is there, until it is no more; every byte of the answers is compared.
load() {
    while :; do
        status=0
        ./loadgen $case_port --seconds 1000000 --gets 8 >load.out 2>&1 || status=$?
        [ $status = 2 ] || fail "$(cat load.out)"
        sleep 0.1
    done
}

# serve SECONDS RESULT COMMAND...: the server under the command, and the load. The load shuts the server down.
serve() {
    load_seconds=$1
    result=$2
    shift 2
    rm -f port
    failed=no
    MEMCACHED_PORT_FILENAME=$work/port "$@" ./memcached.bin -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -t 2 -m 256 \
        --enable-shutdown &
    server_started $!
    await_server test -s port
    port=$(sed -n 's/^TCP INET: *//p' port)
    ./loadgen "$port" --seconds "$load_seconds" >load.out || failed=yes
    cat load.out
    server_ends
    [ $failed = no ] || fail "requests failed"
    head -n 1 load.out >"$result"
}

native() {
    serve_natively
}

profile() {
    serve_profiled
}
