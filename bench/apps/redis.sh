# shellcheck shell=sh disable=SC2154,SC2086 # see run
# redis on a socket in a folder, asked again and again how many members four large sets have together, by redis-benchmark.
question="PFCOUNT set:1 set:2 set:3 set:4"
# Both builds listen where one load finds them.
socket=$build_dir/apps/redis/socket

# Four registers are taken out of three bytes at once, not each of them out of the two bytes that it may lie in; and which is
# larger is no branch, which nobody could foretell.
unpack_by_fours() {
    grep -q 'four = ' redis/src/hyperloglog.c ||
        sed -i -e '/^int hllMerge(/,/^}/{/^        for (i = 0; i < HLL_REGISTERS; i++) {$/,/^        }$/c\
        const uint8_t *packed = hdr->registers;\
        for (i = 0; i < HLL_REGISTERS; i += 4, packed += 3) {\
            unsigned four = packed[0] | packed[1] << 8 | packed[2] << 16;\
            for (int k = 0; k < 4; k++, four >>= 6) {\
                val = four \& 63;\
                max[i + k] = val > max[i + k] ? val : max[i + k];\
            }\
        }
        }' redis/src/hyperloglog.c
    [ "$(grep -c 'four = ' redis/src/hyperloglog.c)" = 1 ] ||
        fail "the change does not fit into hyperloglog.c: is it a new version?"
}

build() {
    fetch redis
    [ -z "$changed" ] || unpack_by_fours
    # A command is answered.
    insert redis/src/networking.c '/^#include "server.h"$/a #include <coz.h>
        s/^void commandProcessed(client \*c) {$/&\n    COZ_PROGRESS_NAMED("command");/'
    logged make -C redis/src MALLOC=libc USE_SYSTEMD=no BUILD_TLS=no OPTIMIZATION=-O2 DEBUG="$cflags" \
        redis-server redis-cli redis-benchmark
    cp redis/src/redis-server redis.bin
    rm -f answer
    mkdir -p "${socket%/*}"
}

ask() {
    redis/src/redis-cli -s "$socket" "$@"
}

# The sets, so large that they are kept dense.
fill() {
    for set in 1 2 3 4; do
        seq $((set * 10000)) $((set * 10000 + 30000)) | xargs redis/src/redis-cli -s "$socket" pfadd "set:$set" || return 1
    done >/dev/null 2>&1
}

# A changed server must answer as the first one did.
answers_as_ever() {
    answer=$(ask $question) || return 0 # it has ended
    [ -s answer ] || echo "$answer" >answer
    [ "$answer" = "$(cat answer)" ] || fail "the answer was $(cat answer), and is now $answer"
}

# Whenever a server is there, until it is no more.
load() {
    while :; do
        if fill; then
            answers_as_ever
            redis/src/redis-benchmark -s "$socket" -c 4 -n 1000000000 -q $question >/dev/null 2>&1 || :
        fi
        sleep 0.1
    done
}

# serve SECONDS RESULT COMMAND...: the server under the command, and the load.
serve() {
    load_seconds=$1
    result=$2
    shift 2
    rm -f "$socket"
    "$@" ./redis.bin --save "" --appendonly no --port 0 --unixsocket "$socket" >server.log 2>&1 &
    server_started $!
    await_server test -S "$socket"
    fill || fail "the sets could not be filled"
    ask $question >"$result"
    timeout "$load_seconds" redis/src/redis-benchmark -s "$socket" -c 4 -n 1000000000 -q $question >/dev/null || :
    ask $question >>"$result"
    ask info commandstats | sed -n 's/^cmdstat_pfcount:calls=\([0-9]*\),.*/\1 answers/p'
    ask shutdown nosave >/dev/null 2>&1 || :
    server_ends
}

native() {
    serve_natively
}

profile() {
    serve_profiled
}
