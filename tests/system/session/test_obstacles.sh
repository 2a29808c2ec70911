#!/bin/sh
# What may stand in a run's way: no room for the profile, nobody who reads what is said, programs that take no notice, or
# that reach no point. Nothing that was measured is lost, the program is left alone, and what is wrong is said.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# ---- no room

run "$coz" run -o /dev/full --- "$targets/ends" 4
check "no room from the start: status" exited 126
check "no room from the start: said" says err '^coz run: The profile /dev/full cannot be written any more \(No space left on device\)$'

# runs_out NAME PROFILE COMMAND...: the profile finds no room, while the program runs.
runs_out() {
    kind=$1
    profile=$2
    shift 2
    run_until_that 'says err "goes on without being profiled"' "$@"
    check "$kind: the program goes on, which is said" says err "^coz: The profile $profile cannot be written any more \(.*\): the program goes on without being profiled$"
    check "$kind: status" exited 126
    check "$kind: why, in the end" says err "^coz run: The profile $profile cannot be written any more"
    check "$kind: the program has ended by itself" says out '^done$'
    check "$kind: what was written has windows" holds "$profile" experiment
    check "$kind: and is sound" is_sound "$profile"
    check "$kind: to its last line" test "$(tail -c 1 "$profile" | od -An -c | tr -d ' ')" = '\n'
}
if command -v prlimit >/dev/null 2>&1; then
    {
        await up
        prlimit --fsize=16384 --pid "$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$(cat up)/status")"
    } &
    runs_out "a limit" limit.jsonl "$coz" run -o limit.jsonl --- "$targets/steps" --touch up
    rm up
else
    echo "left out: there is no prlimit here"
fi
run sh -c 'ulimit -f 16 && exec "$@"' sh "$coz" run -o never.jsonl --- "$targets/ends" 4
check "a limit from the start: status" exited 126
check "a limit from the start: said" says err '^coz run: There is no shared memory for the program \(File too large\): lift the limit'
mkdir small
if mount -t tmpfs -o size=8k tmpfs small 2>/dev/null; then
    runs_out "a full disk" small/profile.jsonl "$coz" run -o small/profile.jsonl --- "$targets/steps"
    check "a full disk: is named" says err 'No space left on device'
    umount small
else
    echo "left out: nothing can be mounted here"
fi

# ---- nobody reads

# The second run says that it is one, before the program starts: into a pipe that nobody reads.
run "$coz" run -o unread.jsonl --- "$targets/steps" --ms 100 --status 3
check "a first run" exited 3
{
    await gone
    "$coz" run -o unread.jsonl --- "$targets/steps" --ms 100 --status 3
    echo $? >code
} 2>&1 >out | {
    exec <&-
    : >gone
    await code
}
begin "a run whose words nobody reads"
check "nobody reads: the program's status" test "$(cat code)" -eq 3
check "nobody reads: the second run is in the profile, to its end" test "$(records unread.jsonl runtime)" -eq 2
check "nobody reads: the profile is sound" is_sound unread.jsonl

# What the program is to ignore is its caller's affair, also where libc has the signal for itself (32 and 33).
for caller in "env" "nohup" "env --ignore-signal=PIPE,INT,XFSZ,CHLD" "$targets/ignoring 32 33"; do
    # shellcheck disable=SC2086 # words
    run $caller grep SigIgn /proc/self/status
    cp out alone
    # shellcheck disable=SC2086
    run $caller "$coz" run -o ignored.jsonl --mix --- grep SigIgn /proc/self/status
    check "$caller: the program ignores what it would without a profiler" same alone out
done

# ---- programs that take no notice, or reach no point

# What a machine needs to begin with it is the machine's affair.
for seconds in 1 5 25; do
    run "$coz" run -o deaf.jsonl --duration $seconds --- sh -c 'trap "" TERM INT; touch up; while :; do :; done'
    test -e up && break
done
check "one that ignores SIGTERM: status" exited 0
check "it had begun" test -e up
check "the run's end is in the profile" holds deaf.jsonl runtime

run "$coz" run -o pointless.jsonl --until-ci 5 --- "$targets/steps_pointless" --ms 100
check "no point: status" exited 0
check "no point: why there are no more runs" says err '^coz: the last 3 runs reached no progress point, so there was no other$'
check "no point: nothing is said of their length" lacks err 'too short'
run_until_that 'says err "No progress point was reached in the first"' \
    "$coz" run -o pointless.jsonl --until-ci 5 --runs 1 --- "$targets/steps_pointless"
check "no point, for long: status" exited 0
check "no point, for long: said in time" says err '^coz: No progress point was reached in the first [5-9] seconds, and .*steps_pointless holds none[.] Put COZ_PROGRESS'
check "no point, for long: once" test "$(grep -c 'in the first' err)" -eq 1
check "no point, for long: the profile tells, too" test "$(records pointless.jsonl remark)" -ge 1
check "no point, for long: when, and what to do" holds pointless.jsonl remark '"at":[0-9]+,"text":"No progress point was reached .*"remedy":"Put COZ_PROGRESS'
run "$coz" report pointless.jsonl
check "no point, for long: so does its report" says out '^When it ran, coz said:$'
finish
