#!/bin/sh
# Ctrl-C and its kin: the program ends as it would have, once, and the profile is kept.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# On a terminal Ctrl-C reaches program and profiler at once.
run "$tools/terminal" up 1 "$coz" run -o handled.jsonl --- "$targets/ends" interrupt up
check "a program that handles Ctrl-C gets one" exited 11
rm up
drawn='coz [0-9]+:[0-9]+.* [0-9]+ windows?'
# shellcheck disable=SC2016 # for eval
press_when 'test -e up && says out "$drawn"'
run env TERM=xterm "$tools/terminal" pressed 1 "$coz" run -o terminal.jsonl --- "$targets/steps" --ms 0 --touch up
check "status after Ctrl-C" exited 130
check "the profile after Ctrl-C is sound" is_sound terminal.jsonl
check "the run's end is in the profile" holds terminal.jsonl runtime
check "there is a status line" says out "$drawn"
rm up

# A program that takes no notice is killed by the second.
run "$tools/terminal" up 2 "$coz" run -o twice.jsonl --- sh -c 'trap "" INT; touch up; while :; do sleep 0.1; done'
check "status after Ctrl-C twice" exited 137
check "the profile after Ctrl-C twice" is_sound twice.jsonl
rm up

# Without a terminal: to the group, then to coz alone. A shell starts what is in the background without SIGINT.
start() {
    setsid env --default-signal=INT,QUIT "$coz" run -o "$1.jsonl" --- "$targets/steps" --ms 0 --touch up >out 2>err &
    pid=$!
    begin "$1"
    check "$1: the program starts" await up
    child=$(cat up)
    rm up
}
start group
check "windows before SIGINT" await_windows group.jsonl
kill -s INT -- "-$pid"
wait "$pid"
status=$?
check "status after SIGINT to the group" exited 130
check "the profile after SIGINT to the group" is_sound group.jsonl
check "its windows" holds group.jsonl experiment

alone() { # SIGNAL STATUS
    start "$1"
    kill -s "$1" "$pid"
    wait "$pid"
    status=$?
    check "SIG$1 to coz alone ends the program as well" exited "$2"
    check "the program of SIG$1 has ended" await_end "$child"
    check "the profile after SIG$1" holds "$1.jsonl" runtime
}
alone INT 130
alone TERM 143
alone HUP 129
finish
