#!/bin/sh
# A container within the tree: its processes have numbers of their own, and cannot see the profiler's. What happens
# there must not end the profile for everybody else.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

apart="unshare --pid --fork"
if ! $apart true 2>/dev/null; then
    echo "skipped: making a PID namespace is not permitted here"
    exit 0
fi

# One process in a namespace of its own, and one beside it. While they run the profiler is stopped for long enough to be
# doubted, and goes on.
cat >both <<'END'
$apart "$targets/steps" --until enough --touch inside &
"$targets/steps" --until enough --touch outside
wait
END
apart=$apart "$coz" run --- sh both >out 2>err &
pid=$!
begin "a container within the tree"
check "the process in it starts" await inside
check "the process beside it starts" await outside
check "windows before" await_windows profile.jsonl 10
kill -s STOP "$pid"
sleep 1
kill -s CONT "$pid"
before=$(experiments profile.jsonl)
check "windows after" await_windows profile.jsonl $((before + 20))
: >enough
wait "$pid"
status=$?
check "status" exited 0
check "the profile is sound" is_sound profile.jsonl
check "both were profiled" test "$(grep -c '"type":"process","pid":[0-9]*,.*"program":"[^"]*/steps","samples":[1-9]' profile.jsonl)" -eq 2

# In a user namespace of its own it may not open what is the profiler's. That is said, once.
if unshare --map-root-user --pid --fork true 2>/dev/null; then
    run "$coz" run -o user.jsonl --- unshare --map-root-user --pid --fork sh -c "'$targets/steps' --ms 50; '$targets/steps' --ms 50"
    check "a container with users of its own: status" exited 0
    check "a container with users of its own: it is said" says err 'runs on without being profiled'
    check "a container with users of its own: once" test "$(grep -c 'runs on without' err)" -eq 1

    # Each of these is attached before it goes where what it executes cannot be.
    run "$coz" run -o users.jsonl --- sh -c 'for i in 1 2 3; do unshare --map-root-user true; done'
    check "several containers: status" exited 0
    check "several containers: it is said once" test "$(grep -c 'runs on without' err)" -eq 1
    check "several containers: the profile" is_sound users.jsonl
fi

# Another user may not either.
if chroot --userspec=65534 / true 2>/dev/null; then
    run "$coz" run -o another.jsonl --- sh -c 'for i in 1 2 3; do chroot --userspec=65534 / true; done'
    check "another user: status" exited 0
    check "another user: it is said once" test "$(grep -c 'runs on without' err)" -eq 1
    check "another user: the profile" is_sound another.jsonl
fi
finish
