#!/bin/sh
# However the program ends, `coz run` ends as a shell would say.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

ends() { # STATUS HOW
    rm -f profile.jsonl
    run "$coz" run --- "$targets/ends" "$2"
    check "status of $2" exited "$1"
    check "profile after $2" is_sound profile.jsonl
}
ends 0 0
ends 7 7
ends 255 255
ends 139 segv
ends 143 term
ends 137 kill
ends 157 io

run "$coz" run --- "$targets/steps" --ms 1 --status 3
check "status of a program with threads" exited 3

run "$coz" run --- ./missing
check "a path that is not there" exited 127
check "says so" says err 'missing'
run "$coz" run --- no-such-program-anywhere
check "a name that is not in PATH" exited 127
check "says so" says err 'no-such-program-anywhere'
echo text >file
run "$coz" run --- ./file
check "a file that is no program" exited 126
check "says so" says err 'file'
mkdir folder
run "$coz" run --- ./folder
check "a folder" exited 126
echo garbage >broken
chmod +x broken
run "$coz" run --- ./broken
check "a format that cannot be executed" exited 126
check "says so" says err 'broken'
finish
