#!/bin/sh
# A profile with a clear answer (made by hand): text, JSON and CSV give the same one.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

write_answer '{"type":"samples","location":"big.c:10","count":3000}' >profile.jsonl

run "$coz" report
check "there is an answer" exited 0
check "in words" says out '^Making big\.c:10 faster pays most: 50 % faster there makes .* [34][0-9] %'
check "in the table" says out '1 big\.c:10 .*improves'
run "$coz" report --format json
check "there is an answer in JSON" exited 0
cp out report.json
run "$tools/json" results 0 location <report.json
check "it is the same" says out '^big\.c:10$'
run "$tools/json" schema <report.json
check "the schema is told" says out '^1$'
run "$coz" report --format csv
check "there is an answer in CSV" exited 0
check "it is the same in CSV" says out 'big\.c:10'

# A question for a language model.
for line in $(seq 30); do printf '    line_number_%s();\n' "$line"; done >big.c
run "$coz" report --format prompt
check "there is a prompt" exited 0
check "with the number and its interval" says out '^- 50 % faster: (3|4)[0-9]\.[0-9] % less time for each visit \(95 % interval: [0-9.]+ to [0-9.]+\), 12 windows'
check "with the impact" says out '^- impact: [0-9.]+ \(95 % interval'
check "with the source" says out 'line_number_10\('
check "in which the line is marked" says out '▸10 │ +line_number_10'
check "with what is not established" says out '^## What is not established'
run "$coz" report --format prompt --no-source
check "without the source" lacks out 'line_number'
run "$coz" report --format prompt big.c:10
check "about one line" says out '^## The target: big\.c:10'
run "$coz" report --format prompt other.c:7
check "which must be there" exited 1
check "as it says" says err 'was not tried'


# From standard input, with a line cut off and one that is nonsense.
{
    cat profile.jsonl
    printf 'nonsense\n{"type":"exper'
} >bad.jsonl
run sh -c "\"$coz\" report - <bad.jsonl"
check "the rest is kept" exited 0
check "the nonsense is named" says err ':76:'

: >empty.jsonl
run "$coz" report empty.jsonl
check "no answer in an empty profile" exited 1
check "it is explained" says out 'empty|no experiments'
run "$coz" report missing.jsonl
check "no profile" exited 1
check "it is named" says err 'missing\.jsonl'
check "and how to make one" says err 'coz run'
mkdir folder
run "$coz" report folder
check "a folder is no profile" exited 1
check "it is named, and what to name" says err 'folder: Is a directory'
run "$coz" report "$targets/ends"
check "a program is no profile" exited 1
check "it is said so" says err '/ends is no profile'
# A report that nobody can read.
if [ -w /dev/full ]; then
    run sh -c "\"$coz\" report >/dev/full"
    check "the report cannot be written" exited 1
    check "it is said so" says err 'standard output cannot be written'
fi
finish
