#!/bin/sh
# Libraries that hold targets: opened while the program runs, closed again, and followed by another at their place.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# cpu_of SOURCE: all CPU time of the samples in its lines, in milliseconds.
cpu_of() {
    sed -n 's/.*"type":"samples","location":"[^"]*\/'"$1"':[0-9]*".*"cpu_ns":\([0-9]*\).*/\1/p' profile.jsonl |
        awk '{ sum += $1 } END { printf "%d\n", sum / 1e6 }'
}

run "$coz" run -b '%plugin%' --- "$targets/loads" "$targets/plugin_a.so" 1 "$targets/plugin_b.so" 2
check "status" exited 0
a=$(cpu_of plugin_a.c)
b=$(cpu_of plugin_b.c)
echo "samples: $a ms in plugin_a, $b ms in plugin_b"
check "the first library has samples" test "$a" -gt 0
check "the second has samples, though it may lie where the first was" test "$b" -gt 0
# Delays stretch both alike, so twice as long is twice as long.
check "the first one's are not the second one's" test "$a" -lt "$b"
check "the program itself has none" test "$(cpu_of loads.c)" -eq 0
check "the profile is sound" is_sound profile.jsonl

# Without -b their time is the line that calls them.
rm -f profile.jsonl
run "$coz" run --- "$targets/loads" "$targets/plugin_a.so" 1 "$targets/plugin_b.so" 1
check "without -b: status" exited 0
check "without -b: no library" test "$(cpu_of 'plugin_.\.c')" -eq 0
check "without -b: the caller" test "$(cpu_of loads.c)" -gt 0

# Functions: those of both are told apart, though they have the same name.
rm -f profile.jsonl
run "$coz" run --granularity function -b '%plugin%' -b MAIN --- "$targets/loads" "$targets/plugin_a.so" 1 "$targets/plugin_b.so" 1
check "functions: status" exited 0
check "functions: the first library's" holds profile.jsonl samples '"location":"work".*plugin_a\.c'
check "functions: the second's" holds profile.jsonl samples '"location":"plugin_b\.c:work"'
check "functions: the caller" holds profile.jsonl samples '"location":"main"'
finish
