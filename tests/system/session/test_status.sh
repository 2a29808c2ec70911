#!/bin/sh
# What coz run shows on a terminal while the program runs: in the last line, which it gives back, and nowhere else.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
export TERM=xterm LC_ALL=C.UTF-8
escape=$(printf '\033')
heavy=$(line_of steps.c '/* heavy line */')

# run_on_terminal CONDITION COMMAND...: on a terminal of 80 columns; ends when the condition is fulfilled.
run_on_terminal() {
    condition=$1
    shift
    rm -f profile.jsonl out
    run_until_that "$condition" "$tools/terminal" never 0 "$@"
}
# The line is drawn when the run begins, and twice a second: who shows none after so many windows shows none.
some='has_windows profile.jsonl 8'
leader='best steps\.c:[0-9]+ -?[0-9]+ \(-?[0-9]+ to -?[0-9]+\)'

# shellcheck disable=SC2016 # for eval
run_on_terminal 'says out "$leader" && says out "trying steps"' "$coz" run --fixed-line "$heavy" --- "$targets/steps"
check "the program's exit status" exited 0
check "the last line of 24 is taken" says out "$escape\[1;23r"
check "it is drawn" says out "$escape\[24;1H$escape\[0m$escape\[2Kcoz [0-9]+:[0-9][0-9] · [0-9]+ windows?"
check "it says what is tried" says out 'trying steps\.c:[0-9]+'
check "it says who leads" says out "$leader"
tr '\r' '\n' <out | tr '\033' '\n' >parts
grep -n '^\[1;23r' parts | tail -n 1 | cut -d: -f1 >taken
grep -n '^\[r' parts | tail -n 1 | cut -d: -f1 >given
check "the line is given back, after all else" test "$(cat given)" -gt "$(cat taken)"
sed -n "$(cat given),\$p" parts >after
check "and is empty then" says after '^\[2K'
check "nothing is drawn afterwards" lacks after '^\[24;1H.*coz [0-9]'
sed 's/^\[[0-9;]*[A-Za-z]//' parts | grep '^coz [0-9]' | LC_ALL=C tr -d '\200-\277' | LC_ALL=C awk 'length($0) > 80' >wide
check "nothing is wider than the terminal" is_empty wide

run_on_terminal "$some" "$coz" run --quiet --fixed-line "$heavy" --- "$targets/steps"
check "--quiet: nothing is shown" lacks out "$escape\[[0-9;]*[rH]" # colours of what was found are no display
check "but what was found" says out 'has the whole answer'
run_on_terminal "$some" env TERM=dumb "$coz" run --fixed-line "$heavy" --- "$targets/steps"
check "a terminal that cannot move: nothing is shown" lacks out "$escape\[[0-9;]*[rH]"
# shellcheck disable=SC2016 # for the inner shell
run_on_terminal "$some" sh -c 'coz=$1; shift; "$coz" run --- "$@" 2>words' sh "$coz" "$targets/steps"
check "standard error is no terminal: nothing is shown" lacks out "$escape"
check "nor written there" lacks words "$escape|coz [0-9]+:[0-9]"

# A program whose words go elsewhere leaves room for the leaders.
listed="$escape\[2[234];1H$escape\[0m$escape\[2K  1  steps\.c:[0-9]+ "
# shellcheck disable=SC2016
run_on_terminal 'says out "$listed"' "$coz" run --- sh -c 'exec "$@" >/dev/null 2>&1' sh "$targets/steps"
check "the last lines are taken" says out "$escape\[1;2[012]r"
check "the leaders are listed" says out "$listed"
finish
