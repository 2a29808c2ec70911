#!/bin/sh
# `coz suggest-points`: what is proposed becomes a diff that compiles, and changes files only with leave.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=advice.sh
. "$root/tests/system/advice/advice.sh"

mkdir -p src/deep src/.hidden
cat >src/work.c <<'END'
/* Works. */
#include <stdio.h>

static int serve(int request)
{
    if (request < 0)
        return 0;
    int sum = request * 2;
    return sum;
}

int main(void)
{
    int all = 0;
    for (int i = 0; i < 10; i++) {
        all += serve(i);
    }
    for (int i = 0; i < 10; i++)
        all += serve(i);
    printf("%d\n", all);
    return 0;
}
END
printf 'int helper(int x);\n' >src/deep/helper.h
printf 'int nothing;\n' >src/.hidden/secret.c
cp src/work.c original.c

cat >answer <<'END'
Here it is:
```json
{"points": [
  {"file": "src/work.c", "line": 16, "text": "all += serve(i);", "where": "after", "kind": "progress", "name": "request", "why": "One request\u001b[31m is served."},
  {"file": "src/work.c", "line": 19, "text": "all += serve(i);", "where": "before", "kind": "progress", "name": "naked", "why": "x"},
  {"file": "src/work.c", "line": 5, "text": "{", "where": "before", "kind": "progress", "name": "head", "why": "x"},
  {"file": "src/work.c", "line": 9, "text": "    return sum;", "where": "after", "kind": "progress", "name": "never", "why": "x"},
  {"file": "src/work.c", "line": 12, "text": "no such line", "where": "after", "kind": "progress", "name": "lost", "why": "x"},
  {"file": "/etc/passwd", "line": 1, "text": "root", "where": "after", "kind": "progress", "name": "stolen", "why": "x"},
  {"file": "src/work.c", "line": 14, "text": "    int all = 0;", "where": "after", "kind": "progress", "name": "evil\"); system(\"x", "why": "x"},
  {"file": "src/work.c", "line": 8, "text": "int sum = request * 2;", "where": "after", "kind": "begin", "name": "half", "why": "x"},
  {"file": "src/work.c", "line": 800, "text": "printf(\"%d\\n\", all);", "where": "before", "kind": "progress", "name": "done", "why": "y"}
]}
```
END

run "$coz" suggest-points --help
check "there is help" exited 0
run "$coz" suggest-points
check "sources are wanted" exited 2
run "$coz" suggest-points --kind speed src
check "and a kind that there is" exited 2
run "$coz" suggest-points --max-points 0 src
check "and a number" exited 2
run "$coz" suggest-points --dry-run --provider ollama --model m src
check "what would be sent is shown" exited 0
check "with its lines" says out '16\\t +all \+= serve\(i\);'
check "of folders below" says out 'src/deep/helper\.h'
check "but not of hidden ones" lacks out 'secret\.c'
check "it says which" says err '^This sends [0-9]+ bytes \(all [0-9]+ lines of src/deep/helper\.h, src/work\.c\) to 127\.0\.0\.1:11434'
run "$coz" suggest-points --dry-run --provider ollama --model m --include '*.c' --hint 'a unit is a <request>' src
check "only what is included" lacks out 'helper\.h'
check "with the hint" says out 'a unit is a <request>'
run "$coz" suggest-points --dry-run --provider ollama --model m --exclude '*work*' src
check "and not what is excluded" lacks out 'src/work\.c'
run "$coz" suggest-points --dry-run --provider ollama --model m /etc/passwd
check "nothing but sources" exited 1
check "as it says" says err 'not called like a source'
run "$coz" suggest-points --dry-run --provider ollama --model m missing.c
check "that are there" says err 'missing\.c: No such file'

start_provider answer
speak anthropic good
run "$coz" suggest-points --yes src/work.c
if says err 'built without a way to ask'; then
    check "built without: no more" exited 1
    finish
fi
check "points are proposed" exited 0
check "the file is as it was" same original.c src/work.c
cat >wanted <<'END'
--- src/work.c
+++ src/work.c
@@ -1,5 +1,6 @@
 /* Works. */
 #include <stdio.h>
+#include <coz.h>
 
 static int serve(int request)
 {
@@ -14,9 +15,11 @@
     int all = 0;
     for (int i = 0; i < 10; i++) {
         all += serve(i);
+        COZ_PROGRESS_NAMED("request");
     }
     for (int i = 0; i < 10; i++)
         all += serve(i);
+    COZ_PROGRESS_NAMED("done");
     printf("%d\n", all);
     return 0;
 }
