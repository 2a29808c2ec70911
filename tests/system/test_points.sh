#!/bin/sh
# Progress points of other kinds: counters of programs built with the original's header, begin and end; and signals.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

run "$targets/original" --ms 1
check "the original's way, unprofiled" says out '^counted$'
run_until 6 original.jsonl "$coz" run -o original.jsonl --fixed-speedup 50 --- "$targets/original"
check "the original's way" exited 0
check "counts are right" says out '^counted$'
check "it gets windows" holds original.jsonl experiment "$(line_of original.c "/* its line */")"
check "it gets visits" holds original.jsonl throughput-point '"name":"old point","delta":[1-9]'
check "the profile is sound" is_sound original.jsonl
run "$coz" report --all original.jsonl
check "the report is about its point" says out 'old point'

run_until 6 requests.jsonl "$coz" run -o requests.jsonl --fixed-speedup 50 --- "$targets/requests"
check "begin and end" exited 0
check "they get windows" holds requests.jsonl experiment "$(line_of requests.c "/* its line */")"
check "with latencies" holds requests.jsonl latency-point '"name":"request","arrivals":[1-9]'
check "the profile is sound" is_sound requests.jsonl
run "$coz" report --all requests.jsonl
check "the report is about latency" says out '[Ll]atency'

for sampler in perf timer; do
    run_until 1 masked.jsonl "$coz" run -o masked.jsonl --sampler "$sampler" --- "$targets/masked"
    check "all signals blocked, $sampler" exited 0
    check "it gets samples" holds masked.jsonl samples "$(line_of masked.c "/* its line */")"
    check "and windows" holds masked.jsonl experiment
    rm masked.jsonl
done
finish
