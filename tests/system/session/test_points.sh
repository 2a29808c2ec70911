#!/bin/sh
# Progress points of other kinds: counters of programs built with the original's header, begin and end; and signals.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

run "$targets/original" --ms 1
check "the original's way, unprofiled" says out '^counted$'
its=$(line_of original.c "/* its line */")
# shellcheck disable=SC2016 # for eval
run_until_that 'holds original.jsonl experiment "$its\".*\"speedup\":0\.5,"' "$coz" run -o original.jsonl --fixed-speedup 50 --- "$targets/original"
check "the original's way" exited 0
check "counts are right" says out '^counted$'
check "it gets windows" holds original.jsonl experiment "$its"
check "it gets visits" holds original.jsonl throughput-point '"name":"old point","delta":[1-9]'
check "the profile is sound" is_sound original.jsonl
run "$coz" report --all original.jsonl
check "the report is about its point" says out 'old point'

its=$(line_of requests.c "/* its line */")
# shellcheck disable=SC2016 # for eval
run_until_that 'holds requests.jsonl experiment "$its\".*\"speedup\":0\.5," &&
    holds requests.jsonl latency-point "\"arrivals\":[1-9]"' "$coz" run -o requests.jsonl --fixed-speedup 50 --- "$targets/requests"
check "begin and end" exited 0
check "they get windows" holds requests.jsonl experiment "$its"
check "with latencies" holds requests.jsonl latency-point '"name":"request","arrivals":[1-9]'
check "the profile is sound" is_sound requests.jsonl
run "$coz" report --all requests.jsonl
check "the report is about latency" says out '[Ll]atency'

# Units with ids, which two processes give alike: every fifth takes ten times as long.
its=$(line_of handed.c "/* its line */")
# shellcheck disable=SC2016 # for eval
run_until_that 'test "$(grep -c "^{\"type\":\"latency-times\"" handed.jsonl)" -ge 30' "$coz" run -o handed.jsonl --fixed-speedup 50 --- "$targets/handed"
check "units with ids" exited 0
check "the profile is sound" is_sound handed.jsonl
check "they are told apart" lacks handed.jsonl '"(unmatched|refused)"'
run "$coz" report --all handed.jsonl
check "the report tells what they take" says out '^Half of them take at most [0-9.]+ [mu]s \('
check "and what is saved of it" says out '% saved of the median and of the slowest'
run "$coz" report "$its" handed.jsonl
check "so does that of the line" says out '^ +50 % +[0-9]+ +[0-9.]+ [mu]s, [0-9]+ \('
run "$coz" report --format json handed.jsonl
half=$("$tools/json" latencies 0 quantiles 0 time <out)
slow=$("$tools/json" latencies 0 quantiles 1 time <out)
check "and JSON, in which the slow ones take several times as long" awk "BEGIN { exit !($half > 0 && $slow > 3 * $half) }"

for sampler in perf timer; do
    run_until 1 masked.jsonl "$coz" run -o masked.jsonl --sampler "$sampler" --- "$targets/masked"
    check "all signals blocked, $sampler" exited 0
    check "it gets samples" holds masked.jsonl samples "$(line_of masked.c "/* its line */")"
    check "and windows" holds masked.jsonl experiment
    rm masked.jsonl
done
# There is room for 256.
run "$coz" run -o many.jsonl --- "$targets/many_points" 200000
check "300 points: status" exited 0
check "44 are refused, and that is said" says err '^coz: there was no room for 44 announcements of progress points'
check "once, and nothing else is" test "$(grep -cE 'no room|256' err)" -eq 1
check "the profile is sound" is_sound many.jsonl
run "$coz" run -o few.jsonl --- "$targets/ends" 0
check "of others nothing is said" lacks err 'no room'
finish
