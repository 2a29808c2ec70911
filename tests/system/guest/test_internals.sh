#!/bin/sh
# COZ_LIBC_INTERNALS=0: with nothing that is known of glibc's inside, hooks do what they do otherwise.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

run "$targets/calls"
cp out native
native_status=$status
COZ_LIBC_INTERNALS=0
export COZ_LIBC_INTERNALS
run "$coz" run --period 100 --- "$targets/calls"
check "every hooked call: status" exited "$native_status"
check "every hooked call: output" same native out

run_until 3 locks.jsonl "$coz" run -o locks.jsonl --- "$targets/requests"
check "requests: status" exited 0
check "requests: samples" holds locks.jsonl samples
check "requests: windows" has_windows locks.jsonl 3
check "requests: sound" is_sound locks.jsonl
finish
