#!/bin/sh
# Programs that give no profile, or a poor one, for the reasons that people meet most: the reason is said in the first
# seconds, and the remedy that goes with it leads to a report.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
patience=600

# diagnose NAME PATTERN [OPTION...] --- PROGRAM...: begins a run in a folder of that name, in the background. Its program is
# told to end when that was said, which is in the first ten seconds or never.
diagnose() {
    name=$1
    pattern=$2
    shift 2
    mkdir "$name"
    (
        cd "$name" || exit 99
        {
            await_that says err "$pattern" || :
            : >enough
        } &
        "$coz" run "$@" --until enough >out 2>err
        echo $? >status
    ) &
}

# diagnosed NAME PATTERN: when all have ended.
diagnosed() {
    printf 'the failure "%s"\n' "$1" >ran
    cp "$1/out" out
    cp "$1/err" err
    status=$(cat "$1/status")
    told=no
    check "$1: status" exited 0
    check "$1: the diagnosis" says err "^coz: .*$2"
    # What else runs on the machine is none of the failure's.
    check "$1: three lines in the first seconds, at most" \
        test "$(grep -vE '^coz: (Other programs use|The host)' "$1/early" | grep -c '^coz: ')" -le 3
}

# mended NAME POINT COMMAND...: the remedy gives a report about that point.
mended() {
    mended_point=$2
    mended_profile=$1/mended.jsonl
    shift 2
    run_until 3 "$mended_profile" "$coz" run -o "$mended_profile" "$@"
    check "$mended_profile: status" exited 0
    run "$coz" report --all "$mended_profile"
    check "$mended_profile: the report" says out "$mended_point"
}

never='No progress point was reached in the first [5-9] seconds.*COZ_PROGRESS'
# shellcheck disable=SC2016 # a point's name stands between such marks
seldom='`second` is visited .* times a second only.*--duration [0-9]+'
limiter='sleeps by the clock [0-9]+ %.*COZ_BEGIN'
spin="spin, most at .*$(line_of spin.c '/* spinning line */').*COZ_PRE_BLOCK"
library="time is spent in .*libeverything.so.*-b 'libeverything.so'"
header='header\.h:[0-9]+ is in a header, and its code in 2 functions.*COZ_PROGRESS_NAMED'
stripped='steps_stripped was stripped.*-g'
bare='steps_bare has no debug information.*-g'
sources="-s matches none of its sources .*steps.c.*-s 'steps.c'"
binaries="-b matches neither.*-b MAIN"

# Not too many at a time: they wait for each other's cores.
diagnose never "$never" --- "$targets/steps_pointless"
diagnose seldom "$seldom" --- "$targets/failing_seldom"
diagnose limiter "$limiter" --- "$targets/failing_limiter"
wait
diagnose spin "$spin" --- "$targets/failing_spin"
diagnose library "$library" --- "$targets/failing_everything"
diagnose stripped "$stripped" --- "$targets/steps_stripped"
wait
diagnose header "$header" --- "$targets/failing_header"
diagnose bare "$bare" --- "$targets/steps_bare"
diagnose sources "$sources" -s 'nothing.c' --- "$targets/steps"
diagnose binaries "$binaries" -b 'nothing.so' --- "$targets/steps"
wait
for name in never seldom limiter spin library stripped header bare sources binaries; do
    sed '/^coz: .*\(windows\|has the whole answer\|felt\|wide\)/,$d' "$name/err" >"$name/early"
    eval "diagnosed $name \"\$$name\""
done

mended never round --- "$targets/steps"
mended seldom unit --- "$targets/failing_seldom" --fine 1
mended limiter frame --- "$targets/failing_limiter" --free 1
mended spin piece --- "$targets/failing_spin" --announced 1
check "spin, announced: no finding" lacks err 'spin'
mended library 'everything_library\.c' -b MAIN -b 'libeverything.so' --- "$targets/failing_everything"
mended header request --- "$targets/failing_header_mended"
mended sources round -s 'steps.c' --- "$targets/steps"
mended binaries round -b MAIN --- "$targets/steps"

# Too short: the command that is proposed.
run "$coz" run -o brief.jsonl --- "$targets/failing_seldom" --fine 1 --ms 60
check "too short: status" exited 0
check "too short: the diagnosis" says err '^coz: The program ended after .* s, which is too short.*--end-to-end --runs [0-9]+'
runs=$(sed -n 's/.*--end-to-end --runs \([0-9]*\).*/\1/p' err)
run "$coz" run -o whole.jsonl --end-to-end --runs "${runs:-1}" --- "$targets/failing_seldom" --fine 1 --ms 60
run "$coz" report --all whole.jsonl
check "too short: the remedy gives a report" says out 'seldom\.c:[0-9]+'

# What libcoz.so cannot get into is refused.
run "$coz" run -o static.jsonl --- "$targets/steps_static"
check "static: status" exited 126
check "static: the diagnosis" says err '^coz run: .*steps_static is a static program'
run "$coz" run -o go.jsonl --- "$targets/failing_go_static"
check "Go: status" exited 126
check "Go: the diagnosis" says err '^coz run: .*failing_go_static is a Go program without libc.*pprof'
run_until 1 cgo.jsonl "$coz" run -o cgo.jsonl --- "$targets/failing_go"
check "Go that uses C: status" exited 0
check "Go that uses C: the diagnosis" says err '^coz: .*failing_go is a Go program that uses C: it is profiled as far as libc sees it'
cp "$targets/steps" setuid
if [ "$(id -u)" != 65534 ] && chown 65534 setuid 2>/dev/null && chmod 4755 setuid; then
    run "$coz" run -o setuid.jsonl --- ./setuid
    check "setuid: status" exited 126
    check "setuid: the diagnosis" says err "^coz run: .*setuid gets another user's rights"
else
    echo "left out: no other user's program can be made here"
fi

# A limit of processor time, of the kind that containers have.
group=/sys/fs/cgroup/cpu/coz-test-$$
if mkdir "$group" 2>/dev/null && echo 50000 2>/dev/null >"$group/cpu.cfs_quota_us"; then
    capped='limit of 0\.5 of [0-9]+ cores stopped the program.*cpu\.cfs_quota_us'
    # shellcheck disable=SC2016 # for the inner shell
    diagnose capped "$capped" --- sh -c 'echo $$ >"$1/tasks"; shift; exec "$@"' sh "$group" "$targets/failing_four"
    wait
    sed '/^coz: .*\(windows\|has the whole answer\|felt\|wide\)/,$d' capped/err >capped/early
    diagnosed capped "$capped"
    await_that rmdir "$group"
    mended capped piece --- "$targets/failing_four"
else
    rmdir "$group" 2>/dev/null
    echo "left out: no control group with a limit can be made here"
fi
finish
