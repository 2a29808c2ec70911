#!/bin/sh
# --runs and --until-ci: programs that end are run again, and those that do not are ended, until enough is known.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

heavy=$(line_of steps.c "/* heavy line */")
runs() { # PROFILE COUNT: it was run so often
    # shellcheck disable=SC2317 # check() calls it
    test "$(records "$1" startup)" -eq "$2"
}

# So often, into one profile.
run_until 16 profile.jsonl "$coz" run --runs 3 --fixed-line "$heavy" --fixed-speedup 50 --- "$targets/steps"
check "three runs" exited 0
check "are in the profile" runs profile.jsonl 3
check "and have ended" test "$(records profile.jsonl runtime)" -eq 3
check "the program printed thrice" test "$(grep -c '^done' out)" -eq 3
check "the words are about all runs" says err "^coz: $(records profile.jsonl experiment) windows in 3 runs"
check "it does not speak of earlier runs" lacks err 'holds earlier runs'
check "the leader is named" says err "^coz: .*steps\.c:[0-9]+.* impact -?[0-9.]+ %.* windows"
check "the profile is sound" is_sound profile.jsonl

# A failure is the last, and its status is ours.
for how in 7 segv; do
    run "$coz" run -o "$how.jsonl" --runs 3 --- "$targets/ends" $how
    check "one run that ends by $how" runs "$how.jsonl" 1
    check "says so" says err '^coz: run 1 (failed .exit status 7.|was ended by a signal)'
done
check "status after a signal" exited 139
run "$coz" run -o last.jsonl --runs 1 --- "$targets/ends" 7
check "the only run fails" exited 7
check "nothing is said of others" lacks err 'run 1'

# Runs without a window are not repeated for ever.
run "$coz" run -o futile.jsonl --until-ci 5 --- "$targets/ends" 0
check "too short to learn anything" exited 0
check "after three runs" runs futile.jsonl 3
check "it says why" says err 'reached no progress point, so there was no other'

# Ended when the interval is narrow enough (any is), and not by the duration.
run "$coz" run -o sure.jsonl --until-ci 200 --duration 600 --fixed-line "$heavy" --fixed-speedup 50 \
    --- "$targets/steps" --ms 0
check "a program that does not end" exited 0
# The last window, and all samples, come after the look that was enough: the width is not quite the same then.
check "is ended" says err 'intervals are (at most|still up to) [0-9.]+ points wide.*asked.*200'
check "after one run" runs sure.jsonl 1
check "with enough windows" test "$(grep -cF '"speedup":0.5' sure.jsonl)" -ge 5
check "the profile is sound" is_sound sure.jsonl

# Run again until then; what is in the profile counts.
run "$coz" run -o again.jsonl --until-ci 200 --fixed-line "$heavy" --fixed-speedup 50 --- "$targets/steps" --ms 1500
check "a program that ends" exited 0
check "is known well enough" says err 'intervals are (at most|still up to) [0-9.]+ points wide.*asked.*200'
check "with enough windows, however many runs that takes" test "$(grep -cF '"speedup":0.5' again.jsonl)" -ge 5
# An earlier run that knew it better than any noise of one more can hide.
awk -v program="$targets/steps" -v line="$sources/$heavy" 'BEGIN {
    printf "{\"type\":\"startup\",\"time\":1,\"program\":\"%s\"}\n", program
    for (block = 1; block <= 100; block++)
        for (window = 1; window <= 3; window++) {
            elapsed = window == 2 ? 60e6 : 100e6 + 1e5 * ((block + window) % 5)
            printf "{\"type\":\"experiment\",\"selected\":\"%s\",\"speedup\":%s,\"duration\":%d," \
                "\"selected_samples\":90,\"block\":%d,\"window\":%d}\n", line, window == 2 ? 0.5 : 0, elapsed, block, window
            printf "{\"type\":\"throughput-point\",\"name\":\"round\",\"delta\":100,\"elapsed\":%d}\n", elapsed
        }
    printf "{\"type\":\"samples\",\"location\":\"%s\",\"count\":60000,\"cpu_ns\":30000000000,\"baseline_ns\":20000000000}\n", line
    print "{\"type\":\"runtime\",\"time\":30000000000,\"baseline_ns\":20000000000,\"samples\":60000}"
}' </dev/null >known.jsonl
run "$coz" run -o known.jsonl --until-ci 30 --fixed-line "$heavy" --fixed-speedup 50 --- "$targets/steps" --ms 1
check "one more run is enough" runs known.jsonl 2
check "it says so" says err 'as asked'
check "and that the profile knew already" says err 'known\.jsonl holds enough'
check "it says that it appends" says err 'holds earlier runs'

# Not narrow enough in that time, or in so many runs.
for seconds in 2 8 32 128; do
    rm -f wide.jsonl
    run "$coz" run -o wide.jsonl --until-ci 0.001 --duration $seconds --fixed-line "$heavy" --- "$targets/steps" --ms 300
    says err 'run longer' && [ "$(records wide.jsonl startup)" -gt 1 ] && break
done
check "time is up" exited 0
check "more than one run" test "$(records wide.jsonl startup)" -gt 1
check "it says that it does not know" says err 'run longer'
run "$coz" run -o few.jsonl --until-ci 0.001 --runs 2 --fixed-line "$heavy" --- "$targets/steps" --ms 300
check "only two runs" runs few.jsonl 2

# Whole runs as experiments.
run "$coz" run -o whole.jsonl --end-to-end --runs 4 --fixed-line "$heavy" --- "$targets/steps" --ms 100
check "four experiments" test "$(records whole.jsonl experiment)" -eq 4
run "$coz" run -o exit.jsonl -p exit --fixed-line "$heavy" --fixed-speedup 50 --- "$targets/steps" --ms 1
check "whole runs as the unit" exited 0
check "there are twenty, though nobody said how many" test "$(records exit.jsonl experiment)" -eq 20
check "the number is told" says err 'ended after 20 runs, the most without --runs'
check "some at no speedup" holds exit.jsonl experiment '"speedup":0,'
check "some with it" holds exit.jsonl experiment '"speedup":0\.5,'
run "$coz" run -o fewer.jsonl -p exit --runs 2 --fixed-line "$heavy" --- "$targets/steps" --ms 1
check "or as many as are wanted" test "$(records fewer.jsonl experiment)" -eq 2

# Ctrl-C ends all of it.
run "$tools/terminal" up 1 "$coz" run -o stopped.jsonl --runs 5 --- "$targets/steps" --ms 0 --touch up
check "status after Ctrl-C" exited 130
check "no second run after it" runs stopped.jsonl 1

refused() { # PATTERN OPTION...
    pattern=$1
    shift
    run "$coz" run -o refused.jsonl "$@" --- "$targets/ends" 0
    check "refused: $*" exited 2
    check "the reason for: $*" says err "$pattern"
}
refused 'runs 0' --runs 0
refused 'runs 2\.5: must be a whole number' --runs 2.5
refused 'runs x' --runs x
refused 'until-ci 0' --until-ci 0
refused 'until-ci nan' --until-ci nan
refused 'until-ci 300: .*points' --until-ci 300
finish
