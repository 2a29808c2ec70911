#!/bin/sh
# The options of `coz run`.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

heavy=$(line_of steps.c "/* heavy line */")
light=$(line_of steps.c "/* light line */")

# speedups PROFILE: those that were tried.
speedups() {
    sed -n 's/.*"type":"experiment".*"speedup":\([^,]*\),.*/\1/p' "$1" | sort -u
}

# Only the lines and speedups that were named.
# shellcheck disable=SC2016 # for eval
run_until_that 'test "$(speedups profile.jsonl | wc -l)" -ge 4' "$coz" run --fixed-line "$heavy" --fixed-line "$light" \
    --fixed-speedup 20-40:20 --fixed-speedup -50 --- "$targets/steps"
check "fixed lines" exited 0
grep -F '"type":"experiment"' profile.jsonl >experiments
grep -vE "\"selected\":\"[^\"]*($heavy|$light)\"" experiments >others
check "only these lines" is_empty others
grep -vE '"speedup":(0|0\.2|0\.4|-0\.5),' experiments >others
check "only these speedups" is_empty others
speedups profile.jsonl >tried
printf '%s\n' -0.5 0 0.2 0.4 | sort >expected
check "all of them, and baselines" same expected tried

# A second run appends.
before=$(records profile.jsonl experiment)
run_until 1 profile.jsonl "$coz" run --fixed-line "$heavy" --- "$targets/steps"
check "a second run" exited 0
check "it says that it appends" says err 'profile\.jsonl.*append'
check "it has appended" test "$(records profile.jsonl experiment)" -gt "$before"
check "two runs" test "$(records profile.jsonl startup)" -eq 2
check "the profile is sound" is_sound profile.jsonl
run "$coz" run -o fresh.jsonl --- "$targets/ends" 0
check "a first run does not say so" lacks err append

# Lines without code.
run "$coz" run -o none.jsonl --fixed-line steps.c:1 --- "$targets/steps" --ms 1
check "a line without code" exited 2
check "the nearest line with code is named" says err 'steps\.c:1: .*nearest.*steps\.c:[0-9]+'
check "nothing was run" lacks out "^done"
run "$coz" run -o none.jsonl --fixed-line nosuch.c:10 --- "$targets/steps" --ms 1
check "a file that is not there" exited 2
check "says where to look" says err 'coz lines'

# The original's format.
run_until_that "says old.coz '	speedup=0\.[0-9]'" "$coz" run -o old.coz --profile-format coz --fixed-line "$heavy" --- "$targets/steps"
check "the original's format" exited 0
check "it begins as it should" says old.coz '^startup	time=[0-9]'
check "it has experiments" says old.coz "^experiment	selected=.*$heavy	.*speedup=0\.[0-9]"
check "it has points" says old.coz '^throughput-point	name=round	delta=[1-9]'
run "$coz" report --all old.coz
check "it is read" says out "$heavy"
check "without a complaint" is_empty err

# Whole runs as experiments.
for _ in 1 2 3; do
    run "$coz" run -o whole.jsonl --end-to-end --fixed-line "$heavy" --- "$targets/steps" --ms 200
    check "end to end" exited 0
done
check "three experiments" test "$(records whole.jsonl experiment)" -eq 3
check "of the line" holds whole.jsonl experiment "$heavy"
check "the profile is sound" is_sound whole.jsonl
for _ in 1 2; do
    run "$coz" run -o drawn.jsonl --end-to-end --- "$targets/steps" --ms 200
done
check "without a line: from the first run's samples" holds drawn.jsonl experiment 'steps\.c:'

# Wrong usage: status 2, one clear line, and nothing is run.
refused() { # PATTERN [OPTION...]
    pattern=$1
    shift
    run "$coz" run -o refused.jsonl "$@" --- "$targets/ends" 0
    check "refused: $*" exited 2
    check "the reason for: $*" says err "$pattern"
    check "no profile of: $*" test ! -e refused.jsonl
}
refused '^coz run: .*nonsense' --nonsense
refused "^coz run: .*'x'" -x
refused "^Try .coz run --help..\$" --seed x
refused 'fixed-line.*FILE:LINE' --fixed-line steps.c
refused 'fixed-line' --fixed-line steps.c:
refused 'fixed-line' --fixed-line steps.c:abc
refused 'fixed-speedup.*101' --fixed-speedup 101
refused 'fixed-speedup.*abc' --fixed-speedup abc
refused 'fixed-speedup.*nan' --fixed-speedup nan
refused 'fixed-speedup.*50-0' --fixed-speedup 50-0
refused 'fixed-speedup.*0-50:0' --fixed-speedup 0-50:0
refused 'duration.*0' --duration 0
refused 'duration.*-1' --duration -1
refused 'duration.*inf' --duration inf
refused 'seed.*x' --seed x
refused 'period.*10' --period 10
refused 'sampler.*other' --sampler other
refused 'profile-format.*xml' --profile-format xml
run "$coz" run --output
check "an option without its value" exited 2
run "$coz" run
check "no program" exited 2
check "says so" says err 'no program'
run "$coz" run -v ---
check "no program after ---" exited 2
for place in . missing/profile.jsonl; do
    run "$coz" run -o $place --- "$targets/ends" 0
    check "no profile can be $place" exited 126
    check "it is named, with the remedy" says err "^coz run: The profile $place cannot be written .*--output"
done
run "$coz" lines
check "lines of no program" exited 2
run "$coz" lines --nonsense
check "the command is named" says err '^coz lines: .*nonsense'
run "$coz" selftest nonsense
check "no argument of the selftest" exited 2
check "it is named" says err '^coz selftest: .*nonsense'
run "$coz" nonsense
check "no such command" exited 2
check "it is named" says err "^coz: unknown command 'nonsense'\$"
check "nothing is suggested" lacks err 'Did you mean'
for typed in raport reprot rep; do
    run "$coz" $typed
    check "no such command: $typed" exited 2
    check "what was meant by $typed" says err "^Did you mean .coz report.[?]\$"
done
run "$coz"
check "no command" exited 2
for command in "" run report lines selftest; do
    # shellcheck disable=SC2086 # no word or one
    run "$coz" $command --help
    check "help: $command" exited 0
    check "help goes to standard output: $command" says out '[Uu]sage'
done
finish
