# shellcheck shell=sh disable=SC2034,SC2154
# redis-server with two I/O threads and an append-only file, which it rewrites in a child, under redis-benchmark; then the data are
# counted and read back, before and after the server is started again.
# shellcheck source=/dev/null
. "$here/servers/redis.sh"
threads=2

stop() {
    ask shutdown >/dev/null 2>&1 || :
    status=0
    wait "$server" || status=$?
    server=
    echo "exit status $status" >>verdict
}

# What 20000 keys hold, as the server itself says.
data() {
    ask dbsize
    ask debug digest
}

play() {
    rm -rf data figures verdict
    mkdir data
    start "$@"
    redis-benchmark -p "$port" -q --csv -n 60000 -c 40 -P 4 -t set,get,incr,lpush,lpop,mset >figures
    ask flushall >/dev/null
    seq 20000 | awk '{ printf "SET key:%d value-%d\nRPUSH list %d\n", $1, $1 * 7, $1 }' | ask >answers
    {
        sort answers | uniq -c | awk '$2 == "OK"'
        tail -n 1 answers
        ask bgrewriteaof
    } >verdict
    await sh -c "redis-cli -p $port info persistence | grep -q 'aof_rewrite_in_progress:0'"
    data >>verdict
    stop
    start "$@"
    data >>verdict
    stop
}
