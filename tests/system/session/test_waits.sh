#!/bin/sh
# What threads wait for: the totals in the profile, the report of them, and waits as targets.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

wants=$(line_of waiter.c "/* wants it */")
gives=$(line_of waiter.c "/* hands it over */")
reads=$(line_of waiter.c "/* waits for the answer */")
answers=$(line_of waiter.c "/* answers */")
works=$(line_of waiter.c "/* works a little */")
sleeps=$(line_of waiter.c "/* takes its time */")

run "$coz" run -q -o totals.jsonl --- "$targets/waiter" --ms 1500
check "a run" exited 0
check "the lock was waited for" holds totals.jsonl wait "\"class\":\"lock\",\"place\":\"[^\"]*$wants\""
check "the answer was waited for" holds totals.jsonl wait "\"class\":\"io-read\",\"place\":\"[^\"]*$reads\""
check "the peer slept" holds totals.jsonl wait "\"class\":\"sleep\",\"place\":\"[^\"]*$sleeps\""
check "who gave the lock back" holds totals.jsonl wake "$wants\",\"by\":\"[^\"]*$gives\""
check "who answered, and slept meanwhile" holds totals.jsonl wake \
    "$reads\",\"by\":\"[^\"]*$answers\",\"after_class\":\"sleep\",\"after_place\":\"[^\"]*$sleeps\""
check "what the threads of a line wait for" holds totals.jsonl await \
    "\"location\":\"[^\"]*$works\",\"class\":\"sleep\",\"place\":\"[^\"]*$sleeps\",\"time\":[1-9]"
check "how long threads lived" holds totals.jsonl runtime '"lived":'
check "the profile is sound" is_sound totals.jsonl

run "$coz" report --waits totals.jsonl
check "they are told" exited 0
check "by place and class" says out "io-read .*$reads"
check "with who ended them" says out "ended by .*$answers"
check "and the chain" says out 'whose thread waited meanwhile'
run "$coz" report --format json totals.jsonl
check "JSON tells them, too" says out "\"by\": \"[^\"]*$answers"
run "$coz" report --waits "$root/docs/pictures/forkjoin.jsonl"
check "a profile without waits" exited 1
check "that is said" says out 'tells of no wait'
run "$coz" report --waits --format json totals.jsonl
check "only as text" exited 2

run taskset -c 0 "$coz" run -q -o queue.jsonl --- "$targets/steps" --ms 1500
check "a run on one core" exited 0
check "how long threads were ready without one" holds queue.jsonl runtime '"queued":[1-9][0-9]{7}'
run "$coz" report --waits queue.jsonl
check "that is told" says out 'had no core'
# What more cores would bring: two threads that compute, on one core. Others owe what one has stood in the run queue.
run_until 8 cores.jsonl taskset -c 0 "$coz" run -q -o cores.jsonl --target wait:queue --fixed-speedup 100 --- "$targets/pools"
check "waits for a core as the target" exited 0
check "they are tried" holds cores.jsonl experiment '"selected":"all waits for a core","kind":"wait"'
grep -F '"type":"experiment"' cores.jsonl >experiments
check "others have paid" says experiments '"speedup":1[,.].*"delay":[1-9][0-9]{6}'
run "$coz" report -a --format json cores.jsonl
check "the report tells of them" says out '"location": "all waits for a core"'
run "$coz" run --target wait:queue --fixed-speedup -20 --- "$targets/pools"
check "a core cannot come later" exited 2
check "that is said" says err "not be made to come later"

# Nothing but waits is tried, and they are sped up: others owe for it.
run_until 8 line.jsonl "$coz" run -q -o line.jsonl --target "wait:$reads" --fixed-speedup 50 --- "$targets/waiter"
check "a line's waits as the target" exited 0
grep -F '"type":"experiment"' line.jsonl >experiments
grep -vE "\"selected\":\"[^\"]*$reads \(io-read\)\",\"kind\":\"wait\"" experiments >others
check "only these" is_empty others
check "others have paid" says experiments '"speedup":0.5,.*"delay":[1-9][0-9]{6}'
run "$coz" report -a --format json line.jsonl
check "of kind wait" says out '"kind": "wait"'

run_until 4 class.jsonl "$coz" run -q -o class.jsonl --target wait:sleep --fixed-speedup 50 --- "$targets/waiter"
check "a class as the target" exited 0
check "all of it" holds class.jsonl experiment '"selected":"all sleep waits","kind":"wait"'

# A call that copies into a socket with room waits for nothing, however long it takes: nobody owes for it but what looking at
# the clocks has cost.
run_until 8 copies.jsonl "$coz" run -q -o copies.jsonl --target wait:io-write --fixed-speedup 50 --- "$targets/copier"
check "copying as the target" exited 0
owed=$(grep -F '"type":"experiment"' copies.jsonl | grep -F '"speedup":0.5,' |
    sed 's/.*"duration":\([0-9]*\),.*"delay":\([0-9]*\),.*/\1 \2/' |
    awk '{ lasted += $1; owed += $2 } END { printf "%d", 100 * owed / lasted }')
check "it is hardly a wait (owed $owed % of the time)" test "$owed" -lt 45

