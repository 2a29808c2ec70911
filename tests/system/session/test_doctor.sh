#!/bin/sh
# coz doctor: says whether profiling will work, and makes no profile.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

run "$coz" doctor
check "the machine: status" exited 0
check "the machine: the runtime" says out '^fine:  libcoz\.so is there'
check "the machine: perf" says out '^fine:  perf events are (permitted|refused)'
check "the machine: processors" says out '^fine:  [0-9]+ processors? may be used'
check "the machine: the last line" says out '^Profiling on this machine will work'

run "$coz" doctor --- "$targets/steps" --ms 0
check "a program: status" exited 0
check "a program: its samples" says out '^fine:  [0-9]+ samples in .* in scope, most at .*steps\.c:[0-9]+$'
check "a program: its point" says out '^fine:  1 progress point was reached; visited most often, [0-9]+ times a second: round$'
check "a program: the last line" says out '^Profiling this will work'
check "a program: no profile is made" test ! -e profile.jsonl

run "$coz" doctor --- "$targets/steps_stripped" --ms 300
check "stripped: status" exited 1
check "stripped: what and why" says out '^no:    .*steps_stripped was stripped'
check "stripped: the remedy" says out '^       Compile with -g'
check "stripped: the last line" says out '^Profiling this will not work as it is\.$'
run "$coz" doctor -- "$targets/steps_bare" --ms 300
check "no lines: status" exited 0
check "no lines: a note" says out '^note:  .*steps_bare has no debug information'
run "$coz" doctor --- "$targets/steps_pointless" --ms 300
check "no point: status" exited 1
check "no point: why" says out '^no:    No progress point was reached'
run "$coz" doctor -s 'nothing.c' --- "$targets/steps" --ms 300
check "the options of coz run are heeded" exited 1
check "so that nothing is in scope" says out '^no:    .*-s matches none of its sources'

run "$coz" doctor --- "$targets/steps_static"
check "static: status" exited 1
check "static: why" says out '^no:    .*steps_static is a static program'
run "$coz" doctor --- ./not-there
check "no program: status" exited 1
check "no program: why" says out '^no:    .*not-there'

run "$coz" doctor --help
check "help: status" exited 0
check "help" says out '^Usage: coz doctor'
run "$coz" doctor --nonsense
check "wrong usage: status" exited 2
check "wrong usage: who says it" says err '^coz doctor: '
run "$coz" doctor stray --- "$targets/steps"
check "what is no option: status" exited 2
check "what is no option: is named" says err "'stray'"

# Ctrl-C ends the program, and what was found is said.
press_when 'says out fine || test -e up'
run "$tools/terminal" pressed 1 "$coz" doctor --- "$targets/steps" --ms 0 --touch up
check "interrupted: the program has ended" await_end "$(cat up)"
check "interrupted: it is said" says out 'It was interrupted'
finish
