#!/bin/sh
# What every hooked call does to the ledger: who wakes is level, who is woken by a peer is credited, who is woken by the
# outside owes. The programs say for themselves what does not hold.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

for program in "$targets"/probe_*; do
    run timeout 600 "$tools/probe" "$build/lib/libcoz.so" "$program"
    check "$(basename "$program")" exited 0
done

# Every hook that means something to the ledger is called by a probe. These mean nothing to it.
tr ' ' '\n' >silent <<'END'
dlclose pread pread64 copy_file_range getrandom sigprocmask ssignal bsd_signal sysv_signal __sysv_signal sigset
pthread_setname_np clock_gettime timespec_get gettimeofday time
END
sed -n 's/^ *HOOK([A-Za-z_]*\( \*\)*, \([A-Za-z_0-9]*\),.*/\2/p' "$root/src/runtime/real/list.h" | grep -vxFf silent >hooks
check "the list of hooks could be read" test "$(wc -l <hooks)" -gt 150
while read -r hook; do
    grep -qw -- "$hook" "$sources"/probes/probe_*.c || echo "$hook"
done <hooks >untried
check "every hook has a probe" is_empty untried
finish
