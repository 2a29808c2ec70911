#!/bin/sh
# Points that the processor counts, of a program that has none itself: a function, a line, a static probe. Each visit is
# counted once, in every thread and process; and what is not there is told with what is near.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

visited=$targets/visited
line=$(line_of visited.c "/* the line */")
source=visited.c:${line##*:}

run "$coz" run -p serve -o refused.jsonl --- "$visited" 1 0 1
if says err 'hardware breakpoints'; then
    echo "this machine has no hardware breakpoints for us: skipped"
    check "that is said, with the ways round it" says err 'call:NAME'
    finish
fi

# counts WHAT NUMBER ARGUMENT...: of all three points.
counts() {
    what=$1 number=$2
    shift 2
    run "$coz" run -q -v -o counts.jsonl -p serve -p "$source" -p usdt:visited:unit-done --- "$visited" "$@"
    check "$what: status" exited 0
    check "$what: the semaphore was raised" says out '^probed$'
    for point in serve "$source" usdt:visited:unit-done; do
        check "$what: $number visits of $point" says err "^coz: $number visits of .$point., by a breakpoint"
    done
}

counts "threads" 3000 3 0 1000
counts "forks, some of them killed" 4800 2 6 400
counts "a program that is executed again" 800 2 0 200 again

# A fourth address leaves none for alarms: the controller looks for the edges.
run "$coz" run -q -v -o four.jsonl -p serve -p "$source" -p usdt:visited:unit-done -p run_thread --- "$visited" 2 0 2000
check "four: all are counted" says err '^coz: 4000 visits of .serve.'
run_until_that 'holds four.jsonl experiment' "$coz" run -o four.jsonl -p serve -p "$source" -p usdt:visited:unit-done \
    -p run_thread --- "$visited" 2 0 2000
check "four: windows end" holds four.jsonl experiment
run "$coz" run -o five.jsonl -p serve -p "$source" -p usdt:visited:unit-done -p run_thread -p main --- "$visited" 1 0 1
check "a fifth: status" exited 2
check "a fifth: the limit and the ways round it" says err "4 breakpoints 0 are left.*call:NAME"

# shellcheck disable=SC2016 # for eval
run_until_that 'holds one.jsonl throughput-point "\"name\":\"serve\",\"delta\":[1-9]"' "$coz" run -o one.jsonl -p serve \
    --- "$visited" 2 0 2000
check "one: windows end" holds one.jsonl throughput-point '"name":"serve","delta":[1-9]'
check "what they cost is said" says err 'breakpoints took about [0-9]+ % of the program.s CPU time'
check "the profile is sound" is_sound one.jsonl

# refuses SPEC WORDS
refuses() {
    run "$coz" run -o none.jsonl -p "$1" --- "$visited" 1 0 1
    check "$1: status" exited 2
    check "$1: $2" says err "$2"
}
refuses visited.c:3 "no code begins at line 3; the nearest line that has some is [0-9]+"
refuses visted.c:3 "no source of that name"
refuses srve "the nearest names: .*serve"
refuses usdt:visited:unit__dune "there are usdt:visited:unit__done"
refuses usdt:visit:unit__done "there are usdt:visited:unit__done"
refuses srve@return "the nearest names: .*serve"

# A function returns as often as it is entered: by itself, or by another that it jumps to. The second function enters the
# first every other time, and a third one does once.
run "$coz" run -q -v -o returns.jsonl -p early@return -p handing@return --- "$targets/returned" 3000
check "returns: status" exited 0
check "returns: 4501 visits of early@return" says err '^coz: 4501 visits of .early@return., by a breakpoint'
check "returns: 3000 visits of handing@return" says err '^coz: 3000 visits of .handing@return., by a breakpoint'
run "$coz" run -o none.jsonl -p choosing@return --- "$targets/returned" 10
check "returns: where it is not known" exited 2
check "returns: that is said, with the jump" says err 'by its jump at 0x[0-9a-f]+ choosing may leave.*take the function itself'
run "$coz" run -o none.jsonl -p early -p main -p early@return -p handing@return --- "$targets/returned" 10
check "returns: too many of them" says err 'addresses? at which it returns'
# shellcheck disable=SC2016 # for eval
run_until_that 'holds spent.jsonl latency-point' "$coz" run -o spent.jsonl -p "begin=early,end=early@return" \
    --- "$targets/returned" 3000
check "returns: what is spent in a function" holds spent.jsonl latency-point

# Latencies: their ends may be of any kind that is a moment. Each is about what the program's own marks say.
begun=$(line_of handed.c "/* the line */") called=$(line_of handed.c "/* the call */")
# shellcheck disable=SC2016 # for eval
run_until_that 'test "$(grep -c "^{\"type\":\"latency-point\"" handed.jsonl)" -ge 90' "$coz" run -o handed.jsonl \
    -p "begin=begin_unit,end=usdt:handed:ended" -p "begin=$begun,end=call:sem_post@$called" --- "$targets/handed"
check "latencies: status" exited 0
run "$coz" report --format json handed.jsonl
mean_of() {
    for point in 0 1 2; do
        test "$("$tools/json" latencies $point point <out)" != "$1" || "$tools/json" latencies $point mean <out
    done
}
own=$(mean_of unit)
for point in "begin=begin_unit,end=usdt:handed:ended" "begin=$begun,end=call:sem_post@$called"; do
    mean=$(mean_of "$point")
    check "$point: about as long as the program's own marks say" \
        awk "BEGIN { exit !(${own:-0} > 0 && ${mean:-0} > $own / 2 && ${mean:-0} < $own * 2) }"
done
refuses "begin=serve,end=exit" "no moment that a latency could begin or end with"

# Without debug information, by its symbols.
cp "$visited" bare
strip --strip-debug bare
run "$coz" run -q -v -o bare.jsonl -p serve --- ./bare 2 0 200
check "symbols alone will do" says err '^coz: 400 visits of .serve.'
address=$("$coz" lines --functions bare serve | sed -n 's/^ .*serve  *\(0x[0-9a-f]*\)-.*/\1/p')
strip bare
run "$coz" run -q -v -o bare.jsonl -p "bare+$address" --- ./bare 2 0 200
check "its address will do, without symbols" says err "^coz: 400 visits of .bare\+$address."
run "$coz" run -o bare.jsonl -p "bare+${address%?}f" --- ./bare 1 0 1
check "an address at which no function begins" exited 2
check "the nearest that do" says err "the nearest names: .*bare\+$address"
run "$coz" run -o bare.jsonl -p "$source" --- ./bare 1 0 1
check "not for lines" says err 'no debug information for its lines'
finish
