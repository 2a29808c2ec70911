#!/bin/sh
# kill -9, of the program or of the profiler: what was measured stays, and the program is none the worse.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

"$coz" run --- "$targets/steps" --ms 0 --touch up >out 2>err &
pid=$!
begin "the program is killed"
check "the program starts" await up
check "windows before the kill" await_windows profile.jsonl
kill -s KILL "$(cat up)"
wait "$pid"
status=$?
check "status when the program is killed" exited 137
check "the profile is sound" is_sound profile.jsonl
check "its windows" holds profile.jsonl experiment
check "its end" holds profile.jsonl runtime

rm -f up profile.jsonl
"$coz" run --- "$targets/steps" --until enough --touch up --echo "to the end" >out 2>err &
pid=$!
begin "coz is killed"
check "the program starts again" await up
child=$(cat up)
check "windows before that" await_windows profile.jsonl
kill -s KILL "$pid"
wait "$pid" 2>/dev/null
check "the program runs on without the profiler" kill -0 "$child"
# shellcheck disable=SC2016 # for eval
check "and is sampled no more" await_that eval \
    'test -z "$(find "/proc/$child/fd" -lname "*perf_event*")" && ! grep -q ^ID: "/proc/$child/timers"'
: >enough
check "it ends" await_end "$child"
check "with its output" says out '^to the end$'
check "the profile of a killed profiler is sound" is_sound profile.jsonl
finish
