#!/bin/sh
# A machine that stands still as a whole, as a virtual one can: the window in which it did is not used.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

"$coz" run --- "$targets/steps" --until enough --touch up >out 2>err &
pid=$!
begin "everything stands still"
check "the program starts" await up
check "windows before it" await_windows profile.jsonl 20
child=$(cat up)
long='"duration":(19[0-9]{8}|[2-9][0-9]{9}|[0-9]{11,})[,}]' # two seconds: a busy machine's own windows are shorter
# Time in which the program only settles after a change of speed is in no window and not recorded.
# What fell there is not seen, so it stands still once more.
for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -s STOP "$pid" "$child"
    sleep 2
    kill -s CONT "$child" "$pid"
    before=$(experiments profile.jsonl)
    check "windows after it" await_windows profile.jsonl $((before + 10))
    if grep discarded profile.jsonl | grep -qE "$long"; then
        break
    fi
done
: >enough
wait "$pid"
status=$?
check "status" exited 0
check "the profile is sound" is_sound profile.jsonl
check "no window that is used holds that time" lacks profile.jsonl "^\{\"type\":\"experiment\".*$long"
check "the one that does is said to be thrown away" holds profile.jsonl discarded "$long"
finish
