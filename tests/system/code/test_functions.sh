#!/bin/sh
# Functions and call sites as targets.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# count_of LOCATION PROFILE: all samples of it.
count_of() {
    grep -F "{\"type\":\"samples\",\"location\":\"$1\"," "$2" | sed 's/.*"count":\([0-9]*\).*/\1/' |
        awk '{ sum += $1 } END { printf "%d\n", sum }'
}
# selected PROFILE: what was tried.
selected() {
    sed -n 's/.*"type":"experiment","selected":"\([^"]*\)".*/\1/p' "$1" | sort -u
}

pushed='shapes::Stack<unsigned int>::push(int)'
deep='shapes::Stack<unsigned long>::push(int)'

# Rounds enough for what is compared to differ by more than chance, though samples be rare.
run_until 1 profile.jsonl "$coz" run --granularity function --- "$targets/shapes" --rounds 3000
check "functions: status" exited 0
check "the profile is sound" is_sound profile.jsonl
check "the run says what its targets are" holds profile.jsonl startup '"granularity":"function"'
check "experiments are of functions" holds profile.jsonl experiment '"kind":"function"'
grep -F '"type":"experiment"' profile.jsonl | grep -vF '"kind":"function"' >others
check "and of nothing else" is_empty others
main=$(count_of main profile.jsonl)
push=$(count_of "$pushed" profile.jsonl)
again=$(count_of "shapes.cpp:shapes::(anonymous namespace)::again" profile.jsonl)
few=$(count_of "shapes.cpp:shapes::(anonymous namespace)::few" profile.jsonl)
many=$(count_of "shapes.cpp:shapes::(anonymous namespace)::many" profile.jsonl)
all=$(sed -n 's/.*"type":"runtime".*"samples":\([0-9]*\).*/\1/p' profile.jsonl)
echo "samples: $all in scope; main $main, push $push, few $few, many $many, again $again"
check "a template in a namespace has samples" test "$push" -gt 0
check "main has those of all that it calls" test "$main" -ge "$((all * 99 / 100))"
check "what calls has what is called" test "$((few + many))" -ge "$((push * 98 / 100))"
check "one caller has more than the other" test "$many" -gt "$few"
# A function that calls itself counts once for each sample.
check "a function on the stack several times" test "$again" -le "$((all - push + all / 50))"
# A place without a sample of its own has no such member.
own=$(sed -n 's/.*"location":"main".*"self_ns":\([0-9]*\).*/\1/p' profile.jsonl)
below=$(sed -n 's/.*"location":"main".*"cpu_ns":\([0-9]*\).*/\1/p' profile.jsonl)
check "main has little of its own" test "${own:-0}" -lt "$below"

run "$coz" report --format json --all
"$tools/json" results 0 kind <out >the_kind
check "the report's kind" says the_kind '^function$'
"$tools/json" functions 0 name <out >first
check "the report's sums by function" says first '^shapes::Stack<unsigned int>::push\(int\)$'
"$tools/json" files 0 name <out >first
check "the report's sums by file" says first '/shapes\.cpp$'
run "$coz" report --all
check "in words" says out '^Samples by function'
check "with all that they call" says out '100\.0 %|99\.[0-9] %.*main'

# Named functions; short names will do.
printf '%s\n%s\n' "$pushed" "$deep" | sort >expected
# shellcheck disable=SC2016 # for eval
run_until_that 'test "$(selected fixed.jsonl)" = "$(cat expected)"' \
    "$coz" run -o fixed.jsonl --fixed-function push --- "$targets/shapes"
check "a short name: status" exited 0
selected fixed.jsonl >tried
check "all instances of the template" same expected tried
run_until 3 one.jsonl "$coz" run -o one.jsonl --fixed-function 'Stack<unsigned int>::push' --- "$targets/shapes"
selected one.jsonl >tried
echo "$pushed" >expected
check "one instance" same expected tried
run "$coz" run -o none.jsonl --fixed-function pusch --- "$targets/shapes" --ms 1
check "an unknown name" exited 2
check "the nearest names" says err 'pusch: .*shapes::Stack<unsigned int>::push\(int\)'
check "nothing was run" lacks out "^done"
run "$coz" run -o none.jsonl --fixed-function x_y_z_w_v --- "$targets/shapes" --ms 1
check "a name like none" says err 'coz lines --functions'

# Call sites: the same line, from two others.
line=$(line_of shapes.cpp "/* pushed line */")
from_few=$(line_of shapes.cpp "/* few line */")
from_many=$(line_of shapes.cpp "/* many line */")
run_until 1 sites.jsonl "$coz" run -o sites.jsonl --granularity callsite --- "$targets/shapes" --rounds 3000
check "call sites: status" exited 0
check "the profile is sound" is_sound sites.jsonl
few=$(count_of "$sources/code/$line <- $sources/code/$from_few" sites.jsonl)
many=$(count_of "$sources/code/$line <- $sources/code/$from_many" sites.jsonl)
echo "samples: $few from one line, $many from the other"
check "the first caller's" test "$few" -gt 0
check "the second one's are more" test "$many" -gt "$few"
check "experiments are of call sites" holds sites.jsonl experiment '"kind":"callsite"'
run_until 3 site.jsonl "$coz" run -o site.jsonl --fixed-callsite "$line <- $from_few" --- "$targets/shapes"
check "one call site: status" exited 0
selected site.jsonl >tried
echo "$sources/code/$line <- $sources/code/$from_few" >expected
check "one call site" same expected tried
run "$coz" report --all site.jsonl
check "it is reported" says out 'shapes\.cpp:[0-9]+ <- shapes\.cpp:[0-9]+|<- .*shapes\.cpp'
run "$coz" run -o none.jsonl --fixed-callsite "$line <- shapes.cpp:1" --- "$targets/shapes" --ms 1
check "a call site that is none" exited 2
check "is named" says err 'fixed-callsite'

