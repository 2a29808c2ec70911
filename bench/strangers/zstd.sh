# shellcheck shell=sh disable=SC2154
# zstd with two threads.
need zstd zstd
# shellcheck source=/dev/null
. "$here/compress.sh"

pack() {
    level=$1
    shift
    "$@" zstd -q -f -T2 -"$level" input -o packed 2>messages
}

unpack() {
    "$@" zstd -q -d -c >unpacked 2>messages
}
