#!/bin/sh
# Profiles, command lines and variables of the original.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# old VERSION: six windows, in which half the time saves a fifth; one's duration is what a subtraction below zero gives.
old() {
    case $1 in
    first) point='progress-point	name=p	type=source	delta=%d\n' ;;
    tabs) point='throughput-point	name=p	delta=%d\n' ;;
    lines) point='{"type":"throughput-point","name":"p","delta":%d}\n' ;;
    esac
    for speedup in 0 0.5 0 0.5 0 0.5 0 0.5; do
        if [ "$1" = lines ]; then
            printf '{"type":"experiment","selected":"a.c:7","speedup":%s,"duration":1000000000,"selected_samples":9}\n' $speedup
        else
            printf 'experiment	selected=a.c:7	speedup=%s	duration=1000000000	selected-samples=9\n' $speedup
        fi
        # shellcheck disable=SC2059 # it is the format
        printf "$point" "$([ $speedup = 0 ] && echo 1000 || echo 1250)"
    done
    if [ "$1" = first ]; then
        printf 'experiment	selected=a.c:7	speedup=0.5	duration=18446744073709000000	selected-samples=9\n'
        printf 'progress-point	name=p	type=source	delta=9\n'
    fi
}

for version in first tabs lines; do
    old $version >$version.coz
    run "$coz" report -f json $version.coz
    check "$version: read" exited 0
    check "$version: four windows of each" test "$("$tools/json" results 0 curve 0 windows <out)" = 4
    "$tools/json" results 0 curve 0 effect <out >its_effect
    check "$version: its answer" says its_effect '^0\.(19|20)'
done
run "$coz" report first.coz
check "a duration below zero is named" says err '^coz report: first.coz:17:.*duration is too large'

# profile.coz, where there is nothing else, and the text of coz plot.
cp tabs.coz profile.coz
run "$coz" report --all
check "profile.coz is read" says out 'a\.c:7'
check "and this is said" says err '^coz report: there is no profile.jsonl; this is profile.coz$'
run "$coz" plot --text
check "coz plot --text" says out 'a\.c:7'
run "$coz" plot --text -i lines.coz --verbose
check "coz plot -i" says out 'a\.c:7'
check "--verbose is answered" says err '^coz plot: --verbose '
run "$coz" plot --text --input nowhere.coz
check "no such profile" exited 1
check "it is named" says err nowhere.coz

# The variables of its runtime are options here.
heavy=$(line_of steps.c "/* heavy line */")
export COZ_OUTPUT=own.jsonl COZ_FIXED_LINE="$heavy" COZ_FIXED_SPEEDUP=30 COZ_FILTER_SYSTEM=1 COZ_SOURCE_SCOPE="nothing.c	steps.c"
run_until 3 own.jsonl "$coz" run --- "$targets/steps"
check "with variables" exited 0
for told in 'OUTPUT is taken as --output own.jsonl' "FIXED_LINE is taken as --target $heavy" \
    'FIXED_SPEEDUP is taken as --fixed-speedup 30' 'SOURCE_SCOPE is taken as --source-scope steps.c' 'FILTER_SYSTEM changes nothing'; do
    check "told: $told" says err "^coz run: COZ_$told"
done
check "the line, and the speedup" says own.jsonl "\"selected\":\"[^\"]*$heavy\",.*\"speedup\":0\.3,"
run "$coz" run -o given.jsonl --target heavy --- "$targets/steps" --ms 1
check "what is given counts" exited 0
check "the output" test -e given.jsonl
check "the target" lacks err FIXED_LINE
COZ_FIXED_SPEEDUP=fast run "$coz" run -o refused.jsonl --- "$targets/steps" --ms 1
check "a variable that says nothing" exited 2
check "it is named" says err 'COZ_FIXED_SPEEDUP fast'
finish
