#!/bin/sh
# How often the runtime writes into lines of memory that several threads write, for each million of hooks: on a machine of
# many cores they move from core to core each time. Counted by ../lines/count.c.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

library=$build/lib/libcoz_counted.so
if [ ! -e "$library" ]; then
    echo "the compiler of this build cannot count"
    exit 0
fi
mkdir bin lib
cp "$build/bin/coz" bin/coz
cp "$library" lib/libcoz.so
crowd=$build/tests/system/crowd

# 32 threads, each with a lock of its own, while experiments go on.
run bin/coz run -q -o profile.jsonl --target line --- "$crowd" 32 300000
check "the program ends" test "$status" = 0
hooks=$(sed -n 's/^HOOKS //p' out)
shared=$(sed -n 's/^SHARED //p' out)
all=$(sed -n 's/^ALL //p' out)
check "hooks were called" test "${hooks:-0}" = $((2 * 300000 * 32))
check "writes were noted" test "${all:-0}" -gt "$hooks"
grep '^LINE' out | sort -k3 -rn | head -n 12
per_million=$((shared * 1000000 / hooks))
echo "$per_million writes into shared lines for each million of hooks, of $((all * 1000000 / hooks)) in all"
check "few of them are into lines that others write" test "$per_million" -lt 100000
finish
