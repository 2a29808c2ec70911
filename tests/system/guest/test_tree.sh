#!/bin/sh
# Trees of processes: who is profiled (--follow), who did what (pid), daemons, and programs that we do not get into.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# pid_of WHO: what it printed.
pid_of() {
    sed -n "s/^$1 //p" out
}

line() {
    line_of tree.c "/* line of the $1 */"
}

# visits WHO POINT: the visits of all windows that the profile gives to that process.
visits() {
    sed -n "s/.*\"type\":\"process-point\",\"name\":\"$2\",\"pid\":$(pid_of "$1"),\"delta\":\([0-9]*\).*/\1/p" profile.jsonl |
        awk '{ sum += $1 } END { print sum + 0 }'
}

# shellcheck disable=SC2317 # for eval
has_latency() {
    grep -q "\"type\":\"process-latency\",\"name\":\"unit\",\"pid\":$(pid_of "$1")," profile.jsonl
}

# Who of them gets the processor is the machine's affair: it runs until both children have been seen, and told apart.
# shellcheck disable=SC2016 # for eval
run_until_that 'test "$(visits one one)" -gt 0 && test "$(visits two two)" -gt 0 && test "$(visits first step)" -gt 0 &&
    has_latency one && has_latency two' \
    "$coz" run --fixed-line "$(line children)" --- "$targets/tree" fork
check "a tree: status" exited 0
check "a tree: samples of the first" holds profile.jsonl samples "$(line first)"
check "a tree: samples of the children" holds profile.jsonl samples "$(line children)"
for who in first one two; do
    check "a tree: a record of $who" holds profile.jsonl process "\"pid\":$(pid_of $who),"
    check "a tree: visits of $who" test "$(visits $who step)" -gt 0
done
check "a tree: visits are told apart" test "$(visits one one)" -gt 0
check "a tree: a process has its own visits only" test "$(visits one two)" -eq 0
check "a tree: and so has the other" test "$(visits two one)" -eq 0
for who in one two; do
    check "a tree: the latency of $who" holds profile.jsonl process-latency "\"name\":\"unit\",\"pid\":$(pid_of $who),"
done
check "a tree: what has no latency has none" lacks profile.jsonl "process-latency.*\"pid\":$(pid_of first),"
check "a tree: the profile" is_sound profile.jsonl
cp out said
run "$coz" report -a --format json --pid "$(sed -n 's/^one //p' said)"
cp out of_one
run "$tools/json" results 0 point <of_one
check "a report of one process" says out '^(step|one|unit)$'
check "a report of one process: its latency" says of_one '"metric": ?"latency"'
run "$coz" report --pid 1
check "a report of a stranger" exited 1
check "a report of a stranger says so" says err 'no window has visits of process 1;'
run "$coz" report --pid x
check "a report of no process" exited 2

# samples HOW FOLLOW WHO...: exactly these have samples.
samples() {
    how=$1
    follow=$2
    shift 2
    rm -f profile.jsonl
    : >enough # no windows are needed
    run "$coz" run --follow "$follow" --- "$targets/tree" "$how" --until enough
    check "$how, --follow=$follow: status" exited 0
    for who in first children executed; do
        case " $* " in
        *" $who "*) check "$how, --follow=$follow: $who is profiled" holds profile.jsonl samples "$(line $who)" ;;
        *) check "$how, --follow=$follow: $who is not profiled" lacks profile.jsonl "\"samples\".*$(line $who)" ;;
        esac
    done
}
samples fork all first children
samples fork fork first children
samples fork none first
samples exec all first executed
samples exec fork first
samples exec none first
samples become all executed
samples become fork executed
samples become none executed

# A daemon is profiled until it ends; a child left in the background is not waited for.
rm -f profile.jsonl enough
run_until 1 profile.jsonl "$coz" run --- "$targets/tree" daemon
check "a daemon: the program's own status" exited 5
check "a daemon: says so" says err '^coz: the program goes on as a daemon \(process [0-9]+\)'
check "a daemon: it ran to its end" test -e daemon.done
check "a daemon: samples" holds profile.jsonl samples "$(line daemon)"
check "a daemon: windows" holds profile.jsonl experiment
check "a daemon: the profile" is_sound profile.jsonl

rm -f enough daemon.up daemon.done
"$coz" run -o interrupted.jsonl --- "$targets/tree" daemon --until enough >out 2>err &
pid=$!
begin "an interrupted daemon"
check "an interrupted daemon: starts" await daemon.up
check "an interrupted daemon: says so" await_that says err 'goes on as a daemon'
kill -s TERM "$pid"
wait "$pid"
check "an interrupted daemon: the profile" is_sound interrupted.jsonl
check "an interrupted daemon: runs on" kill -0 "$(cat daemon.up)"
: >enough
check "an interrupted daemon: to its end" await daemon.done

rm -f enough
run timeout 600 "$coz" run --- "$targets/tree" background --until enough
check "left in the background: not waited for" exited 0
check "left in the background: still there" test ! -e behind.done
: >enough
check "left in the background: unharmed" await behind.done

# What we cannot get into is left alone, and said.
run "$coz" run --- "$targets/tree" run "$targets/steps_static"
check "a static program: status" exited 0
check "a static program: output" says out '^done$'
check "a static program: said once" test "$(grep -c '^coz: .*steps_static, which is static' err)" -eq 1
cp "$targets/steps" setuid
if [ "$(id -u)" != 65534 ] && chown 65534 setuid 2>/dev/null && chmod 4755 setuid; then
    run "$coz" run --- sh -c './setuid --ms 100; ./setuid --ms 100'
    check "a setuid program: said once" test "$(grep -c '^coz: .*setuid, which is setuid' err)" -eq 1
fi
run "$coz" run --follow some --- true
check "--follow has three values" exited 2
finish
