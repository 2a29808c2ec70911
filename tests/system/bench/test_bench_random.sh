#!/bin/sh
# bench/accuracy/random: composed programs get a truth by turns and a profile, and kept ones can be read again. How far
# off profiles are, is the bench's affair.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

bench_build
random=$root/bench/accuracy/random

run "$random" --seeds 3 --show
cp out first
run "$random" --seeds 3 --show
check "a seed makes a program" says out '^int main'
check "and the same one each time" cmp -s out first

run "$random" --seeds 1-2 --seconds 2 --truth-seconds 4 --json table.json
check "it ends" exited 0
check "nothing is complained about" is_empty err
for seed in 1 2; do
    check "a row for seed $seed" says out "^ +$seed +(-|-?[0-9]+\.[0-9]) "
    check "a profile of seed $seed" test -s "own/bench/random/$seed/profile.jsonl"
done
check "a line for all" says out '^(mean absolute error|no answers)'
cp out first
run "$random" --seeds 1-2 --again
check "kept ones are read again" exited 0
check "and say the same" cmp -s out first
echo '[[0, 0, -1, 100, 900000000, 9], [0, 0, 1, 25, 800000000, 9]]' >own/bench/random/1/truth.json # it had no time for more
run "$random" --seeds 1 --again
check "a truth without a whole cycle is read" exited 0
check "and not counted" says out '^truths not sure to 4 points, and not counted: 6;'

for wrong in "--seeds nonsense" "--seeds 1 --seconds 0" "" "--seeds 1 --sampler other"; do
    # shellcheck disable=SC2086 # several words
    run "$random" $wrong
    check "refused: $wrong" test "$status" -ne 0
    check "says why: $wrong" test -s err
    check "by words: $wrong" lacks err Traceback
done
finish
