#!/bin/sh
# Programs that use the real-time signals themselves, among them the one that samples would come by: they get what they
# get unprofiled, and are profiled meanwhile.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

work=$(line_of signals.c "/* work line */")
for how in handler order everybody timer default all suspended blocked pause; do
    run timeout 60 "$targets/signals" $how
    cp out native
    check "$how: natively" exited 0
    for options in "--sampler timer" "--sampler perf" "--sampler timer --period 100"; do
        rm -f profile.jsonl
        # shellcheck disable=SC2086 # several words
        run timeout 120 "$coz" run $options --- "$targets/signals" $how
        check "$how, $options: status" exited 0
        check "$how, $options: output" same native out
        check "$how, $options: samples" holds profile.jsonl samples "$work"
        if [ $how = handler ]; then
            check "$how, $options: says that it gave way" says err '^coz: The program uses signal [0-9]* \(SIGRTMAX-7\) itself'
        fi
        if [ $how = all ]; then
            check "$how, $options: says that there is no sampling" says err '^coz: the program uses all real-time signals'
        else
            check "$how, $options: no complaint" lacks err 'real-time signal'
        fi
    done
done
finish
