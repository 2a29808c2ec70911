#!/bin/sh
# Who called a target, and what was inlined: two functions that call a third, in which a fourth is inlined. One of them does
# so three times as often.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

cat >calls.c <<'END'
#include <coz.h>
#include <pthread.h>

static inline unsigned mix(unsigned x)
{
    for (int i = 0; i < 50000; i++) {
        x = (x ^ x >> 15) * 2246822519u + 1u; __asm__ volatile("" : "+r"(x)); /* TARGET */
    }
    return x;
}

__attribute__((noinline)) unsigned shared(unsigned x)
{
    return mix(x) + 1;
}

__attribute__((noinline)) unsigned often(unsigned x)
{
    return shared(x) + 2;
}

__attribute__((noinline)) unsigned seldom(unsigned x)
{
    return shared(x) + 3;
}

int main(void)
{
    unsigned x = 1;

    for (;;) {
        x += often(x) + often(x + 1) + often(x + 2) + seldom(x);
        COZ_PROGRESS;
    }
}
END
run gcc -O2 -g -I"$root/include" -o calls calls.c -ldl
check "it builds" test "$status" -eq 0
line=$(grep -n TARGET calls.c | cut -d: -f1)

# An answer takes as many windows as it takes.
# shellcheck disable=SC2317 # called by await_that
answered() {
    "$coz" run -q --duration 3 -o calls.jsonl --target "calls.c:$line" --- ./calls
    "$coz" report --format json calls.jsonl >report.json && "$tools/json" results 0 stacks 1 frames <report.json
}
check "there is an answer" await_that answered
# stack NUMBER: the frames of that way to the target, as "function place inlined" each.
stack() {
    for i in 0 1 2 3 4 5; do
        frame="$("$tools/json" results 0 stacks "$1" frames "$i" <report.json 2>/dev/null)" || break
        [ -n "$frame" ] && echo "$frame"
    done
}
stack 0 >first
stack 1 >second
check "the target comes first, and is inlined" sh -c 'head -1 first | grep -q "\"function\":\"mix\".*calls.c:'"$line"'\".*\"inlined\":true"'
check "into what has code of its own" sh -c 'sed -n 2p first | grep -q "\"function\":\"shared\".*\"inlined\":false"'
check "the caller that calls it more often" sh -c 'sed -n 3p first | grep -q "\"function\":\"often\""'
check "and who calls that" sh -c 'sed -n 4p first | grep -q "\"function\":\"main\""'
check "the other one" sh -c 'sed -n 3p second | grep -q "\"function\":\"seldom\""'
run "$coz" report "calls.c:$line" calls.jsonl
check "the report of the line tells of them" sh -c 'grep -q "often" out && grep -q "seldom" out'

# Where one writes no profile of lines, nothing of that is written.
run "$coz" run -q --duration 2 --profile-format coz -o old.coz --target "calls.c:$line" --- ./calls
check "the older form has none" sh -c '! grep -q "^stack" old.coz'

# Names may be so long that not all of a stack fits into a profile that can be read.
{
    echo '#include <coz.h>'
    printf 'static volatile unsigned sink;\n'
    printf '__attribute__((noinline)) void f%03000d(unsigned depth)\n{\n' 0
    printf '    for (unsigned i = 0; i < 20000; i++)\n        sink += i;\n'
    printf '    if (depth > 0)\n        f%03000d(depth - 1);\n    sink += depth;\n}\n' 0
    printf 'int main(void)\n{\n    for (;;) {\n        f%03000d(40);\n        COZ_PROGRESS;\n    }\n}\n' 0
} >long.c
run gcc -O1 -fno-optimize-sibling-calls -g -I"$root/include" -o long long.c -ldl
check "long names build" test "$status" -eq 0
# shellcheck disable=SC2317 # called by await_that
has_stacks() {
    "$coz" run -q --duration 3 -o long.jsonl --- ./long && grep -qF '"type":"stack"' long.jsonl
}
check "long names are profiled" await_that has_stacks
longest=$(grep -F '"type":"stack"' long.jsonl | awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }')
check "stacks are longer than names ($longest bytes)" test "$longest" -gt 20000
check "and are read again" is_sound long.jsonl
finish
