#!/bin/sh
# What every hooked call does to the ledger: who wakes is level, who is woken by a peer is credited, who is woken by the
# outside owes. The programs say for themselves what does not hold.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

for program in "$targets"/probe_*; do
    run timeout 600 "$tools/probe" "$build/lib/libcoz.so" "$program"
    check "$(basename "$program")" exited 0
done
finish
