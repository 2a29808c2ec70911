#!/bin/sh
# A point of a phase that is over ends no window: another one that is visited does.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

begin "a phase that is over after its first hundredth of a second"
run_until 4 profile.jsonl "$coz" run --- "$targets/two_phases"
check "status" exited 0
check "windows" test "$(experiments profile.jsonl)" -ge 4
check "of the second phase" holds profile.jsonl throughput-point '"name":"second","delta":[1-9]'
finish
