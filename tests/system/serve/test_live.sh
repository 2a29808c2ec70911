#!/bin/sh
# `coz run --live`: the page while the program runs, what it wishes of the run, and who ends when.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
unset DISPLAY WAYLAND_DISPLAY

run "$coz" plot missing.jsonl
if says err 'built without the (server|page)'; then
    run "$coz" run --live -o without.jsonl --- "$targets/steps" --ms 100
    check "built without: the program runs all the same" exited 0
    check "and it says why there is no page" says err 'no page of this run.*built without'
    finish
fi

# live [OPTION...] --- PROGRAM...: in the background; $runner is the run.
live() {
    begin "coz run --live $*"
    rm -f err
    "$coz" run --live "$@" >out 2>err &
    runner=$!
    await_that says err 'the page of this run'
    address=$(sed -n 's/.*the page of this run[^:]*: //p' err)
    port=$(echo "$address" | sed 's|.*127.0.0.1:\([0-9]*\)/.*|\1|')
    token=$(echo "$address" | cut -d/ -f4)
}

wish() {
    code=$(curl -s -o body -w '%{http_code}' --data-binary "$1" "http://127.0.0.1:$port/$token/wishes")
}

# Whether a window at that speedup is there.
# shellcheck disable=SC2317 # it is called by await_that
has_speedup() {
    holds live.jsonl experiment "\"speedup\":$1[,}]"
}

live -o live.jsonl --- "$targets/steps" --until enough
curl -sN "${address}events" >events &
listener=$!
check "windows come in" await_that says events '"live":true,"windows":[1-9]'
check "and the page says that the run can be steered" says events '"steered":true'
check "with answers" await_that says events '^event: report'
heavy=$(line_of steps.c 'heavy line */')
heavy=$sources/$heavy
light=$sources/$(line_of steps.c 'light line */')
wish "first line $light"
check "a line is put first" test "$code" = 200
check "and is tried" await_that holds live.jsonl experiment "steps.c:${light##*:}\""
wish "speedups 100 200"
check "speedups are chosen" test "$code" = 200
check "and are tried" await_that has_speedup 0.1
for bad in nonsense 'first' 'first line ' 'first line /no/such.c:1' 'first function main' 'speedups' 'speedups 0' 'speedups 2000' 'speedups x' 'stop it' "first line $(printf '%05000d' 0)"; do
    wish "$bad"
    check "refused: $(echo "$bad" | cut -c 1-40)" test "$code" = 400 -o "$code" = 409 -o "$code" = 413
    check "in words: $(echo "$bad" | cut -c 1-40)" test -s body
done
check "the program goes on" kill -0 "$runner"
wish stop
check "it is stopped" test "$code" = 200
check "the last windows are shown" await_that says events '"live":false'
wish "first line $heavy"
check "nothing is steered then" test "$code" = 409
check "the run has its end" holds live.jsonl runtime
check "its profile is sound" is_sound live.jsonl
check "it waits while the page is open" await_that says err 'the page stays until it is closed'
check "which is served" test "$(curl -s -o page -w '%{http_code}' "$address")" = 200
check "with all windows" says page "\"windows\":$(experiments live.jsonl),"
kill $listener
wait $listener 2>/dev/null
wait "$runner"
status=$?
check "it ends when the page is closed" exited 0

# The same with a signal instead: to the run alone, and the server goes with it.
rm -f enough
live -o live.jsonl --- "$targets/steps" --until enough
curl -sN "${address}events" >events &
listener=$!
check "it is listened to, before the program ends" await_that test -s events
: >enough
check "it waits for the page" await_that says err 'the page stays until it is closed'
kill -TERM "$runner"
wait "$runner"
status=$?
check "SIGTERM ends that" exited 0
wait $listener
check "nobody serves any more" test "$(curl -s -o body -w '%{http_code}' "$address")" = 000

# Ctrl-C, once for the program, and once for the page.
rm -f enough out pressed
{
    await_that says out 'the page of this run'
    address=$(sed -n 's/.*the page of this run[^:]*: \(http[^[:space:]]*\).*/\1/p' out)
    curl -sN "${address}events" >events &
    listener=$!
    await_that says events '"windows":[1-9]'
    : >pressed
    await_that says out 'the page stays until it is closed'
    curl -s -o page -w '%{http_code}' "$address" >served
    kill $listener
} &
run "$tools/terminal" pressed 1 "$coz" run --live -o live.jsonl --- "$targets/steps" --until enough
check "one Ctrl-C ends the program, and not the page" says out 'the page stays until it is closed'
check "which is served then" says served '^200$'

# Nobody looks: nobody is waited for.
run "$coz" run --live --no-browser -o alone.jsonl --- "$targets/steps" --ms 300 --status 7
check "the exit status is the program's" exited 7
check "nobody was waited for" lacks err 'the page stays'
run "$coz" run --live=99999 --- "$targets/steps"
check "a port that cannot be" exited 2
run "$coz" run --live -o none.jsonl --- ./no-such-program
check "no program" exited 127
check "no page either" lacks err 'the page of this run'
finish
