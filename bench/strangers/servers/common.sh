# shellcheck shell=sh disable=SC2034,SC2154
# What scripts share that run somebody else's servers: sourced, in a folder of its own, $work.
chmod 755 "$work" # for servers that give up root

# need PROGRAM PACKAGE
need() {
    command -v "$1" >/dev/null || {
        echo "$name: no $1: install Debian's package $2" >&2
        exit 1
    }
}

# await COMMAND...: until it succeeds, for 20 seconds.
await() {
    waited=0
    until "$@" >/dev/null 2>&1; do
        waited=$((waited + 1))
        [ $waited -lt 200 ] || {
            echo "$name did not come up" >&2
            exit 1
        }
        sleep 0.1
    done
}

# For programs that will not be run by root: the folder is nobody's, and as_nobody runs COMMAND... as such.
give_away() {
    [ "$(id -u)" != 0 ] || chown -R nobody "$work"
}
as_nobody() {
    if [ "$(id -u)" = 0 ]; then
        HOME=$work setpriv --reuid=nobody --regid=nogroup --clear-groups "$@"
    else
        "$@"
    fi
}
