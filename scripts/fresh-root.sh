# shellcheck shell=sh
# A fresh Debian, made by debootstrap, for scripts that begin with `. scripts/fresh-root.sh` and then call
#
#   make_root SUITE PACKAGE,...     $root is a root of that suite with these packages, and this machine's way to its mirror
#   in_root SCRIPT                  sh runs the script in it, with mounts and processes in namespaces of their own
#
# Needs root, and a mirror, which is read from this machine's apt configuration along with its proxies and certificates.
# Exits 77 when such a root cannot be made here, and says why. Nothing is left behind however this ends, but for the folder
# if it is killed.

cannot() {
    echo "No fresh root here: $1."
    exit 77
}

make_root() { # SUITE PACKAGES
    suite=$1
    [ "$(id -u)" = 0 ] || cannot "that takes root"
    command -v apt-get >/dev/null 2>&1 || cannot "this is not Debian"
    unshare --mount --pid --fork true 2>/dev/null || cannot "namespaces are not permitted"
    scripts/setup fresh || cannot "debootstrap could not be installed"

    # A mirror of Debian has all suites, so that one of another suite will do. Those of security updates are no suites.
    # shellcheck disable=SC2016 # apt's own variables
    mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$suite" '$2 == "main" && $1 == suite { print $3; found = 1; exit }
            $2 == "main" && $3 !~ /security/ && !other { other = $3 }
            END { if (!found) print other }')
    [ -n "$mirror" ] || cannot "this machine's apt has no mirror of Debian"

    work=$(mktemp -d "${TMPDIR:-/var/tmp}/coz-fresh.XXXXXX")
    trap 'rm -rf --one-file-system "$work"' EXIT
    trap 'exit 143' TERM INT HUP
    root=$work/root

    include=$2
    case $mirror in
    https:*) include=$include,ca-certificates ;;
    esac
    echo "Making a root of $suite..."
    debootstrap --variant=minbase --include="$include" "$suite" "$root" "$mirror" >"$work/log" 2>&1 || {
        tail -n 5 "$work/log"
        cannot "debootstrap failed as above"
    }

    # How this machine reaches its mirror.
    apt-config dump | grep -E '^Acquire::(http|https|ftp|Check|Retries)' >"$root/etc/apt/apt.conf.d/99host" || :
    for file in /etc/hosts /etc/resolv.conf /etc/apt/auth.conf $(sed -n 's/.*"\(\/.*\)";/\1/p' "$root/etc/apt/apt.conf.d/99host"); do
        if [ -f "$file" ]; then
            mkdir -p "$root$(dirname "$file")"
            cp -L "$file" "$root$file"
        fi
    done
    [ ! -d "$root/etc/ssl/certs" ] || [ ! -f /etc/ssl/certs/ca-certificates.crt ] ||
        cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
}

in_root() { # SCRIPT
    # shellcheck disable=SC2016 # the inner shell expands them
    unshare --mount --propagation private --pid --fork --kill-child sh -eu -c '
        mount -t proc proc "$1/proc"
        mount --rbind /sys "$1/sys"
        mount --rbind /dev "$1/dev"
        mount -t tmpfs tmpfs "$1/dev/shm" 2>/dev/null || :
        exec chroot "$1" env HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -eu -c "$2"
    ' sh "$root" "$1" </dev/null
}