END
check "as this diff" same wanted out
check "it was tried" says err 'src/work\.c compiles with them'
check "it says why" says err 'request.: One request\\x1b\[31m is served'
check "a loop without braces stays whole" says err 'Dropped the point .naked.*no statement may stand'
check "nothing between a function's head and its body" says err 'Dropped the point .head.'
check "nothing that is never reached" says err 'Dropped the point .never.'
check "nothing at a line that is not there" says err 'Dropped the point .lost.*no such line'
check "nothing in other files" says err '/etc/passwd.*none of the files'
check "no name that is more than one" says err 'evil.*name cannot be used'
check "nothing of another kind" says err 'Dropped the point .half.'
check "no key is seen" keeps_secret
check "leave is wanted for changes" says err 'Nothing was changed'
run "$coz" suggest-points --yes --max-points 1 src/work.c
check "not more than are wanted" lacks out 'done'
KEYS='y
y
' run "$tools/terminal" /dev/null 1 "$coz" suggest-points src/work.c
check "with leave" says out 'Change the files so\? \[y/N\]'
check "the file is changed" says src/work.c 'COZ_PROGRESS_NAMED."request".;'
check "and compiles" cc -fsyntax-only -Wall -Werror -I "$root/include" src/work.c
check "once more it knows the header" test "$(grep -c 'coz\.h' src/work.c)" = 1
cp original.c src/work.c
chmod 640 src/work.c
ln -s work.c src/link.c
cat >answer2 <<'END'
{"points": [{"file": "src/link.c", "line": 16, "text": "all += serve(i);", "where": "after", "kind": "progress", "name": "request"}]}
END
stop_provider
start_provider answer2
speak openai good
run "$coz" suggest-points --yes --apply src/link.c
check "or at once" exited 0
check "through a link, which stays one" test -L src/link.c
check "the file is changed then" says src/work.c 'COZ_PROGRESS_NAMED'
check "and has its mode" test "$(stat -c %a src/work.c)" = 640
stop_provider

# ---- pairs, and what does not compile ----
cp original.c src/work.c
sed -i 's/int sum = request/static struct { int one;\n    int two; } pair = {1, 2};\n    int sum = pair.one + request/' src/work.c
cp src/work.c before.c
cat >answer3 <<'END'
{"points": [{"file": "src/work.c", "line": 8, "text": "static struct { int one;", "where": "after", "kind": "begin", "name": "bad"},
 {"file": "src/work.c", "line": 16, "text": "int all = 0;", "where": "after", "kind": "end", "name": "bad"},
 {"file": "src/work.c", "line": 17, "text": "for (int i = 0; i < 10; i++) {", "where": "after", "kind": "begin", "name": "turn"},
 {"file": "src/work.c", "line": 18, "text": "all += serve(i);", "where": "after", "kind": "end", "name": "turn"},
 {"file": "src/work.c", "line": 16, "text": "int all = 0;", "where": "after", "kind": "begin", "name": "alone"}]}
END
start_provider answer3
speak bedrock good
run "$coz" suggest-points --yes --kind latency src/work.c
check "pairs are proposed" exited 0
check "with their beginning" says out '^\+        COZ_BEGIN\("turn"\);'
check "and their end" says out '^\+        COZ_END\("turn"\);'
check "what does not compile is dropped" says err 'Dropped the point .bad. .*does not compile there \(.*error'
check "and so is its other half" says err 'Dropped half of the pair .bad.'
check "half a pair is none" test "$(grep -c 'Dropped half of the pair .alone.' err)" = 1
check "neither is in the diff" lacks out 'bad|alone'
# A source that needs flags: without them it cannot be tried, and it says so.
sed -i '2i #include <needed.h>' src/work.c
sed -i 's/"line": 18/"line": 19/' answer3 # that text is there twice; the others are found by theirs
stop_provider
start_provider answer3
speak bedrock good
run "$coz" suggest-points --yes --kind latency src/work.c
check "what cannot be tried is still proposed" says out 'COZ_BEGIN\("turn"\)'
check "and said to be so" says err 'could not be checked that src/work\.c compiles.*needed\.h'
mkdir -p headers build
: >headers/needed.h
printf '[{"directory": "%s", "file": "../src/work.c", "command": "false -Iheaders -I ../headers -DX=\\"a b\\" -o x.o -c ../src/work.c"}]\n' "$PWD/build" >build/compile_commands.json
run "$coz" suggest-points --yes --kind latency src/work.c
check "with the flags it can" says err 'compiles with them \(with the flags in compile_commands\.json\)'
check "and what does not compile is dropped there, too" lacks out 'bad'
stop_provider

# ---- answers that are none ----
for text in 'I would rather not.' '{"points": 7}' '{"points": [' '[]'; do
    echo "$text" >answer4
    start_provider answer4
    speak ollama good
    run "$coz" suggest-points --yes src/work.c
    check "of '$text' nothing is made" exited 1
    check "as it says" says err 'not in the form'
    stop_provider
done
echo '{"points": [{}, 3, {"file": 7, "line": "x"}]}' >answer4
start_provider answer4
speak ollama good
run "$coz" suggest-points --yes src/work.c
check "of empty points neither" exited 1
check "as it says then" says err 'No point is proposed'
stop_provider
finish
