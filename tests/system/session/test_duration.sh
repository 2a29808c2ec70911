#!/bin/sh
# --duration ends programs that do not end by themselves.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# How many seconds a window takes is the machine's affair.
for seconds in 1.5 6 24; do
    run "$coz" run --duration $seconds --- "$targets/steps" --ms 0
    holds profile.jsonl experiment && break
done
check "status" exited 0
check "windows" holds profile.jsonl experiment
check "the run's end" holds profile.jsonl runtime
check "the profile is sound" is_sound profile.jsonl

check "nobody was killed" sh -c '! grep -q "was killed" err'
run "$coz" run --duration 0.5 --- sh -c "trap '' TERM; exec '$targets/steps' --ms 0"
check "a program that minds no SIGTERM" exited 0
check "is killed, and that is said" says err 'did not end within 5 seconds of SIGTERM, and was killed'

run "$coz" run --duration 100 --- "$targets/ends" 4
check "a program that ends before keeps its status" exited 4
finish
