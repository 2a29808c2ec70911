#!/bin/sh
# Progress points that the program does not name itself: calls of libc, of one caller, and latency between two.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

its=$(line_of units.c "/* the heavy line */")
asked=$(line_of units.c "/* is asked */")
answers=$(line_of units.c "/* answers */")
again=$(line_of units.c "/* notes again */")

# visits POINT: in all windows together.
visits() {
    sed -n "s/.*\"type\":\"throughput-point\",\"name\":\"$1\",\"delta\":\([0-9]*\).*/\1/p" units.jsonl | awk '{ sum += $1 } END { print sum + 0 }'
}

# shellcheck disable=SC2317 # check calls it
# is_about A B TIMES: so many times as many, with visits in progress at the ends of windows.
is_about() {
    awk -v a="$1" -v b="$2" -v times="$3" 'BEGIN { exit !(b > 0 && a > 0.9 * times * b && a < 1.1 * times * b) }'
}

# shellcheck disable=SC2016 # for eval
run_until_that 'holds units.jsonl experiment "$its\".*\"speedup\":0\.5," && holds units.jsonl latency-point &&
    test "$(visits "call:write@$again")" -ge 20' \
    "$coz" run -o units.jsonl --fixed-line "$its" --fixed-speedup 50 -p call:recv -p "call:send@$answers" \
    --progress call:write --point "call:write@$again" -p call:fsync -p "begin=call:recv@$asked,end=call:send@$answers" \
    --- "$targets/units"
check "calls as points" exited 0
check "the program does its work" says out '^asked [1-9]'
check "the profile is sound" is_sound units.jsonl
check "who asks receives as often as who answers, and what fails is no visit" \
    is_about "$(visits call:recv)" "$(visits "call:send@$answers")" 2
check "each answer is noted, some again, which is told apart" \
    is_about "$(visits call:write)" "$(($(visits "call:send@$answers") + $(visits "call:write@$again")))" 1
check "seldom" test "$(visits "call:write@$again")" -lt "$(($(visits call:write) / 3))"
check "what nobody calls has no visits" test "$(visits call:fsync)" -eq 0
check "between two callers there is one latency" holds units.jsonl latency-point \
    "\"name\":\"begin=call:recv@$asked,end=call:send@$answers\",\"arrivals\":[1-9]"
run "$coz" report --all units.jsonl
check "the report is about a call" says out 'Progress point .call:recv.:'
check "and about the one of a caller" says out "Progress point .call:write@$again.:"
check "and about latency" says out 'Progress point .begin=call:recv@.*less latency'

# ---- what there is

run "$coz" points "$targets/units"
check "what could be a point" exited 0
check "the calls" says out '^    .*recv send.* pthread_create pthread_join'
check "no others" lacks out fsync
check "it has none of its own" says out '^    none$'
check "but lines" says out '^    [1-9][0-9]* in scope; .coz lines '
check "and functions" says out '^    .*main'
check "but no static probes" says out '^    none; its libraries may have some$'
run "$coz" points "$targets/visited"
check "static probes" says out '^    visited:unit__done$'
strip -R .note.gnu.build-id -o stripped "$targets/visited" # by its build-id it would be known already
run "$coz" points ./stripped
check "what was stripped" exited 0
check "has probes" says out '^    visited:unit__done$'
check "its functions are told by their addresses" says out '^    .*stripped\+0x'
run "$coz" points "$targets/steps_static"
check "one that is static" says out 'static'
check "has points of its own" says out '^    there are'
run "$coz" points --calls
check "all calls" says out 'fsync'
run "$coz" points
check "no program" exited 2
run "$coz" points "$root/README.md"
check "no program that could be read" exited 2
check "that is said" says err 'README.md: '

# ---- known from samples only

# shellcheck disable=SC2016 # for eval
run_until_that 'holds sampled.jsonl experiment "$its\".*\"speedup\":0\.5," && holds sampled.jsonl throughput-point' \
    "$coz" run -o sampled.jsonl --fixed-line "$its" --fixed-speedup 50 -p "$its@sampled" --- "$targets/units"
check "a line by its samples" exited 0
check "it has visits" holds sampled.jsonl throughput-point "\"name\":\"$its@sampled\",\"delta\":[1-9]"
# shellcheck disable=SC2016 # for eval
run_until_that 'holds both.jsonl throughput-point sampled && holds both.jsonl throughput-point call:send' \
    "$coz" run -o both.jsonl --granularity function -p "$its@sampled" -p call:send --- "$targets/units"
check "beside a call, in a profile of functions" exited 0

# ---- when nobody says where progress is made

run "$coz" run -o pointless.jsonl --seed 7 --- "$targets/steps_pointless" --ms 300 --echo "don't wait"
check "no point" exited 0
check "each call that looks like one" says err '^ +-p call:pthread_join +[0-9,.]+ a second'
check "and the line to type, as a shell takes it" says err "^ +coz run -p call:pthread_join -o pointless.jsonl --seed 7 --- .* 'don'.''t wait'\$"
rm -f pointless.jsonl
sed -n 's/^ *coz run -p/-p/p' err >typed
eval "run \"\$coz\" run $(cat typed)"
check "typed so" exited 0
check "it has a point" lacks err 'no progress point'
run "$coz" run -o once.jsonl --auto-point --- "$targets/steps_pointless" --ms 300
check "a run that is too short for --auto-point: the line to type does without" says err \
    '^ +coz run -p call:pthread_join -o once\.jsonl --- '
run "$coz" run -o short.jsonl --auto-point --runs 2 --- "$targets/steps_pointless" --ms 300
check "a point for the second run" exited 0
check "it takes the best of the first" lacks err 'no progress point was'
# shellcheck disable=SC2016 # for eval
run_until_that 'holds auto.jsonl throughput-point "\"name\":\"call:pthread_join\",\"delta\":[1-9]"' \
    "$coz" run -o auto.jsonl --auto-point --- "$targets/steps_pointless"
check "a point in the first run" exited 0
check "that is said" says err 'call:pthread_join. is taken for one'
run "$coz" run -o never.jsonl -p call:fsync --- "$targets/steps_pointless" --ms 300
check "a point that is not visited is named" says err 'These were not passed: call:fsync'
check "and what is there instead" says err '-p call:pthread_join'

refused() { # PATTERN OPTION...
    pattern=$1
    shift
    run "$coz" run -o refused.jsonl "$@" --- "$targets/units" --ms 1
    check "refused: $*" exited 2
    check "the reason for: $*" says err "$pattern"
    check "nothing was run: $*" is_empty out
}
refused 'nearest are: send' -p call:sned
refused 'pthread_mutex_lock is called so often' -p call:pthread_mutex_lock
refused 'nearest line with code is .*units\.c:[0-9]' -p call:send@units.c:1
refused 'no code at nosuch\.c:7 .*coz lines' -p call:send@nosuch.c:7
refused 'no code at nosuch\.c:7' -p nosuch.c:7@sampled
refused 'is there already' -p call:send -p call:send
refused 'there is no progress point' -p call:send --auto-point
refused 'leave one out' -p exit -p call:send
run "$coz" run -o refused.jsonl -p call:send@units.c:1 --- "$targets/shapes_bare"
check "refused without lines" exited 2
check "that is said" says err 'has no debug information for its lines'
finish
