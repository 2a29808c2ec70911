#!/bin/sh
# `coz selftest`: its form, and that what it says hangs together. Whether this machine passes is not the question.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

mkdir place
TMPDIR=$PWD/place
export TMPDIR
member() {
    "$tools/json" "$@" <out
}

run "$coz" selftest --seconds 4 --format json
check "it comes to a judgement" test "$status" -le 1
check "nothing is left behind" test -z "$(ls place)"
check "it is JSON of this schema" test "$(member schema)" = 1
programs=
right=0
for line in 0 1 2 3 4 5 6 7 8 9; do
    programs="$programs $(member lines $line program):$(member lines $line line)"
    check "line $line has a truth" test "$(member lines $line truth effect)" != null
    check "line $line has a known mark" says out "$(member lines $line mark)"
    case $(member lines $line mark) in
    right) right=$((right + 1)) ;;
    unsure | wrong) check "line $line has an answer" test "$(member lines $line said effect)" != null ;;
    "no answer") check "line $line has none" test "$(member lines $line said effect)" = null ;;
    *) check "the mark of line $line" false ;;
    esac
    check "an answer of line $line has windows" \
        test "$(member lines $line said effect)" = null -o "$(member lines $line windows)" -gt 0
done
begin "the lines"
check "all lines, by name" test "$programs" = " serial:large serial:small forkjoin:long forkjoin:short \
lock:inside lock:beside handover:ping handover:pong company:longer company:shorter"
# shellcheck disable=SC2016 # for the shell inside
check "no more" sh -c '! "$0" lines 10 <out' "$tools/json"
if [ "$right" -eq 10 ]; then
    check "trusted" test "$status:$(member trusted)" = 0:true
else
    check "not trusted" test "$status:$(member trusted)" = 1:false
fi

run "$coz" selftest -t 4 --sampler timer
check "in words" test "$status" -le 1
check "the sampler" says out 'sampled by timer'
check "each line" test "$(grep -cE '^(serial|forkjoin|lock|handover|company) .* (right|unsure|wrong|no answer)$' out)" -eq 10
if [ "$status" -eq 0 ]; then
    check "a plain sentence" says out '^Profiles made on this machine can be trusted'
else
    check "a plain sentence" says out '^(Profiles made on this machine, as it is now, cannot|It is not known whether)'
fi
check "nothing is left behind" test -z "$(ls place)"

# Interrupted: by a signal to it alone.
"$coz" selftest >out 2>err &
pid=$!
begin "coz selftest, interrupted"
# shellcheck disable=SC2016 # for eval
await_that eval 'test -n "$(ls place)"'
kill -s TERM "$pid"
wait "$pid"
status=$?
check "status after SIGTERM" exited 143
check "nothing is said" is_empty out
check "nothing is left behind" test -z "$(ls place)"

for wrong in "--seconds 1" "--seconds x" "--format xml" "--sampler other" "--nonsense" "argument"; do
    # shellcheck disable=SC2086 # two words
    run "$coz" selftest $wrong
    check "refused: $wrong" exited 2
    check "says so: $wrong" says err '^coz selftest: '
done
finish
