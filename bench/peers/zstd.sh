# shellcheck shell=sh disable=SC2034
# zstd with two threads, at several levels: there and back, bytes compared.
need zstd zstd

play() {
    : >verdict
    : >figures
    [ -e input ] || seq 3000000 >input
    for level in 1 3 9; do
        begin=$(date +%s%N)
        "$@" zstd -q -f -T2 -$level input -o packed 2>messages || cat messages
        "$@" zstd -q -f -d packed -o unpacked 2>messages || cat messages
        echo "level $level: $((($(date +%s%N) - begin) / 1000000)) ms" >>figures
        cmp input unpacked >>verdict && cksum packed >>verdict
    done
    "$@" zstd -q -t server.log >>verdict 2>/dev/null || echo "bad input: status $?" >>verdict
}
