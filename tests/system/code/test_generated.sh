#!/bin/sh
# Code that a program generates, and tells of in /tmp/perf-PID.map.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# count_of LOCATION: all samples of it.
count_of() {
    grep -F "{\"type\":\"samples\",\"location\":\"$1\"," profile.jsonl | sed 's/.*"count":\([0-9]*\).*/\1/' |
        awk '{ sum += $1 } END { printf "%d\n", sum }'
}

run_until_that 'holds profile.jsonl experiment "generated late"' \
    "$coz" run --granularity function --- "$targets/jit"
check "status" exited 0
check "the profile is sound" is_sound profile.jsonl
heavy=$(count_of 'generated heavy')
light=$(count_of 'generated light')
late=$(count_of 'generated late')
main=$(count_of main)
echo "samples: heavy $heavy, light $light, late $late; main $main"
check "a function has samples" test "$heavy" -gt 0
check "another" test "$light" -gt 0
check "one that was told of late" test "$late" -gt 0
check "main has those of what it calls" test "$main" -ge "$((heavy + light + late))"
check "they are targets" holds profile.jsonl experiment '"selected":"generated (heavy|late)"'
run "$coz" report --all
check "they are reported" says out 'generated heavy'

# Named before it is there: it is waited for. What is there counts at once.
run_until 3 late.jsonl "$coz" run -o late.jsonl --late --fixed-function 'generated late' --- "$targets/jit" --ms 200
check "a late function: status" exited 0
check "it becomes the target" holds late.jsonl experiment '"selected":"generated late"'
grep -F '"type":"experiment"' late.jsonl | grep -vF '"selected":"generated late"' >others
check "and nothing else does" is_empty others
run "$coz" run -o never.jsonl --late --fixed-function 'generated never' --- "$targets/jit" --ms 100
check "one that never comes: status" exited 0
check "is told" says err 'generated never: no function of that name came'
check "and nothing is tried" lacks never.jsonl '"type":"experiment"'
run "$coz" run -o never.jsonl --fixed-function 'generated late' --- "$targets/jit" --ms 100
check "without --late it must be there" exited 2
check "and the way out is told" says err 'add --late'
run "$coz" run -o never.jsonl --late --- "$targets/jit" --ms 100
check "--late alone" exited 2
run "$coz" run -o never.jsonl --late --end-to-end --fixed-function x --- "$targets/jit" --ms 100
check "--late for a whole run" exited 2

# For lines it is its caller's.
rm profile.jsonl
run "$coz" run --- "$targets/jit" --ms 500
check "lines: status" exited 0
check "lines: its caller's" holds profile.jsonl samples 'jit\.c:[0-9]+'
check "lines: no function" lacks profile.jsonl '"generated'

# Out of scope, it has no names.
rm profile.jsonl
run "$coz" run --granularity function -s 'jit.c' --- "$targets/jit" --ms 500
check "a scope of sources leaves it out" lacks profile.jsonl '"generated'

# Anybody may write to /tmp: a stranger's file is not believed.
: >given
if [ "$(id -u)" != 65534 ] && chown 65534 given 2>/dev/null; then
    rm profile.jsonl
    run "$coz" run --granularity function --- "$targets/jit" --ms 500 --owner 65534
    check "a stranger's file: status" exited 0
    check "a stranger's file is not read" lacks profile.jsonl '"generated'
    check "which is told" says err '/tmp/perf-[0-9]+\.map.*not read'
else
    echo "left out: files cannot be given away here"
fi

# A compiler that somebody else made.
if command -v node >/dev/null 2>&1; then
    cat >work.js <<'END'
function heavy(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }
function light(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 17 + i) | 0; return s; }
console.log(process.pid);
let sum = 0;
for (let i = 0; i < 1000; i++) sum += heavy(400000) + light(40000);
END
    rm -f profile.jsonl
    run "$coz" run --granularity function --- node --perf-basic-prof --interpreted-frames-native-stack work.js
    check "node: status" exited 0
    rm -f "/tmp/perf-$(head -n 1 out).map"
    check "node: the profile is sound" is_sound profile.jsonl
    heavy=$(count_of "JS:heavy $PWD/work.js:1:15")
    light=$(count_of "JS:light $PWD/work.js:2:15")
    echo "node: heavy $heavy, light $light"
    check "node: a function has samples" test "$heavy" -gt 0
    check "node: more than another" test "$heavy" -gt "$light"
else
    echo "left out: there is no node here"
fi
finish
