#!/bin/sh
# Who gives its core away stands in the run queue inside of that call. A timer that fires meanwhile is heard of when the
# call returns: were that a sample, most would fall there, and not into the work.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

work=$(line_of turns.c "/* the line of work */")
yields=$(line_of turns.c "/* the line of yields */")

# samples_of PLACE: how many the profile holds.
samples_of() {
    sed -n "s|^{\"type\":\"samples\",\"location\":\"[^\"]*$1\",\"count\":\([0-9]*\).*|\1|p" profile.jsonl |
        awk '{ sum += $1 } END { print sum + 0 }'
}

begin "four threads that take turns on one core, by timer"
run_until 4 profile.jsonl "$coz" run --sampler timer --- "$targets/turns"
check "status" exited 0
check "samples of the work" test "$(samples_of "$work")" -ge 100
check "hardly any of the yields" test "$(($(samples_of "$yields") * 4))" -lt "$(samples_of "$work")"
finish
