# shellcheck shell=sh disable=SC2034,SC2154
# memcached with two threads, and the load of bench/apps, which compares every byte that it is answered.
need memcached memcached
need cc gcc
port=
point=call:sendmsg # what one or several commands came to is handed to the kernel
cc -O2 -D_GNU_SOURCE "$here/../apps/drivers/loadgen.c" -o loadgen -pthread

# start COMMAND...: the server under the command.
start() {
    rm -f port
    MEMCACHED_PORT_FILENAME=$work/port "$@" memcached -u "$(id -un)" -l 127.0.0.1 -p -1 -U 0 -t 2 -m 256 >>server.log 2>&1 &
    server=$!
    await test -s port
    port=$(sed -n 's/^TCP INET: *//p' port)
}

load() {
    ./loadgen "$port" --seconds 20 --threads 2 # one waits for all its answers, and has the server wait meanwhile
}
