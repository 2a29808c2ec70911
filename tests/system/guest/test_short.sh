#!/bin/sh
# Processes that live for a moment leave no slot behind, however they end.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# slots HOW COUNT: what a run of `short COUNT HOW` leaves, as `coz run --verbose` says.
slots() {
    how=$1
    count=$2
    shift 2
    run "$coz" run --verbose --- "$targets/short" "$count" "$how" "$@"
    check "$how: status" exited 0
    check "$how: all joined" says err "^coz: [0-9]+ threads in [0-9]{3,} processes"
    check "$how: no slot is left" says err 'slots; 0 of them left over$'
    used=$(sed -n 's/.* in up to \([0-9]*\) slots.*/\1/p' err)
    check "$how: few were used at once" test "${used:-9999}" -lt 250
}
slots wait 1100
beyond=$(($(sed -n 's/^coz: [0-9]* threads in \([0-9]*\) processes.*/\1/p' err) - 1024))
check "wait: some are beyond the list" test "$beyond" -ge 77
check "wait: their number is said" says err "^coz: there was no room for $beyond processes in the list"
check "wait: once, and nothing else is" test "$(grep -c 'there was no room' err)" -eq 1
slots ignore 300
slots orphan 150
slots kill 300
slots quick 100
slots number 100
slots static 100 "$targets/ends_static" 0

# The runtime gives back by itself what need not be looked for.
for how in wait kill quick number; do
    run env PROBE_SLOTS=1 "$tools/probe" "$build/lib/libcoz.so" "$targets/short" 100 "$how"
    check "$how, without a profiler that looks: status" exited 0
    check "$how, without a profiler that looks: no slot is left" says out '^0 slots left over$'
done
finish
