#!/bin/sh
# Runs of different builds, or programs, are not taken together unless somebody says so.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# The build is in the profile; a copy elsewhere is the same one.
cp "$targets/ends" program
run "$coz" run --- ./program 0
check "the first run" exited 0
check "the build-id is told" holds profile.jsonl startup '"build_id":"[0-9a-f]{16,40}"'
id=$(sed -n 's/.*"build_id":"\([^"]*\)".*/\1/p' profile.jsonl)
if command -v readelf >/dev/null; then
    check "it is the file's" test "$(readelf -n program | sed -n 's/.*Build ID: //p')" = "$id"
fi
cp program copy
run "$coz" run --- ./copy 0
check "a copy of it" exited 0
check "appends" test "$(records profile.jsonl startup)" -eq 2
run "$coz" report
check "they are taken together" says out 'no experiments|holds no'
check "without a word about builds" lacks err build

# Another build of the program.
cp "$targets/steps" program
run "$coz" run -o profile.jsonl --- ./program --ms 1
check "a run of another build" exited 2
check "is refused" says err 'profile\.jsonl already holds runs of .*/program \(build [0-9a-f]{16}, 2 runs, the last on 20..-..-.. at ..:..:..\)'
check "both are named" says err 'true of /.*/program \(build [0-9a-f]{16}\)'
check "and the remedies" says err '-o OTHER\.jsonl.*--mix'
check "nothing was run" lacks out '^done'
check "nothing was written" test "$(records profile.jsonl startup)" -eq 2
run "$coz" run -o other.jsonl --- ./program --ms 1
check "into another file" exited 0
cp profile.jsonl before.jsonl
run "$coz" run --- ./program --ms 1
check "without -o the old profile is set aside" exited 0
check "and said so" says err '^coz: profile\.jsonl was of another program or build; it is now profile-1\.jsonl$'
check "it is whole" same before.jsonl profile-1.jsonl
check "the new one is of this build only" test "$(records profile.jsonl startup)" -eq 1
run "$coz" run --- ./copy 0
check "a second one gets a name of its own" says err 'it is now profile-2\.jsonl'
mv before.jsonl profile.jsonl
run "$coz" run --mix --- ./program --ms 1
check "mixed knowingly" exited 0
check "it has appended" test "$(records profile.jsonl startup)" -eq 3
run "$coz" run -o profile.jsonl --- ./copy 0
check "what was mixed is no profile of one build" exited 2

# What the report says to that, of one file and of two.
for profiles in profile.jsonl "other.jsonl copy.jsonl"; do
    sed '3,$d' profile.jsonl >copy.jsonl
    # shellcheck disable=SC2086 # words
    run "$coz" report $profiles
    check "no report of $profiles" exited 1
    check "says why" says err 'different builds or programs'
    check "names the one" says err '^  in [a-z]*\.jsonl: /.*/program \(build [0-9a-f]{16}, [12] runs?, (the last )?on 20'
    check "and what to do" says err '-o OTHER.*--mix'
    check "nothing is printed" is_empty out
    # shellcheck disable=SC2086
    run "$coz" report --mix $profiles
    check "mixed knowingly" lacks err 'different builds'
    check "there is a report" says out 'holds|windows'
done
check "two builds were named" test "$("$coz" report profile.jsonl 2>&1 | grep -c '^  in ')" -eq 2

# A file without a build-id.
printf '#!/bin/sh\nexec "$@"\n' >script
chmod +x script
run "$coz" run -o script.jsonl --- ./script true
check "a script" holds script.jsonl startup '"build_id":"file-[0-9a-f]{16}"'
echo '# changed' >>script
run "$coz" run -o script.jsonl --- ./script true
check "a changed one is another build" exited 2

# Older profiles, and the original's, do not tell.
for old in '{"type":"startup","time":1}' '{"type":"startup","time":1,"program":"/bin/other"}' 'startup	time=1'; do
    echo "$old" >old.jsonl
    run "$coz" run -o old.jsonl --- ./program --ms 1
    check "appending to $old" exited 0
    run "$coz" report old.jsonl copy.jsonl
    check "mixing it with one build more" says err 'different builds'
    check "does not name it" lacks err other
    echo "$old" >old.jsonl
    run "$coz" report old.jsonl copy.jsonl
    check "pooled as ever" lacks err 'different builds'
done

# The tab-separated form tells it, too.
run "$coz" run -o tab.coz --profile-format coz --- ./program --ms 1
check "tab-separated" says tab.coz '^startup	time=[0-9]+	program=.*	build-id=[0-9a-f]{16}'
run "$coz" run -o tab.coz --profile-format coz --- ./copy 0
check "and it is read" exited 2
finish
