#!/bin/sh
# bench/accuracy/run: a truth and a profile become a row, whichever way the truth is measured. How far off profiles are, is
# the bench's affair.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

bench_build
accuracy=$root/bench/accuracy/run

# row CASE LINE CUT: there is one, with a truth.
# shellcheck disable=SC2317 # check() calls it
row() {
    says out "^$1 +$2 +$3 \| +-?[0-9]+\.[0-9] +\[ *-?[0-9]+\.[0-9], *-?[0-9]+\.[0-9]\] \|"
}

run "$accuracy" --list
check "it lists the cases" exited 0

# serial: cuts among originals; malloc: both take turns in one run, around the profile.
run "$accuracy" --seconds 1 --truth-seconds 0.02 --truth-rounds 1 --cases serial,malloc --json table.json
check "it ends" exited 0
check "nothing is complained about" is_empty err
for cut in 25 50 75; do
    for line in "serial big" "serial small" "malloc large" "malloc small"; do
        check "$line at $cut" row "${line% *}" "${line#* }" $cut
    done
done
for case in 0 1; do
    check "case $case was profiled without trouble" test "$("$tools/json" cases $case coz trouble <table.json)" = null
    check "case $case said how fast it was" test "$("$tools/json" cases $case coz seconds_per_visit <table.json)" != null
done
check "a closing line" says out '^coz: '

for wrong in "--cases nonsense" "--seconds 0" "--truth-rounds 0" "--sampler other"; do
    # shellcheck disable=SC2086 # two words
    run "$accuracy" $wrong
    check "refused: $wrong" test "$status" -ne 0
    check "says why: $wrong" test -s err
    check "by words: $wrong" lacks err Traceback
done
finish
