#!/bin/sh
# One line, drawn: by coz report LINE, in pipes and on a terminal, wide and narrow, in both alphabets.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
export LC_ALL=C.UTF-8

mkdir "a b"
for _ in $(seq 20); do echo '    int filler;'; done >"a b/big.c"
printf '\tfor (int i = 0; i < 10; i++) /* the line \033[31m */\n    rest();\n' >>"a b/big.c"
place=$PWD/"a b"
awk -v place="$place" 'BEGIN {
    print "{\"type\":\"startup\",\"time\":4102444800000000000}"
    for (block = 1; block <= 12; block++)
        for (window = 1; window <= 3; window++) {
            elapsed = window == 2 ? 60e6 : 100e6 + 1e5 * ((block + window) % 5)
            printf "{\"type\":\"experiment\",\"selected\":\"%s/big.c:21\",\"speedup\":%s,\"duration\":%d," \
                "\"selected_samples\":90,\"block\":%d,\"window\":%d}\n", place, window == 2 ? 0.5 : 0, elapsed, block, window
            printf "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":1000,\"elapsed\":%d}\n", elapsed
        }
    printf "{\"type\":\"samples\",\"location\":\"%s/big.c:21\",\"count\":3000,\"function\":\"grow\"}\n", place
    print "{\"type\":\"runtime\",\"time\":4000000000}"
}' </dev/null >profile.jsonl

# fits COLUMNS: no line of what was printed is longer, without escapes.
# shellcheck disable=SC2317 # check calls it
fits() {
    sed 's/\x1b\[[0-9;]*m//g; s/\x1b\]8;;[^\x1b]*\x1b\\//g' out | LC_ALL=C tr -d '\r\200-\277' >bare
    LC_ALL=C awk -v most="$1" 'length($0) > most { print; wide = 1 } END { exit wide }' bare
}

run "$coz" report big.c:21
check "there is an answer" exited 0
check "in a sentence" says out '^Making big\.c:21 50 % faster makes .p. [34][0-9] % \([0-9]+ to [0-9]+\) faster\.$'
check "the curve is drawn in braille" says out '[⠤⣀⠒⠉⠋]'
check "with its points" says out '●'
check "what is read off is named" says out 'Time for each visit of .p. saved, by how much faster big\.c:21 is'
check "the numbers stand below" says out '^   saved +[34][0-9]\.[0-9]$'
check "the source is shown, its tabs spread and its escapes harmless" says out '▸21 │ for \(int i = 0; .*\\x1b\[31m'
check "with the share of the samples and the impact" says out '^ 100\.0 % +[67][0-9]\.[0-9] '
check "a pipe has no escape sequences" lacks out "$(printf '\033')"
check "the function is named" says out '  grow  '
run "$coz" report grow
check "by the function" exited 0
check "its line is drawn" says out '^Making big\.c:21 '
run "$coz" report profile.jsonl big.c:21 --ascii --windows
check "in ASCII" exited 0
check "single windows are drawn" says out '[xX]'
cp out plain
run env LC_ALL=C grep -n '[^ -~]' plain
check "only ASCII is printed" exited 1
run env LC_ALL=C "$coz" report big.c:21
check "as where the locale has no more" lacks out '●|│'
run "$coz" report --color always big.c:21
check "colours in a pipe, when they are asked for" says out "$(printf '\033')\[32m"
check "but no links" lacks out "$(printf '\033')\]8"

run "$coz" report big.c:30
check "a line that was not tried" exited 1
check "the nearest is named" says err 'big\.c:30 was not tried\. The nearest of what was: .*/a b/big\.c:21'
run "$coz" report big.c:21 --point q
check "a point that is not there" exited 1
check "it is named" says err 'named q'
run "$coz" report --format json big.c:21
check "a line in JSON" exited 2
run "$coz" report --windows
check "windows of no line" exited 2
run "$coz" report big.c:21 other.c:1
check "two lines" exited 2
run "$coz" report absent.jsonl big.c:21
check "a profile that is not there" exited 1
check "it is named so" says err 'absent\.jsonl'
run "$coz" report --source 0 big.c:21
check "without the source" lacks out '│ *for \('

# On a terminal of 80 columns.
export TERM=xterm
run "$tools/terminal" never 0 "$coz" report
check "the ranking on a terminal" exited 0
check "its names are links" says out "$(printf '\033')\]8;;file://[^/]*/.*/a%20b/big\.c$(printf '\033')"
check "the source stands below" says out ' for \(int i = 0; i < 10'
check "nothing is wider" fits 80
run "$tools/terminal" never 0 "$coz" report big.c:21
check "the line on a terminal" says out "$(printf '\033')\[32m"
check "nothing is wider" fits 80
run "$tools/terminal" never 0 "$coz" report -o written.txt
check "a file that is written is no terminal" lacks written.txt "$(printf '\033')"
check "and holds the report" says written.txt 'pays most'
run env NO_COLOR=1 "$tools/terminal" never 0 "$coz" report big.c:21
check "no colours when they are not wanted" lacks out "$(printf '\033')\["
run env TERM=dumb "$tools/terminal" never 0 "$coz" report big.c:21
check "nothing a terminal cannot do" lacks out "$(printf '\033')"
for columns in 60 120 200; do
    run env "COLUMNS=$columns" "$tools/terminal" never 0 "$coz" report big.c:21
    check "nothing is wider than $columns" fits "$columns"
done
touch -d '2300-01-01' "a b/big.c" 2>/dev/null && {
    sed -i '1s/4102444800000000000/1000000000000000000/' profile.jsonl
    run "$coz" report big.c:21
    check "a source that is younger than the run is said to be another" says out 'no longer what was profiled'
}
printf '{"type":"source","path":"%s/big.c","sha256":"%s"}\n' "$place" "$(sha256sum <"a b/big.c" | cut -d' ' -f1)" >>profile.jsonl
run "$coz" report big.c:21
check "but not when it holds what it held" lacks out 'no longer what was profiled'
touch -d '2000-01-01' "a b/other" && echo '/* and more */' >>"a b/big.c" && touch -r "a b/other" "a b/big.c"
run "$coz" report big.c:21
check "and one that holds something else is, however old it looks" says out 'no longer what was profiled'
finish
