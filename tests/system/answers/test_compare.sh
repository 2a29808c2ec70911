#!/bin/sh
# Before and after: two profiles made by hand, in all formats; conditions; and profiles put together.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2016 # patterns have backquotes
. "$(dirname "$0")/../lib.sh"

# profile RATE IMPACT LINE [BUILD [BLOCKS]]: 12 blocks of windows in which line LINE is worth IMPACT %, and another nothing.
profile() {
    awk -v rate="$1" -v impact="$2" -v line="$3" -v build="${4:-abc}" -v blocks="${5:-12}" 'BEGIN {
        printf "{\"type\":\"startup\",\"time\":1700000000000000000,\"program\":\"/bin/app\",\"build_id\":\"%s\"}\n", build
        for (block = 1; block <= blocks; block++)
            for (window = 1; window <= 9; window++) {
                other = block % 3 == 0
                speedup = window % 2 ? 0 : window / 8
                time = 1e9 / rate * (1 - (other ? 0 : speedup * impact / 100)) * (1 + 0.004 * ((7 * block + 3 * window) % 5 - 2))
                printf "{\"type\":\"experiment\",\"selected\":\"/src/w.c:%d\",\"speedup\":%s,\"duration\":100000000," \
                    "\"selected_samples\":90,\"block\":%d,\"window\":%d}\n", line + 5 * other, speedup, block, window
                printf "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":200,\"elapsed\":%d}\n", 200 * time
            }
        print "{\"type\":\"runtime\",\"time\":30000000000,\"samples\":60000}"
        printf "{\"type\":\"samples\",\"location\":\"/src/w.c:%d\",\"count\":27000,\"function\":\"f\",\"text\":\"heavy();\"}\n", line
        printf "{\"type\":\"samples\",\"location\":\"/src/w.c:%d\",\"count\":9000,\"function\":\"f\",\"text\":\"light|();\"}\n", line + 5
    }' </dev/null
}

profile 2000 60 10 >old.jsonl
profile 2400 30 90 def >new.jsonl
run "$coz" compare old.jsonl new.jsonl
check "they are compared" exited 0
check "the rate changed, and by how much" says out '^Rate of `p`: (199|200). visits a second before, (239|240). visits a second after: changed by \+(19|20)\.. %'
check "the line is found where it is now" says out '/w\.c:90 \(was :10\) +[56][0-9]\.. +[23][0-9]\.. +-[23][0-9]\.. .*  changed$'
check "the other did not change" says out 'w\.c:95 \(was :15\).*  no change shown$'
check "that there is one run each is said" says out 'One run each'
run "$coz" compare new.jsonl old.jsonl
check "the other way it fell" says out 'changed by -1[0-9]\.. %'
run "$coz" compare old.jsonl old.jsonl
check "nothing changed" lacks out '  changed|changed by'
check "and it is said" says out 'Rate of `p`.*no change shown'

# Every width that a terminal may have.
for width in 60 80 200; do
    run env COLUMNS=$width LANG=C.UTF-8 "$tools/terminal" never 1 "$coz" compare --all old.jsonl new.jsonl
    check "nothing is wider than $width" test "$(tr -d '\r' <out | sed 's/\x1b\[[0-9;]*m//g; s/…/x/g' | awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }')" -le $width
    check "the verdict is there at $width" says out 'no change shown'
done

run "$coz" compare --format json old.jsonl new.jsonl
check "JSON" exited 0
cp out compared.json
check "its verdict is the same" test "$("$tools/json" targets 0 verdict <compared.json)" = changed
check "how it was found" test "$("$tools/json" targets 0 matched <compared.json)" = text
check "where it was" test "$("$tools/json" targets 0 before location <compared.json)" = /src/w.c:10
run "$coz" compare --format csv old.jsonl new.jsonl
check "CSV" says out '^impact,"p",throughput,"line","/src/w\.c:10","/src/w\.c:90",text,0\.[56]'
run "$coz" compare --format html -o both.html old.jsonl new.jsonl
if says err 'built without the page'; then
    check "no page, and that is said" exited 2
else
    check "a page" exited 0
    check "holds the comparison" says both.html '"compared":\{"schema":1,"before":\{"profile":"old\.jsonl"'
fi
run "$coz" compare --format md old.jsonl new.jsonl
check "Markdown" says out '^\| `/src/w\.c:90 \(was :10\)` \| `p` \|.*\*\*changed\*\* \|$'
check "its tables have as many columns in every row" test "$(grep '^|' out | sed 's/\\|//g' | tr -cd '|\n' | sort -u | wc -l)" -eq 2
run "$coz" report --format md old.jsonl
check "a report in Markdown" says out '^\| 1 \| `/src/w\.c:10` \|.*\*\*improves\*\* \|$'

