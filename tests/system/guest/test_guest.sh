#!/bin/sh
# Programs that close all descriptors, take numbers over, have few, or restrict their system calls: they do what they do
# unprofiled, and are profiled for as long as that is possible.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

samplers="perf timer"
run "$coz" run -o first.jsonl --sampler perf --- "$targets/steps" --ms 1
if says err 'perf events are not permitted'; then
    echo "left out, not permitted here: perf"
    samplers=timer
fi

for how in closefrom range loop listing takeover few exhausted lowered idle strict killing together unprivileged truncating; do
    run "$targets/guest" $how
    cp out native
    native_status=$status
    if [ "$native_status" -eq 77 ]; then
        echo "skipped: $how"
        continue
    fi
    for sampler in $samplers; do
        rm -f profile.jsonl
        run timeout 600 "$coz" run --sampler "$sampler" --- "$targets/guest" $how
        check "$how, $sampler: status" exited "$native_status"
        check "$how, $sampler: output" same native out
        check "$how, $sampler: samples" holds profile.jsonl samples "$(line_of guest.c "/* work line */")"
        check "$how, $sampler: the profile" is_sound profile.jsonl
        case $how in
        strict | killing | together) check "$how, $sampler: says so" says err '^coz: the program restricts its system calls' ;;
        unprivileged) ;; # nobody may be refused perf events
        *) check "$how, $sampler: no complaint about the system" lacks err 'not permitted|seccomp' ;;
        esac
    done
done

# Small stacks, and stacks of the program's own.
for how in threads altstack contexts; do
    run "$targets/small" "$how" "$targets/plugin_a.so"
    cp out native
    check "$how: natively" exited 0
    for sampler in $samplers; do
        run timeout 600 "$coz" run -o small.jsonl --sampler "$sampler" --period 100 --- "$targets/small" "$how" "$targets/plugin_a.so"
        check "$how, $sampler: status" exited 0
        check "$how, $sampler: output" same native out
    done
done

# Samples that come faster than they are taken must not keep a thread from ever living, nor those that come before it has
# run for as long as they are late; and who sleeps in a call that the runtime does not know of is left to sleep. (Perf's
# interrupt alone may take more than 50 us, and then nothing goes on: it gets twice that.)
for sampler in $samplers; do
    period=50
    [ "$sampler" = timer ] || period=100
    run timeout 600 "$coz" run -o lives.jsonl --sampler "$sampler" --period "$period" --- "$targets/lives" --pairs 700
    check "short lives, $sampler: status" exited 0
    check "short lives, $sampler: samples" holds lives.jsonl samples "$(line_of lives.c "/* living line */")"
    run timeout 300 "$coz" run -o brief.jsonl --sampler "$sampler" --fixed-line "$(line_of lives.c "/* living line */")" --- \
        "$targets/lives" --pairs 6000 --steps 30000
    check "lives of fifty microseconds, $sampler: status" exited 0
    check "lives of fifty microseconds, $sampler: sound" is_sound brief.jsonl
    run timeout 600 "$coz" run -o asleep.jsonl --sampler "$sampler" --- "$targets/asleep"
    check "asleep, $sampler: undisturbed" exited 0
done

# With perf, where it is permitted: without descriptors, threads are sampled by timer, and that is said.
run timeout 600 "$coz" run -o few.jsonl --sampler perf --- "$targets/guest" exhausted
if lacks err 'perf events are not permitted'; then
    check "out of descriptors: says so once" \
        test "$(grep -c '^coz: there were not enough descriptors' err)" -eq 1
fi
finish
