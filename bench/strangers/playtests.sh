# shellcheck shell=sh disable=SC2034,SC2154
# zstd's own play tests, with Debian's binary: a long script, whose whole tree of processes is profiled.
need zstd zstd
tree=$(fetched libzstd '
    make -j2 -C tests datagen')
cp -a "$tree/tests" "$tree/programs" .

play() {
    rm -f verdict figures
    begin=$(date +%s%N)
    status=0
    (cd tests && ZSTD_BIN=$(command -v zstd) DATAGEN_BIN=$work/tests/datagen "$@" sh ./playTests.sh >../tests.log 2>&1) || status=$?
    echo "$((($(date +%s%N) - begin) / 1000000)) ms" >figures
    echo "exit status $status" >verdict
    [ $status = 0 ] || tail -n 3 tests.log >>verdict
}
