#!/bin/sh
# While a thread that never waits is the target at full speedup, all others stand still, and nobody comes to end
# the window: it is let go, and the program goes on.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

line=$(line_of bystander.c '/* standing line */')
begin "a thread that never waits, at full speedup"
run_until 12 profile.jsonl "$coz" run --fixed-line "$line" --fixed-speedup 100 --- "$targets/bystander"
check "status" exited 0
check "windows" test "$(experiments profile.jsonl)" -ge 12
finish
