#!/bin/sh
# What is tried: --target and --exclude.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

heavy=$(line_of steps.c "/* heavy line */")
light=$(line_of steps.c "/* light line */")

# tried PROFILE: kind and name of each target that was.
tried() {
    sed -n 's/.*"type":"experiment".*"selected":"\([^"]*\)".*/\1/p' "$1" | sed "s|[^ ]*/||g" | sort -u
}

# kinds PROFILE: of these.
kinds() {
    grep -F '"type":"experiment"' "$1" | sed 's/.*"kind":"\([^"]*\)".*/\1/' | sort -u
}

# Threads by their names: they run the same code, and there need not be debug information.
run_until 3 threads.jsonl "$coz" run -o threads.jsonl --target 'thread:pool-*' --fixed-speedup 50 --- "$targets/pools_stripped"
check "threads" exited 0
tried threads.jsonl >names
echo 'thread:pool-*' >expected
check "the pattern is the target" same expected names
check "its kind" test "$(kinds threads.jsonl)" = thread
for name in 'pool-\*' pool-long pool-short pools; do
    check "samples of $name" holds threads.jsonl samples "\"location\":\"thread:${name}[_\"].*\"kind\":\"thread\""
done
check "the profile is sound" is_sound threads.jsonl
run "$coz" report --all threads.jsonl
check "the report names it" says out 'thread:pool-\*'
check "and calls it a thread" says out 'when the thread is'
run "$coz" report 'thread:pool-*' threads.jsonl
check "it is found by its name" says out '^thread:pool-\*'
run_until 3 each.jsonl "$coz" run -o each.jsonl --target thread --- "$targets/pools"
check "each name by itself" says each.jsonl '"selected":"thread:pool-(long|short)"'
run_until 1 long.jsonl "$coz" run -o long.jsonl --target thread:pool-long --target thread:nobody --- "$targets/pools"
check "a name that never came" says err 'thread:nobody: no thread of that name was seen to run; there were: .*pool-'

# Several at once, and each by itself.
# shellcheck disable=SC2016 # for eval
run_until_that 'test "$(tried both.jsonl | wc -l)" -ge 3' "$coz" run -o both.jsonl --target "$heavy+$light" --fixed-speedup 50 --- "$targets/steps"
check "two at once" exited 0
tried both.jsonl >names
printf '%s\n' "$heavy" "$heavy + $light" "$light" | sort >expected
check "both, and each" same expected names
check "their kind" holds both.jsonl experiment '"kind":"together"'
check "the profile is sound" is_sound both.jsonl
run "$coz" report --all both.jsonl
check "whether they add is said" says out "$heavy \+ $light at once"
run "$coz" report -f json both.jsonl
check "in JSON, too" says out '"together": *\{'
run "$coz" report "$heavy+$light" --all both.jsonl
check "it is found as it was asked for" says out "$heavy \+ $light"

# Files: by themselves, and all that match.
run_until 1 file.jsonl "$coz" run -o file.jsonl --target file --- "$targets/steps"
check "files" says file.jsonl '"selected":"/[^"]*/steps.c","kind":"file"'
run_until 1 match.jsonl "$coz" run -o match.jsonl --target 'file:step%' --- "$targets/steps"
check "a pattern of files" says match.jsonl '"selected":"file:step%"'
check "its share is that of its lines" holds match.jsonl samples '"location":"file:step%"'

# What is left out: its time is its caller's.
run_until 1 rest.jsonl "$coz" run -o rest.jsonl --exclude function:light --- "$targets/steps"
check "without a function" exited 0
check "the other one is there" holds rest.jsonl samples "$heavy"
check "nothing of it is" lacks rest.jsonl "$light"
run_until 1 rest2.jsonl "$coz" run -o rest2.jsonl --target function --exclude 'function:he*' --- "$targets/steps"
check "without functions that match" lacks rest2.jsonl '"location":"heavy"'
check "their caller is there" holds rest2.jsonl samples '"location":"main"'
for what in file:steps.c binary:MAIN 'binary:*/steps'; do
    run "$coz" run -o none.jsonl --exclude "$what" --- "$targets/steps" --ms 1
    check "nothing is left without $what" lacks none.jsonl '"type":"samples"'
done

refused() { # PATTERN [OPTION...]
    pattern=$1
    shift
    run "$coz" run -o refused.jsonl "$@" --- "$targets/steps" --ms 1
    check "refused: $*" exited 2
    check "the reason for: $*" says err "$pattern"
    check "nothing was run: $*" lacks out "done"
}
refused "target steps.c:: '' is not|is not a|no such function" --target steps.c:
refused 'nearest line with code is .*steps\.c' --target steps.c:1
refused 'no such function in scope; the nearest names: .*heavy' --target heavi
refused 'no such function' --target function:nothing_like_it
refused 'no file with code in scope matches; the nearest: .*steps\.c' --target file:stops.c
refused '15 characters' --target thread:a_name_that_is_too_long
refused 'one kind' --target "$heavy+heavy"
refused 'one kind' --target "$heavy" --target heavy
refused 'one kind' --target function --target line
refused 'another kind' --target function --fixed-line "$heavy"
refused 'twice' --target "$heavy+$heavy"
refused 'line, function, callsite, file or thread' --granularity thraed
refused 'file:PATTERN, function:NAME or binary:PATTERN' --exclude steps.c
refused 'no pattern' --exclude file:
finish
