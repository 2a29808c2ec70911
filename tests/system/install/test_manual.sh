#!/bin/sh
# Every option is in the help, the man page, the completions of all shells, and docs/cli.md; and completions complete.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

run "$root/scripts/manual/generate" "$coz" manual
check "man pages and completions are made" exited 0
check "without a complaint" is_empty err
"$coz" --help | sed -n 's/^  coz \([a-z-]*\) .*/\1/p' >commands
check "there are commands" test "$(wc -l <commands)" -gt 8

# What each command's reader of options knows, by its source: the file that says which command it is. (That of run serves
# doctor, too, whose help points to it.)
grep -rl 'usage_begin(argv, ' "$root/src/cli" | grep -v 'options/usage\.[ch]$' | while read -r file; do
    command=$(sed -n 's/.*usage_begin(argv, "\([a-z-]*\)").*/\1/p; s/.*usage_begin(argv, command->name).*/run/p' "$file")
    sed -n 's/.*{"\([a-z-]*\)", *[a-z]*_argument.*/'"$command"' --\1/p' "$file"
done | sort -u >known
check "the tables of options could be read" test "$(wc -l <known)" -gt 60
awk -F '\t' '$1 == "option" { print $2 " " $4 }' manual/list | sort -u >told
grep -vxFf told known >untold
check "each option of a table is in its command's help" is_empty untold

# And the other way round: what the help names is read as an option.
awk -F '\t' '$1 == "option" && $4 != "--help" { print $2, $4, ($6 == "required" ? "1" : "") }' manual/list >offered
while read -r command option value; do
    # shellcheck disable=SC2086 # no word when it has no value
    "$coz" "$command" "$option" $value --no-such-option 2>&1 </dev/null | grep -F "unrecognized option '$option'"
done <offered >refused
check "each option in the help is one" is_empty refused

while read -r command; do
    gzip -dc "manual/man/coz-$command.1.gz" >page
    if says page '^\.so '; then
        check "$command: the page of its other name" test -e "manual/$(sed -n 's/^\.so man1\/\(.*\)/man\/\1.gz/p' page)"
        continue
    fi
    sed 's/\\-/-/g; s/\\f[BR]//g' page >text
    check "$command: its page says what it does" says text "^coz-$command - ."
    awk -F '\t' -v command="$command" '$1 == "option" && $2 == command { print $4 }' manual/list >options
    sed -n "/^$command)\$/,/;;/p" manual/zsh/_coz >zsh
    while read -r option; do
        check "$command $option: in its man page" says text "(^|, )$option([^a-z-]|$)"
        check "$command $option: in bash's completion" says manual/bash/coz "^    $command\) options=.*[' ]${option}[ ']"
        check "$command $option: in zsh's" says zsh "[),'*]$option(=-?)?(\[|})"
        check "$command $option: in fish's" says manual/fish/coz.fish "__coz_command $command' .*-l ${option#--} "
    done <options
done <commands
gzip -dc manual/man/coz.1.gz >page
while read -r command; do
    check "coz.1 names $command" says page "coz\\\\-$(echo "$command" | sed 's/-/\\\\-/g')"
done <commands

# The words that are offered are those that the help speaks of.
grep -v '^#' "$root/scripts/manual/words" | while read -r command option words; do
    "$coz" "$command" --help | awk -v option="$option" '
        $0 ~ option { on = 1; print; next } on && /^ *-/ { exit } on' >said
    for word in $words; do
        grep -qE "(^|[^a-z])$word([^a-z]|$)" said || echo "$command $option $word"
    done
done >strange
check "the words of options are in the help" is_empty strange

run "$root/scripts/manual/page" "$coz"
check "docs/cli.md is as scripts/manual/page makes it of this build: scripts/manual/page >docs/cli.md" same out "$root/docs/cli.md"

# offers 'coz run --gra' WORDS: what bash would offer.
cat >complete <<'END'
. manual/bash/coz
eval "COMP_WORDS=($1)"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_coz 2>/dev/null
echo "${COMPREPLY[*]}"
END
# shellcheck disable=SC2317 # called by check
offers() {
    test "$(bash complete "$1")" = "$2" || {
        echo "$1: $(bash complete "$1")"
        return 1
    }
}
: >some.jsonl
if command -v bash >/dev/null; then
    check "bash: a command" offers 'coz sel' 'selftest'
    check "bash: an option" offers 'coz run --gran' '--granularity'
    check "bash: its words" offers 'coz run --target ""' 'line function callsite file thread'
    check "bash: its words after =" offers 'coz run --target = fu' 'function'
    check "bash: a file" offers 'coz report so' 'some.jsonl'
    check "bash: what follows the dashes" offers 'coz run --gran --- cat some' 'some.jsonl'
    check "bash: nothing for a number" offers 'coz run --seed ""' ''
fi
if command -v zsh >/dev/null; then
    check "zsh can read its own" zsh -n manual/zsh/_coz
fi
if command -v fish >/dev/null; then
    run fish --no-config -c "source manual/fish/coz.fish; complete -C 'coz run --target '"
    check "fish: its words" says out '^callsite'
    run fish --no-config -c "source manual/fish/coz.fish; complete -C 'coz report so'"
    check "fish: a file" says out '^some.jsonl'
fi

# A help text that cannot be read is complained of.
printf 'Usage: coz x\n\n  --ok  yes\n  -Bad  no\n  -h, --help  this text\n' >help
run awk -v command=x -f "$root/scripts/manual/read.awk" help
check "an option of no known form: status" test "$status" -ne 0
check "it is named" says err 'coz x.*-Bad'
printf 'Usage: coz x\n' >help
run awk -v command=x -f "$root/scripts/manual/read.awk" help
check "a help text without --help: status" test "$status" -ne 0
finish
