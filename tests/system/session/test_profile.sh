#!/bin/sh
# The main job: a program is profiled, the profile holds all that it should, and the report has an answer.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

heavy=$(line_of steps.c "/* heavy line */")

# It goes on until the answer is clear: the line pays, 20 points for sure. Where equal windows differ too much for that, it
# is given up after 40.
clear_answer() {
    "$coz" report --format csv profile.jsonl 2>/dev/null | awk -F, 'NR == 2 { exit !(/,improves,/ && $10 > 0.2) }'
}
wild_machine() {
    "$coz" report --all --format json profile.jsonl 2>/dev/null | "$tools/json" control_spread | awk '{ exit !($1 > 0.2) }'
}
# shellcheck disable=SC2317 # called by run_until_that
enough_said() {
    count=$(experiments profile.jsonl)
    if [ "$count" -lt 12 ]; then return 1; fi
    if [ "$count" -ge 40 ] && wild_machine; then return 0; fi
    clear_answer
}
run_until_that enough_said "$coz" run -v --fixed-line "$heavy" --fixed-speedup 50 --- "$targets/steps"
check "the program's status" exited 0
check "the program's output" says out '^done$'
check "the next command is told" says err 'coz report profile\.jsonl'
cp err closing_words
for type in startup experiment throughput-point runtime samples; do
    check "the profile holds $type" holds profile.jsonl "$type"
done
check "experiments of the line" holds profile.jsonl experiment "\"selected\":\"[^\"]*$heavy\",.*\"speedup\":0\.5,"
check "baselines of the line" holds profile.jsonl experiment "\"selected\":\"[^\"]*$heavy\",.*\"speedup\":0,"
check "visits of the point" holds profile.jsonl throughput-point '"name":"round","delta":[1-9]'
check "samples in the line" holds profile.jsonl samples "$heavy\",\"count\":[1-9]"
check "the machine" holds profile.jsonl startup "\"cores\":$(getconf _NPROCESSORS_ONLN)[,}]"
check "when windows were" holds profile.jsonl experiment '"began":[1-9]'
sum=$(sha256sum "$(find "$sources" -name steps.c)" | cut -d' ' -f1)
check "which source it was" holds profile.jsonl source "steps\.c\".*\"sha256\":\"$sum\""
check "the profile is sound" is_sound profile.jsonl

run "$coz" report
sed -n 's/^Making \([^ ]*\) faster.*/\1/p' out >first_of_text
text_status=$status
run "$coz" report --all --format json
check "text and JSON have the same status" exited "$text_status"
cp out report.json
run "$tools/json" control_spread <report.json
check "the report is JSON" exited 0
if ! clear_answer && wild_machine; then
    printf 'no answer asked for: on this machine, equal windows differ by a factor of e^%s\n' "$(cat out)"
else
    check "the closing words name the line" says closing_words "Making [^ ]*$heavy faster"
    check "the report names the line" says first_of_text "$heavy\$"
    run "$tools/json" results 0 location <report.json
    check "text and JSON agree" same first_of_text out
fi

# Left alone, it finds its targets itself.
run_until 1 free.jsonl "$coz" run -o free.jsonl --seed 7 --- "$targets/steps"
check "status without options" exited 0
check "targets were found" holds free.jsonl experiment '"selected":"[^"]*steps.c:'
check "that profile is sound" is_sound free.jsonl
finish