# Conditions.
expect() {
    wanted=$1
    shift
    run "$coz" compare "$@"
    check "$* ends with $wanted" exited "$wanted"
}
expect 1 --fail-if 'w.c:90 impact > 20%' old.jsonl new.jsonl
expect 0 --fail-if 'w.c:90 impact > 60%' old.jsonl new.jsonl
expect 1 --fail-if 'w.c:10 change < -10%' old.jsonl new.jsonl
expect 0 --fail-if 'rate < -5%' old.jsonl new.jsonl
expect 1 --fail-if 'rate < -5%' new.jsonl old.jsonl
expect 1 --fail-if 'rate of p < -5%' --fail-if 'w.c:1 impact > 5' new.jsonl old.jsonl
expect 3 --fail-if 'rate of q < -5%' new.jsonl old.jsonl
expect 3 --fail-if 'w.c:1 impact > 5%' old.jsonl new.jsonl
check "what is not there is named" says out 'Nothing that was tried is called w\.c:1'
expect 2 --fail-if 'w.c:90 speed > 5%' old.jsonl new.jsonl
check "what is understood is told" says err 'column 1 .*understood is `rate < -5%`'
expect 2 --fail-if 'rate < -5%' old.jsonl missing.jsonl
expect 2 old.jsonl
check "two are wanted" says err 'two profiles'
run "$coz" report --fail-if 'w.c:10 impact > 20%' old.jsonl
check "a condition on one profile" exited 1
check "it is said which" says err "'w.c:10 impact > 20%' is met\. Of /src/w\.c:10"
run "$coz" report --fail-if 'w.c:10 impact > 80%' old.jsonl
check "one that is not met" exited 0
run "$coz" report --fail-if 'w.c:10 impact > 60%' old.jsonl
check "one of which too little is known" exited 3
run "$coz" report --fail-if 'rate < 1%' old.jsonl
check "a rate alone has not changed" exited 2
run "$coz" report --fail-if 'w.c:10 impact > 20%' missing.jsonl
check "no profile is no answer" exited 2

# Too short to tell, and what cannot be used.
profile 2000 60 10 abc 2 >short.jsonl
expect 3 old.jsonl short.jsonl
check "it is said so" says err 'Nothing could be compared'
echo nonsense >bad.jsonl
expect 2 old.jsonl bad.jsonl
check "it is named" says err 'bad\.jsonl:1:'

# What else differs.
sed 's/"build_id"/"sampler":"perf","build_id"/; s/app/other/' old.jsonl >differs.jsonl
run "$coz" compare old.jsonl differs.jsonl
check "the program" says out 'Program before: app; after: other'
check "the sampler" says out 'Sampler before: as chosen by coz; after: perf'

sed 's/"build_id"/"cores":2,"model":"Old","build_id"/' old.jsonl >small.jsonl
sed 's/"build_id"/"cores":8,"allowed":4,"model":"New","build_id"/; s/"samples":60000/"samples":60000,"others":0.4/' old.jsonl >large.jsonl
run "$coz" compare small.jsonl large.jsonl
check "the machine" says out 'Machine before: 2 cores \(Old\); after: 8 cores, 4 of them allowed \(New\)'
check "the load" says out 'Others took 0 % of the machine before, and 40 % after'

# Profiles put together say what they say together.
profile 2100 58 10 >second.jsonl
printf '%s' "$(cat second.jsonl)" >torn.jsonl # without the last newline
run "$coz" merge -o all.jsonl old.jsonl torn.jsonl
check "merged" exited 0
check "nothing else is said" is_empty err
"$coz" report --format json --all all.jsonl >merged.json
"$coz" report --format json --all old.jsonl second.jsonl >together.json
check "the report is the same" same merged.json together.json
check "nothing is lost" test "$(cat old.jsonl second.jsonl | cksum)" = "$(cksum <all.jsonl)"
run "$coz" merge -o all.jsonl old.jsonl
check "nothing is overwritten" exited 1
check "it is said so" says err 'all\.jsonl is there already'
run "$coz" merge -o old.jsonl old.jsonl second.jsonl
check "least of all an input" exited 1
check "which is whole" test "$(cat old.jsonl second.jsonl | cksum)" = "$(cksum <all.jsonl)"
run "$coz" merge -o twice.jsonl old.jsonl ./old.jsonl
check "a run counts once" says err 'named twice'
run "$coz" merge -o mixed.jsonl old.jsonl new.jsonl
check "builds are not mixed" says err 'in new\.jsonl: /bin/app \(build def'
check "nothing is left" test ! -e mixed.jsonl
run "$coz" merge --mix -o mixed.jsonl old.jsonl new.jsonl
check "unless somebody says so" exited 0
check "both runs are there" test "$(records mixed.jsonl startup)" -eq 2
run "$coz" compare mixed.jsonl new.jsonl
check "nor are they compared" exited 2
check "it is said why" says err 'different builds'
{
    cat old.jsonl
    echo '{"type":"experiment","speedup":2}'
} >broken.jsonl
run "$coz" merge -o none.jsonl old.jsonl broken.jsonl
check "a broken line" exited 1
check "is named" says err 'broken\.jsonl:221: .*Nothing was merged'
check "there is no output" test ! -e none.jsonl
# A profile whose beginning is lost does not go on in the one before.
sed 1d second.jsonl >headless.jsonl
run "$coz" merge -o headed.jsonl old.jsonl headless.jsonl
check "without its beginning" test "$(records headed.jsonl startup)" -eq 2
run "$coz" merge -o none.jsonl .
check "a folder" exited 1
run "$coz" merge old.jsonl
check "no output named" exited 2

# Profiles of the original: rates of single windows.
awk 'BEGIN {
    print "startup\ttime=1"
    for (i = 0; i < 60; i++) {
        printf "experiment\tselected=w.c:1\tspeedup=%s\tduration=%d\tselected-samples=9\n", i % 2 ? 0.5 : 0, 1e8
        printf "throughput-point\tname=p\tdelta=%d\n", (i % 2 ? 150 : 100) + i % 7
    }
}' </dev/null >original.coz
sed 's/delta=1/delta=2/' original.coz >faster.coz
run "$coz" compare original.coz faster.coz
check "the original's are compared, too" says out 'Rate of `p`: .* changed by \+'
check "lines by their number, for they tell no function" says out 'matched by file and line alone'

# A line's text is in the profile of a real run, and leads to it.
run_until 3 real.jsonl "$coz" run -o real.jsonl --- "$targets/shapes"
check "texts are recorded" holds real.jsonl samples '"function":"[^"]*".*"text":"[^"]'
finish
