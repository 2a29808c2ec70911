# shellcheck shell=sh disable=SC2154
# pigz with two threads, through pipes.
need pigz pigz
# shellcheck source=/dev/null
. "$here/compress.sh"

pack() {
    level=$1
    shift
    "$@" pigz -n -p 2 -"$level" <input >packed 2>messages
}

unpack() {
    "$@" pigz -d >unpacked 2>messages
}
