#!/bin/sh
# A profiled program does what it does unprofiled: same output, same results of every call, nothing left open.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

compare() { # NAME PROGRAM [ARGUMENT...]
    what=$1
    shift
    run "$@"
    cp out native
    native_status=$status
    for options in "" "--sampler timer"; do
        # shellcheck disable=SC2086 # none or several words
        run "$coz" run $options --period 100 --- "$@"
        check "$what: status $options" exited "$native_status"
        check "$what: output $options" same native out
    done
}
compare calls "$targets/calls"
compare churn "$targets/churn" --threads 5000
compare lengths "$targets/lengths" 100
check "nothing is shorter than asked for" lacks out ': [^0]|something else'

# Standard input and output are the program's own.
seq 20000 >numbers
run sh -c "cat numbers | \"$coz\" run --- cat | cat >copy"
check "through pipes" same numbers copy
run sh -c "\"$coz\" run --- cat <numbers >copy"
check "with files" same numbers copy
run "$coz" run --- sh -c "exec 2>&-; exec cat numbers"
check "without standard error" same numbers out
run sh -c "\"$coz\" run --- cat numbers <&- >copy"
check "without standard input" same numbers copy

# Arguments, environment and folder are the program's own.
# shellcheck disable=SC2016 # for the shell inside
run "$coz" run --- sh -c 'printf "[%s]" "$@"; pwd; echo "$0 $variable"' name -o "two words" --- --help ""
# shellcheck disable=SC2016
variable=value sh -c 'printf "[%s]" "$@"; pwd; echo "$0 $variable"' name -o "two words" --- --help "" >native
# shellcheck disable=SC2016
variable=value run "$coz" run --- sh -c 'printf "[%s]" "$@"; pwd; echo "$0 $variable"' name -o "two words" --- --help ""
check "arguments and environment" same native out
run "$coz" run -- echo --- -- -o
check "after -- as well" says out '^--- -- -o$'
finish
