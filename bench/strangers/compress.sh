# shellcheck shell=sh
# What pigz.sh and zstd.sh share: there and back at several levels, with bytes compared; then input that is cut off, and input
# that is none. pack LEVEL COMMAND... and unpack COMMAND... write packed and unpacked; they say why not in messages.
play() {
    : >verdict
    : >figures
    [ -e input ] || seq 3000000 >input
    for level in 1 3 9; do
        begin=$(date +%s%N)
        pack $level "$@" || cat messages
        unpack "$@" <packed || cat messages
        echo "level $level: $((($(date +%s%N) - begin) / 1000000)) ms" >>figures
        cmp input unpacked >>verdict && cksum packed >>verdict
    done
    head -c 100000 packed >cut.bad
    head -c 100000 input >none.bad
    for bad in cut.bad none.bad; do
        status=0
        unpack "$@" <$bad || status=$?
        echo "$bad: status $status" >>verdict
        sed '/^coz:/d; /^     /d' messages >>verdict
    done
}