# Runs of several kinds in one profile do not mix.
run_until 3 profile.jsonl "$coz" run --- "$targets/shapes"
check "lines after functions: status" exited 0
check "the profile is sound" is_sound profile.jsonl
run "$coz" report --format json --all
check "lines are there" says out '"kind": "line"'
check "functions are there" says out '"kind": "function"'
check "lines know their functions" holds profile.jsonl samples "\"location\":\"[^\"]*$line\".*\"function\":\"shapes::Stack<"

# Without debug information: the symbols.
run_until 1 bare.jsonl "$coz" run -o bare.jsonl --- "$targets/shapes_bare" --rounds 1000
check "without lines: status" exited 0
check "it says so, and what to do" says err 'shapes_bare has no debug information.*functions.*-g'
check "functions have samples" holds bare.jsonl samples '"location":"shapes::Stack<unsigned int>::push\(int\)"'
check "and experiments" holds bare.jsonl experiment '"kind":"function"'
check "the profile is sound" is_sound bare.jsonl
run "$coz" run -o lines.jsonl --granularity line --- "$targets/shapes_bare" --ms 300
check "unless lines were asked for" says err 'Compile with -g'
run "$coz" run -o stripped.jsonl --granularity function --- "$targets/steps_stripped" --ms 300
check "without symbols too it says so" says err 'neither names nor places of its functions'

# Stripped: the functions are those of the same program that is not, called by their addresses, for who wants that. A
# shell is stripped as a rule, and starts programs that have lines.
run "$coz" run -o told.jsonl --- "$targets/shapes_stripped" --ms 300
check "stripped: it says so, and what to do" says err 'shapes_stripped was stripped.*--target function'
run_until 1 shell.jsonl "$coz" run -o shell.jsonl --- sh -c "$targets/shapes --rounds 1000; true"
check "a stripped shell: status" exited 0
check "a stripped shell: what it starts has lines" holds shell.jsonl experiment '"kind":"line"'
check "a stripped shell: and it has no functions" lacks shell.jsonl "\\+0x[0-9a-f]+\""
run_until 1 named.jsonl "$coz" run -o named.jsonl --target function --- "$targets/shapes" --rounds 1000
check "nobody calls what has names stripped" lacks err stripped
run_until 1 nameless.jsonl "$coz" run -o nameless.jsonl --target function --- "$targets/shapes_stripped" --rounds 1000
check "stripped: status" exited 0
check "stripped: how they are called, and how to have names" says err 'shapes_stripped was stripped.*functions.*-dbgsym'
address=$("$coz" lines --functions "$targets/shapes" "$pushed" | sed -n 's/^ .*  \(0x[0-9a-f]*\)-.*/\1/p')
check "stripped: a function has samples" holds nameless.jsonl samples "\"location\":\"shapes_stripped\+$address\""
check "stripped: and experiments are of functions" holds nameless.jsonl experiment '"kind":"function"'
check "the profile is sound" is_sound nameless.jsonl
run_until 3 nameless_one.jsonl "$coz" run -o nameless_one.jsonl --target "function:shapes_stripped+$address" --- "$targets/shapes_stripped"
selected nameless_one.jsonl >tried
echo "shapes_stripped+$address" >expected
check "stripped: one function" same expected tried

# What can be a target at all.
run "$coz" lines --functions "$targets/shapes"
check "the list: status" exited 0
check "a function with its addresses" says out 'shapes::Stack<unsigned int>::push\(int\)  0x[0-9a-f]+-0x[0-9a-f]+'
check "below its file" says out '^/.*shapes\.cpp$'
run "$coz" lines --functions "$targets/shapes_bare" push
check "by a short name, without debug information" says out 'shapes::Stack<unsigned int>::push\(int\)  0x'
run "$coz" lines --functions "$targets/shapes" pusch
check "an unknown one" exited 1
check "the nearest are listed" says out 'push\(int\)  0x'
run "$coz" lines --inlined "$targets/steps" "$(line_of steps.c "/* heavy line */")"
check "where code is inlined: status" exited 0
check "the functions around a line" says out 'steps\.c:heavy \(.*steps\.c:[0-9]+\) <- main \(.*steps\.c:[0-9]+\)'
address=$(sed -n '1s/-.*//p' out)
run "$coz" lines --inlined "$targets/steps" "$address"
check "around an address" says out "^$address-.*steps\.c:heavy"

# Wrong usage.
refused() { # PATTERN OPTION...
    pattern=$1
    shift
    run "$coz" run -o refused.jsonl "$@" --- "$targets/ends" 0
    check "refused: $*" exited 2
    check "the reason for: $*" says err "$pattern"
}
refused 'granularity.*word' --granularity word
refused 'one kind' --fixed-line ends.c:1 --fixed-function main
refused 'another kind' --granularity line --fixed-function main
refused 'fixed-callsite.*<-' --fixed-callsite nonsense
refused 'fixed-function' --fixed-function ''
finish
