#!/bin/sh
# Regions under `coz run`: exact counts, targets beside lines, and what is said of those that are left without an end.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# was_left NAME COUNT LEFT: entered so often, by the profile, and left so often without an end.
# shellcheck disable=SC2317 # check calls it
was_left() {
    holds leave.jsonl samples "\"location\":\"region:$1\",\"count\":$2,.*\"kind\":\"region\",\"left_open\":$3"
}

run "$coz" run -q -o leave.jsonl --target region --- "$targets/marked" --leave ways --ms 700
check "a program with regions" exited 0
check "what a longjmp left" was_left "jumped out of" 3 3
check "what a loop left" was_left "gone on from" 4 3
check "what the end of its thread left" was_left "ended in" 1 1
check "that is said" says err 'entries never came to COZ_REGION_END'
check "what is around is whole" holds leave.jsonl samples '"region:around","count":3,'
check "recursion counts each entry" holds leave.jsonl samples '"region:recursive","count":10,'
check "a child goes on in its region, and is out of it" holds leave.jsonl samples '"region:forked in","count":1,'
check "the profile is sound" is_sound leave.jsonl

run_until 6 hot.jsonl "$coz" run -q -o hot.jsonl --target region:hot --fixed-speedup 50 --- "$targets/marked"
check "a region as the target" exited 0
grep -F '"type":"experiment"' hot.jsonl >experiments
grep -v '"selected":"region:hot","kind":"region"' experiments >others
check "only that" is_empty others
check "others have paid" says experiments '"speedup":0.5,.*"delay":[1-9][0-9]{6}'
run "$coz" report -a --format json hot.jsonl
check "of kind region" says out '"kind": "region"'
check "and in pairs" says out '"left_open": 0'

run_until_that "grep -q '\"kind\":\"region\"' all.jsonl && grep -q '\"kind\":\"line\"' all.jsonl" \
    "$coz" run -q -o all.jsonl --- "$targets/marked"
check "regions beside lines" exited 0

run "$coz" run -o never.jsonl --target region:nope --- "$targets/marked" --ms 300
check "a region that is not there" exited 0
check "that is said" says err 'passed no mark of that name'
check "with the names that there are" says err 'it did of .*hot'
check "and it is not tried" lacks never.jsonl '"selected":"region:nope"'
run "$coz" run --target region: --- "$targets/marked" --ms 1
check "without a name" exited 2
run "$coz" run --target thread --target region:hot --- "$targets/marked" --ms 1
check "beside threads" exited 2
check "what they can be beside" says err 'beside lines, functions or files'
finish
