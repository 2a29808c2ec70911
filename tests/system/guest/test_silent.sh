#!/bin/sh
# Never silent: when there is nothing to report, or less than there could be, `coz run` says why and what to do.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

profile() { # PROFILE COMMAND...
    file=$1
    shift
    run "$coz" run -o "$file" "$@"
    check "status of $file" exited 0
    check "$file is sound" is_sound "$file"
}
# Without an answer, the report must say so and why.
explained() { # PROFILE
    run "$coz" report "$1"
    check "no answer from $1" exited 1
    check "the report explains $1" says out '.'
}

profile stripped.jsonl --- "$targets/steps_stripped" --ms 500
check "no debug information: the flag is named" says err '-g'
check "no debug information: the program is named" says err 'steps_stripped'
explained stripped.jsonl

profile pointless.jsonl --- "$targets/steps_pointless" --ms 500
check "no progress point: the macro is named" says err 'COZ_PROGRESS'
explained pointless.jsonl

profile elsewhere.jsonl -s '/nowhere/%' --- "$targets/steps" --ms 500
check "no source in scope is told" says err 'scope'
check "the option is named" says err '-s'
explained elsewhere.jsonl
profile library.jsonl -b 'nothing.so' --- "$targets/steps" --ms 500
check "no program in scope is told" says err 'scope'
check "the option is named" says err '-b'

profile short.jsonl --- "$targets/ends" 0
check "too short: says what to do" says err 'COZ_PROGRESS|again|too little'
explained short.jsonl

run "$coz" run -o static.jsonl --- "$targets/steps_static" --ms 300
check "a static program is refused" exited 126
check "a static program: why, and what to do" says err '^coz run: .*steps_static is a static program.* -static'
check "a static program is not run" is_empty out
check "a static program leaves no profile" test ! -e static.jsonl

run "$targets/noperf" true
if [ "$status" -eq 77 ]; then
    echo "left out: this system cannot refuse perf events"
else
    run_until 1 noperf.jsonl "$targets/noperf" "$coz" run -o noperf.jsonl --sampler perf --- "$targets/steps"
    check "perf refused: status" exited 0
    check "perf refused: it says so" says err 'not permitted'
    check "perf refused: what is used instead" says err 'timer'
    check "perf refused: samples" holds noperf.jsonl samples "$(line_of steps.c "/* heavy line */")"
    check "perf refused: windows" holds noperf.jsonl experiment
fi

# What was asked for and is not there.
run "$coz" run -o /proc/nothing/profile.jsonl --- "$targets/steps" --ms 1
check "unwritable: the file is named" says err '/proc/nothing/profile.jsonl'
check "unwritable: no success" test "$status" -ne 0
check "unwritable: nothing was run" lacks out "^done"
mkdir folder
run "$coz" run -o folder --- "$targets/steps" --ms 1
check "a folder as output is named" says err 'folder'
check "a folder as output: nothing was run" lacks out "^done"
if [ -w /dev/full ]; then
    run "$coz" run -o /dev/full --- "$targets/steps" --ms 300
    check "a full disk is told" says err '/dev/full|space'
fi
finish