# What hooks cost is owed by all, and so must be none of the thread's own time: counted twice, it would be more than has
# passed.
run_until 20 passes.jsonl "$coz" run -q -o passes.jsonl --target thread --- "$targets/passer"
check "a thread that does nothing but call" exited 0
ran=$(grep -F '"type":"experiment"' passes.jsonl | grep -F '"speedup":0,' |
    sed 's/.*"duration":\([0-9]*\),.*"selected_ns":\([0-9]*\),.*/\1 \2/' |
    awk '{ lasted += $1; ran += $2 } END { printf "%d", 1000 * ran / lasted }')
check "it runs no more than all the time ($ran of 1000)" test "$ran" -le 1020
check "but nearly so" test "$ran" -ge 700

# run_longer_until CONDITION FILE ARGUMENTS...: a profile that fulfils it, of few windows or, run anew, of more.
run_longer_until() {
    fulfilled=$1
    profile=$2
    shift 2
    for windows in 24 36 48; do
        run_until "$windows" "$profile" "$coz" run -q -o "$profile" "$@"
        "$fulfilled" && break
        mv "$profile" "$profile.$windows"
    done
}

# Calls that return at once, of which one copies. A sample in it takes longer than the call: did it look like a wait
# then, stretches with samples would end elsewhere than those without, and be credited with a part of what they ran.
tells=$(grep -n 'told line' "$sources/waits/teller.c" | cut -d: -f1)
# shellcheck disable=SC2317 # check() calls it
is_stepped() { # by all that it runs, at full speedup: thousandths
    stepped=$(awk -F '[:,]' '/"type":"experiment"/ { at = 0; for (i = 1; i < NF; i++) { if ($i ~ /"speedup"/) at = $(i + 1) > 0; if ($i ~ /"duration"/) real[at] += $(i + 1); if ($i ~ /"delay"/) { delay[at] += $(i + 1); real[at] += $(i + 1) } if ($i ~ /"selected_ns"/) ran[at] += $(i + 1) } }
        END { if (real[0] && ran[1]) printf "%d", 1000 * (delay[1] - delay[0] / real[0] * real[1]) / ran[1] }' tells.jsonl)
    test "${stepped:-0}" -ge 850 && test "$stepped" -le 1150
}
run_longer_until is_stepped tells.jsonl --target "teller.c:$tells" --fixed-speedup 100 --- "$targets/teller"
check "calls that return at once" exited 0
check "a line that makes one is stepped by all it runs ($stepped of 1000)" is_stepped

# Two threads that fight for a lock: were pauses paid with the lock in hand, or dear, a visit would take half as long again
# in windows at any speedup, and every line would be said to harm.
held=$(grep -n 'held line' "$sources/waits/rusher.c" | cut -d: -f1)
# shellcheck disable=SC2317 # check() calls it
no_harm() { # that a line which both threads run is made faster
    tried=$(awk -F '[:,]' '/"type":"experiment"/ { for (i = 1; i < NF; i++) { if ($i ~ /"speedup"/) tried = $(i + 1) > 0; if ($i ~ /"duration"/) lasted[tried] += $(i + 1) } }
        /"type":"throughput-point"/ { for (i = 1; i < NF; i++) if ($i ~ /"delta"/) visits[tried] += $(i + 1) }
        END { if (visits[0] && visits[1]) printf "%d", 100 * (lasted[1] / visits[1]) / (lasted[0] / visits[0]) }' rushes.jsonl)
    test "${tried:-1000}" -le 115
}
run_longer_until no_harm rushes.jsonl --target "rusher.c:$held" --fixed-speedup 50 --- "$targets/rusher"
check "two threads that fight for a lock" exited 0
check "what they pay leaves them be ($tried of 100)" no_harm

# Unless it is told what to try, a run has lines, and long waits now and then.
# shellcheck disable=SC2317 # run_until_that calls it
has_both() {
    holds default.jsonl experiment '"kind":"wait"' && holds default.jsonl experiment "\"selected\":\"[^\"]*$works\""
}
run_until_that has_both "$coz" run -q -o default.jsonl --- "$targets/waiter"
check "waits beside lines" exited 0
check "and lines" holds default.jsonl experiment "\"selected\":\"[^\"]*$works\""
check "a wait's samples are all its waits" holds default.jsonl samples '"kind":"wait"'
run_until 40 lines.jsonl "$coz" run -q -o lines.jsonl --target line --- "$targets/waiter"
check "lines only" exited 0
check "no waits then" lacks lines.jsonl '"selected":.*"kind":"wait"'

# What cannot be.
run "$coz" run --target wait:nap --- "$targets/waiter" --ms 1
check "no such class or line" exited 2
check "the classes are told" says err 'lock, io-read, io-write, sync, poll, sleep'
run "$coz" run --target wait:condition --- "$targets/waiter" --ms 1
check "a class that a peer ends" exited 2
check "who to look for instead" says err 'coz report --waits'
run "$coz" run --target sleep --- "$targets/waiter" --ms 1
check "not a wait" exited 2
run "$coz" run -o never.jsonl --target "wait:$gives" --- "$targets/waiter" --ms 300
check "a line that never waits" exited 0
check "that is said" says err 'nobody waited there'
finish
