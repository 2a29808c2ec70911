#!/bin/sh
# However short a thread's runs and its life are, its lines are seen.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

for sampler in perf timer; do
    run "$coz" run --sampler $sampler -o $sampler.jsonl --- "$targets/runs"
    check "$sampler: status" exited 0
    check "$sampler: output" says out '^done$'
    for line in short brief long; do
        check "$sampler: samples in the $line line" \
            holds $sampler.jsonl samples "$(line_of runs.c "/* $line line */")\",\"count\":[1-9]"
    done
    check "$sampler: the profile" is_sound $sampler.jsonl
done
finish
