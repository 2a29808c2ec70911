#!/bin/sh
# `coz regions`: whole runs of a program with marked regions, the table, its files, and what is said when it cannot be.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# was_entered NAME COUNT: so often, by the last table. is_one_object FILE
# shellcheck disable=SC2317 # check calls them
was_entered() {
    grep "^$1  " err | tail -n 1 | grep -qE "^$1 +$2 "
}

# shellcheck disable=SC2317
is_one_object() {
    tr -d '\n' <"$1" | "$tools/json" --lines
}

run "$coz" regions -n 3 --csv table.csv --json table.json -- "$targets/regions"
check "it measures" exited 0
check "each iteration has a table" says err '^Iteration 3 of 3, method full'
check "with the columns that are usual" says err '^Region +Count +Time % +\+10 % +\+5 % +-5 % +-10 % +-15 % +-20 %'
check "both threads' entries are counted" was_entered work 10
check "a name made at run time is a region" was_entered 'turn 1' 4
check "the program's output is dropped" is_empty out
check "the CSV has a line for each region and percentage" test "$(wc -l <table.csv)" -eq 25
check "the JSON is JSON" is_one_object table.json
check "the profile is sound" is_sound regions.jsonl
check "its targets are regions" holds regions.jsonl experiment '"selected":"turn 0","kind":"region","speedup":0.2'
run "$coz" report -a regions.jsonl
check "the report opens it" says out 'Progress point .run.*region'
check "and has the regions" says out '^ +[1-4] work '

run "$coz" regions --method simple -n 3 -p -20 -p 50 -o simple.jsonl -- "$targets/regions" open
check "the other method measures" exited 0
check "with the percentages that were asked for" says err '^Region +Count +Time % +-20 % +\+50 %'
check "what a longjmp has left is told" says err '^Region work was left .* without its end'
check "its profile is sound, too" is_sound simple.jsonl
run "$coz" report -f csv simple.jsonl
check "the report has both percentages of it" test "$(grep -cE '"work","run",.*,(0.2|-0.5),' out)" -eq 2

run "$coz" regions -n 1 --no-profile --keep-output -- "$targets/regions" fork
check "a program that forks is measured" exited 0
check "of the child nothing is counted" was_entered work 10
check "its output is kept when asked for" says out "done"
check "no profile is written" test ! -e profile.jsonl

for way in fail killed _exit; do
    run "$coz" regions -n 1 --no-profile -- "$targets/regions" $way
    check "nothing is measured of a program that ends so: $way" exited 1
done
check "what _exit means is said" says err 'told nothing.*_exit'
run "$coz" regions -n 1 --no-profile -- "$targets/regions" fail
check "so is the exit status" says err 'failed with exit status 3'
run "$coz" regions -n 1 --no-profile -- "$targets/ends" 0
check "nothing is measured without regions" exited 1
check "it says what to mark" says err 'COZ_REGION_BEGIN'
run "$coz" regions -n 1 -- /nowhere/program
check "a program that is not there" exited 1
check "is named" says err '/nowhere/program'
run "$coz" regions -p 0 -- "$targets/regions"
check "0 % is refused" exited 2
run "$coz" regions --method other -- "$targets/regions"
check "so is another method" exited 2
run "$coz" regions
check "and no program" exited 2
run "$coz" regions -n 1 -- "$targets/ends" 0
run "$coz" regions -n 1 -o regions.jsonl -- "$targets/ends" 0
check "a profile of another build is not appended to" says err 'regions.jsonl'

# What a program links: libc and libm only, and no names but the interface's.
run readelf -d "$build/lib/libcozregions.so"
check "the library needs libc and libm only" test "$(grep NEEDED out | grep -cvE 'lib[cm]\.so|ld-linux')" -eq 0
run nm -g --defined-only "$build/lib/libcozregions.a"
check "the archive has no names but the interface's" test "$(grep -cE ' [A-Z] ' out)" -eq 4
finish
