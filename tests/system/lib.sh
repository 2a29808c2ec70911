# shellcheck shell=sh
# What the system tests share; a test begins with `. "$(dirname "$0")/../lib.sh"` and ends with `finish`.
#
# A test runs in a folder of its own, with $coz, $targets (their programs), $tools, $sources (the targets' sources) and
# $root (the tree's). It goes on after a check that failed, to tell about all of them.
set -u

root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
coz=$build/bin/coz
targets=$build/tests/programs
tools=$build/tests/system
sources=$root/tests/programs
checks=0
failures=0
status=0
told=no
export coz targets tools sources root
unset LD_PRELOAD COZ_SEGMENT COLUMNS DEBUGINFOD_URLS

work=$(mktemp -d "${TMPDIR:-/tmp}/coz-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
export XDG_CACHE_HOME="$work/cache"

# run COMMAND...: its output goes to the files out and err, its exit status to $status.
run() {
    printf '%s\n' "$*" >ran
    "$@" >out 2>err
    status=$?
    told=no
}

# The programs, truths and profiles of benches go to a build of their own from here on, which has this one's coz.
bench_build() {
    mkdir own
    ln -s "$build/bin" own/bin
    BUILD=$PWD/own
    export BUILD
}

# experiments PROFILE: how many it holds, in our format or the original's.
experiments() {
    if [ -e "$1" ]; then
        grep -cE '^experiment	|^\{"type":"experiment"' "$1"
    else
        echo 0
    fi
}

# Whatever is waited for is waited for so many tenths of a second: against hanging only. What a machine needs for it is the
# machine's affair.
patience=3000

# await_that COMMAND...: until it succeeds. Fails when it does not.
await_that() {
    for _ in $(seq $patience); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

# run_until_that CONDITION COMMAND...: as run; the program is given `--until enough`, and that file appears when the
# condition (a command, as for eval) is fulfilled.
run_until_that() {
    condition=$1
    shift
    rm -f enough
    {
        await_that eval "$condition"
        : >enough
    } &
    watcher=$!
    run "$@" --until enough
    kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null
    told=no
}

# press_when CONDITION: in the background; the file pressed appears when the condition is fulfilled, for tools/terminal
# to press Ctrl-C then.
press_when() {
    rm -f pressed out
    {
        await_that eval "$1"
        : >pressed
    } &
}

# run_until COUNT PROFILE COMMAND...: as run_until_that, when the profile holds so many more experiments than before.
run_until() {
    count=$(($1 + $(experiments "$2")))
    growing=$2
    shift 2
    # shellcheck disable=SC2016 # for eval
    run_until_that 'has_windows "$growing" "$count"' "$@"
}

# has_windows PROFILE COUNT: it holds so many experiments or more.
has_windows() {
    test "$(experiments "$1")" -ge "$2"
}

# await_windows PROFILE [COUNT]: until it holds an experiment, or so many.
await_windows() {
    await_that has_windows "$1" "${2:-1}"
}

# write_answer SAMPLES...: a profile that is sure that big.c:10 made 50 % faster saves 40 %, with these records of samples.
write_answer() {
    awk 'BEGIN {
        print "{\"type\":\"startup\",\"time\":1}"
        for (block = 1; block <= 12; block++)
            for (window = 1; window <= 3; window++) {
                elapsed = window == 2 ? 60e6 : 100e6 + 1e5 * ((block + window) % 5)
                printf "{\"type\":\"experiment\",\"selected\":\"big.c:10\",\"speedup\":%s,\"duration\":%d," \
                    "\"selected_samples\":90,\"block\":%d,\"window\":%d}\n", window == 2 ? 0.5 : 0, elapsed, block, window
                printf "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":1000,\"elapsed\":%d}\n", elapsed
            }
    }' </dev/null
    printf '%s\n' "$@" '{"type":"runtime","time":4000000000}'
}

# check NAME COMMAND...: the command must succeed; else says so, with what was printed last.
check() {
    name=$1
    shift
    checks=$((checks + 1))
    if "$@" >checked 2>&1; then
        return 0
    fi
    failures=$((failures + 1))
    printf 'FAILED: %s\n  the check: %s\n' "$name" "$*"
    sed 's/^/  | /' checked
    test $told = yes || tell
    return 1
}

# What was run last, and what it printed.
tell() {
    printf '  after: %s\n  exit status %s\n' "$(cat ran)" "$status"
    for file in out err; do
        printf '  %s:\n' "$file"
        tail -n 30 "$file" | cut -c 1-300 | sed 's/^/  | /'
    done
    told=yes
}

# begin NAME: what runs from here on is not run by run(), but called so.
begin() {
    echo "$1" >ran
    told=no
}

# exited STATUS: what was run last ended so.
exited() {
    test "$status" -eq "$1"
}

# says FILE PATTERN, lacks FILE PATTERN: whether a line of the file matches.
says() {
    grep -qE -- "$2" "$1"
}

lacks() {
    ! grep -qE -- "$2" "$1"
}

# holds PROFILE TYPE [PATTERN]: whether the profile has such a record.
holds() {
    grep -F "{\"type\":\"$2\"" "$1" | grep -qE -- "${3-}"
}

# records PROFILE TYPE: how many there are; none where there is no profile yet.
records() {
    if [ -e "$1" ]; then
        grep -cF "{\"type\":\"$2\"" "$1"
    else
        echo 0
    fi
}

# is_empty FILE, same FILE FILE
is_empty() {
    test -e "$1" && ! test -s "$1"
}

same() {
    diff -u "$1" "$2"
}

# Every line of the profile must be an object, and the report must read it without a complaint.
is_sound() {
    "$tools/json" --lines <"$1" || return 1
    "$coz" report -a "$1" >/dev/null 2>complaints
    grep -E '^coz report: .*:[0-9]+:' complaints && return 1
    return 0
}

# line_of SOURCE MARK: FILE:LINE of the only line of a target's source that says so.
line_of() {
    printf '%s:%s\n' "$1" "$(find "$sources" -name "$1" -exec grep -nF -- "$2" {} + | cut -d: -f1)"
}

# await FILE: until it is there.
await() {
    await_that test -e "$1"
}

# has_ended PID: no such process runs any more. await_end PID: until then.
has_ended() {
    ! grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null
}

await_end() {
    await_that has_ended "$1"
}

finish() {
    if [ "$failures" -gt 0 ]; then
        printf '%s of %s checks failed\n' "$failures" "$checks"
        exit 1
    fi
    printf '%s checks passed\n' "$checks"
    exit 0
}
