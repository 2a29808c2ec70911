# shellcheck shell=sh disable=SC2154,SC2086 # see run
# sqlite3 with each insert a transaction in a file: what waiting for the storage comes to, beside what
# `synchronous=OFF` really brings. JOURNAL=DELETE for the journal that sqlite has unless told. The file lies in $work: on a file system in memory there is nothing to wait for.

build() {
    sqlite=$build_dir/apps/sqlite
    mkdir -p "$sqlite"
    # The same sqlite3.o as of bench/apps/run sqlite.
    (
        work=$sqlite
        cd "$work" || exit 1
        # shellcheck source=/dev/null
        . "$here/sqlite.sh"
        build
    )
    logged cc $cflags -D_GNU_SOURCE -I"$sqlite/amalgamation" "$here/drivers/commits.c" "$sqlite/sqlite3.o" -o commits \
        -pthread -lm
}

# commit_rows SECONDS RESULT SYNCHRONOUS COMMAND...: the hash of the tables is the result.
commit_rows() {
    commit_seconds=$1
    result=$2
    mode=$3
    shift 3
    "$@" ./commits --journal ${JOURNAL:-WAL} --seconds "$commit_seconds" --synchronous "$mode" >all.out
    cat all.out
    grep '^tables' all.out >"$result"
    sed -n 's/.*: \([0-9]*\) commits\/s/\1/p' all.out >>"$mode.rates"
}

# In turns, for storage has its moods.
native() {
    rm -f ./*.rates
    for _ in 1 2 3 4; do
        commit_rows "$native_seconds" native.result FULL env
        commit_rows "$native_seconds" native.result OFF env
    done
    paste FULL.rates OFF.rates | awk '{ saved = 100 * (1 - $1 / $2); sum += saved; print "turn " NR ": OFF saves " \
        sprintf("%.1f", saved) " % of the time of a commit" } END { printf "OFF really saves %.1f %%\n", sum / NR }'
}

profile() {
    commit_rows "$seconds" profiled.result FULL "$coz" run -o "$profile" --target wait ---
}
