# shellcheck shell=sh disable=SC2034,SC2154
# redis-server with an append-only file.
need redis-server redis-server
need redis-benchmark redis-tools
port=16379
threads=1
point=call:write # an answer, or several to one client, handed to the kernel

ask() {
    redis-cli -p "$port" "$@"
}

# start COMMAND...: the server under the command.
start() {
    mkdir -p data
    "$@" redis-server --port $port --bind 127.0.0.1 --save "" --appendonly yes --appendfsync everysec \
        --io-threads "$threads" --dir "$work/data" >>server.log 2>&1 &
    server=$!
    await ask ping
}

load() {
    redis-benchmark -p "$port" -q -n 200000 -c 40 -P 4 -t set,get
}
