# shellcheck shell=sh disable=SC2034,SC2154
# PostgreSQL, a tree of processes, as nobody, for it will not be run by root.
for bin in /usr/lib/postgresql/*/bin; do
    PATH=$PATH:$bin
done
need initdb postgresql
need pgbench postgresql-contrib
give_away
port=15432
point=usdt:postgresql:transaction-commit

# A new cluster.
prepare() {
    as_nobody initdb -D "$work/data" -N -A trust >initdb.log 2>&1
}

# start COMMAND...: the server under the command.
start() {
    as_nobody "$@" postgres -D "$work/data" -k "$work" -p "$port" -c listen_addresses= -c shared_buffers=32MB \
        -c unix_socket_directories="$work" >>server.log 2>&1 &
    server=$!
    await as_nobody pg_isready -h "$work" -p "$port" -d postgres
}

fill() {
    as_nobody pgbench -h "$work" -p "$port" -q -i -s 2 postgres
}

load() {
    as_nobody pgbench -h "$work" -p "$port" -n -c 8 -j 2 -T 20 postgres
}
