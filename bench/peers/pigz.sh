# shellcheck shell=sh disable=SC2034
# pigz with two threads, at several levels: there and back through pipes, bytes compared.
need pigz pigz

play() {
    : >verdict
    : >figures
    [ -e input ] || seq 3000000 >input
    for level in 1 3 9; do
        begin=$(date +%s%N)
        "$@" pigz -n -p 2 -$level <input >packed 2>messages || cat messages
        "$@" pigz -d <packed >unpacked 2>messages || cat messages
        echo "level $level: $((($(date +%s%N) - begin) / 1000000)) ms" >>figures
        cmp input unpacked >>verdict && cksum packed >>verdict
    done
    "$@" pigz -t server.log >>verdict 2>/dev/null || echo "bad input: status $?" >>verdict
}
