# shellcheck shell=sh disable=SC2034,SC2154
# PostgreSQL, a tree of processes, under pgbench: a cluster is made, filled, and put under load by two clients' threads; then the
# accounts must balance, before and after the server is stopped and started again. It will not be run by root.
# shellcheck source=/dev/null
. "$here/servers/postgresql.sh"

ask() {
    as_nobody psql -X -q -A -t -h "$work" -p "$port" -d postgres -c "$1"
}

# Fast shutdown: what is under way is rolled back.
stop() {
    as_nobody pg_ctl -D "$work/data" -m fast -w stop >>server.log 2>&1 || echo "pg_ctl: status $?" >>verdict
    status=0
    wait "$server" || status=$?
    server=
    echo "exit status $status" >>verdict
}

# What every transaction of pgbench keeps equal.
data() {
    ask "select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history),
        (select sum(bbalance) from pgbench_branches) = (select sum(delta) from pgbench_history),
        (select sum(tbalance) from pgbench_tellers) = (select sum(delta) from pgbench_history),
        (select count(*) from pgbench_history), (select count(*) from pgbench_accounts)"
}

play() {
    rm -rf data verdict figures
    prepare
    start "$@"
    : >verdict
    fill >pgbench.log 2>&1 || echo "pgbench -i: status $?" >>verdict
    as_nobody pgbench -h "$work" -p "$port" -n -c 8 -j 2 -t 1000 postgres >pgbench.log 2>&1 || echo "pgbench: status $?" >>verdict
    grep -E '^number of (transactions actually|failed)' pgbench.log >>verdict
    grep -E '^tps' pgbench.log >figures
    as_nobody pgbench -h "$work" -p "$port" -n -S -C -c 4 -j 2 -t 200 postgres >pgbench.log 2>&1 || echo "pgbench -C: status $?" >>verdict
    grep -E '^number of (transactions actually|failed)' pgbench.log >>verdict
    data >>verdict
    stop
    start "$@"
    data >>verdict
    stop
    sed -nE "s,.*(PANIC|terminated by signal),\1,p" server.log >>verdict
    : >server.log
}
