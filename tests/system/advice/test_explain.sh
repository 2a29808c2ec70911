#!/bin/sh
# `coz explain`: four interfaces, spoken well, slowly, badly and by an enemy; the key is seen nowhere,
# and nothing is sent without leave.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=advice.sh
. "$root/tests/system/advice/advice.sh"
make_profile

run "$coz" explain --help
check "there is help" exited 0
run "$coz" explain
check "a line is wanted" exited 2
run "$coz" explain --timeout 0 big.c:10
check "and a time that can be" exited 2
run "$coz" explain --dry-run --provider anthropic big.c:10
check "what would be sent is shown without a key" exited 0
check "where" says out '^POST https://api\.anthropic\.com/v1/messages$'
check "and what" says out '^\{"model":"claude.*line_number_10'
check "and it says how much" says err '^This sends [0-9]+ bytes \(numbers .* lines of big\.c\) to api\.anthropic\.com by https, to be answered by claude.* --dry-run sends nothing'
run "$coz" explain --dry-run --provider anthropic --no-source big.c:10
check "without the source" lacks out 'line_number'
run "$coz" explain --yes big.c:10
if says err 'built without a way to ask'; then
    check "built without: it says how to go on" says err 'coz report --format prompt'
    finish
fi
check "nobody is asked if nobody is named" exited 1
check "and it says how to name one" says err 'ANTHROPIC_API_KEY.*--provider'
run "$coz" explain --yes --provider nobody big.c:10
check "whom it does not know" says err 'no provider .nobody.'
run "$coz" explain --yes --provider openai big.c:10
check "a key is wanted" says err 'set OPENAI_API_KEY'
run "$coz" explain --yes --provider bedrock big.c:10
check "and a model, where there are many" says err 'name one with --model'
AWS_REGION='evil.example/' AWS_SECRET_ACCESS_KEY="$secret" run "$coz" explain --yes --provider bedrock --model m big.c:10
check "a region is one" says err 'AWS_REGION'
for base in http://api.example "https://somebody:$secret@api.example" ftp://api.example "https://api.example/?$secret" 'https://a b/'; do
    ANTHROPIC_API_KEY="$secret" ANTHROPIC_BASE_URL=$base run "$coz" explain --yes big.c:10
    check "not to $base" exited 1
    check "as it says" says err 'unencrypted|must (be|begin)'
    check "without the key" keeps_secret
done
ANTHROPIC_API_KEY="$secret
X-More: header" run "$coz" explain --yes big.c:10
check "a key is one line" says err 'ANTHROPIC_API_KEY holds'
check "which is not told" keeps_secret

# ---- leave ----
printf 'Die Zeile „wartet“ auf nichts: é, ß, 漢字 and \xf0\x9f\x98\x80.\nIt costs 40 %%.\n' >answer
start_provider answer
speak anthropic good
run "$coz" explain big.c:10 </dev/null
check "nobody is asked without leave" exited 1
check "as it says" says err 'Nothing was sent'
check "and nothing was" test ! -e requests
KEYS='n
' run "$tools/terminal" /dev/null 1 "$coz" explain big.c:10
check "no is no" exited 1
check "which it asked for" says out 'Send it\? \[y/N\]'
check "nothing was sent" test ! -e requests
KEYS='y
' run "$tools/terminal" /dev/null 1 "$coz" explain big.c:10
check "yes is yes" exited 0
check "it tells first" says out '^This sends [0-9]+ bytes .* to 127\.0\.0\.1:[0-9]+ by http, on this machine'
check "and then answers" says out 'It costs 40 %'

# ---- each interface, well and slowly ----
for provider in anthropic openai bedrock ollama; do
    for way in good slow; do
        speak $provider $way
        rm -f requests
        run "$coz" explain --yes big.c:10
        check "$provider, $way: answers" exited 0
        check "$provider, $way: with the right text" same answer out
        check "$provider, $way: no key is seen" keeps_secret
    done
    told_bytes=$(sed -n 's/^This sends \([0-9]*\) bytes.*/\1/p' err)
    check "$provider: as many bytes as it said" says requests "^Content-Length: $told_bytes.?\$"
    tail -n 1 requests >body
    check "$provider: the question is JSON" "$tools/json" <body
    check "$provider: with the line" says body 'line_number_10'
done
speak anthropic good
rm -f requests
run "$coz" explain --yes --model other big.c:10
check "Anthropic: the path" says requests '^POST /good/v1/messages HTTP'
check "Anthropic: the key" says requests "^x-api-key: $secret"
check "Anthropic: the version" says requests '^anthropic-version: 2023-06-01'
check "Anthropic: the model, streamed" says requests '"model":"other","max_tokens":[0-9]+,"stream":true'
speak openai good
rm -f requests
run "$coz" explain --yes big.c:10
check "OpenAI: the path" says requests '^POST /good/v1/chat/completions HTTP'
check "OpenAI: the key" says requests "^Authorization: Bearer $secret"
unset OPENAI_API_KEY
rm requests
run "$coz" explain --yes big.c:10
check "what is compatible may want no key" exited 0
check "and is given none" lacks requests '^Authorization'
speak bedrock good
rm -f requests
run "$coz" explain --yes big.c:10
check "Bedrock: the path" says requests '^POST /good/model/some\.model-v1%3A0/converse-stream HTTP'
check "Bedrock: signed" says requests '^Authorization: AWS4-HMAC-SHA256 Credential=AKID0123456789/20[0-9]{6}/eu-north-1/bedrock/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}'
check "Bedrock: with the date" says requests '^X-Amz-Date: 20[0-9]{6}T[0-9]{6}Z'
check "Bedrock: and the session" says requests "^X-Amz-Security-Token: $secret-token"
check "Bedrock: the secret itself stays here" lacks requests "${secret}[^-]"
speak ollama good
rm -f requests
run "$coz" explain --yes big.c:10
check "Ollama: the path" says requests '^POST /good/api/chat HTTP'
check "no redirection is meant by any" test ! -e stolen

# ---- badly ----
bad() { # PROVIDER WAY PATTERN [OPTION...]
    speak "$1" "$2"
    pattern=$3
    bad_name="$1, $2"
    shift 3
    run "$coz" explain --yes --timeout 2 "$@" big.c:10
    check "$bad_name: is a failure" exited 1
    check "$bad_name: says what it is" says err "$pattern"
    check "$bad_name: no key is seen" keeps_secret
    check "$bad_name: nothing steers the terminal" lacks err "$(printf '\033')"
}
for provider in anthropic openai bedrock ollama; do
    for way in cut torn; do
        bad $provider $way 'was cut off'
        check "$bad_name: what came is told" says out '^Die Zeile'
    done
    bad $provider short 'not whole'
    bad $provider failing 'has failed in the middle: overloaded \[31mnow|has failed in the middle: overloaded'
    check "$bad_name: what came before is told" says out '^So far\.'
    bad $provider page 'none of|no event stream'
    bad $provider garbage 'none of'
    bad $provider damaged 'none of|no event stream|cut off'
    bad $provider 401 'refuses \(status 401\).*Is the key right'
    bad $provider 429 'status 429.*slow down.*7 s'
    bad $provider 500 'status 500.*oh dear'
    bad $provider elsewhere 'status 302.*not followed'
    bad $provider endless 'does not end'
    bad $provider line 'more than [0-9]+ bytes'
    bad $provider headers 'more than [0-9]+ bytes of headers'
    bad $provider silent 'did not answer in time'
    check "$bad_name: what came before is told" says out '^So far\.'
    bad $provider never 'did not answer in time'
    # The provider's own words may hold anything.
    speak $provider hostile
    run "$coz" explain --yes big.c:10
    check "$provider, hostile: answers" exited 0
    check "$provider, hostile: nothing steers the terminal" lacks out "$(printf '\033|\007|\r')"
    check "$provider, hostile: nor turns text" lacks out "$(printf '\342\200\256|\302\233|\342\200\213')"
    check "$provider, hostile: markup is text" says out '<script>alert\(1\)</script>'
    check "$provider, hostile: a character that was cut is not made whole" says out 'cut \?\? here'
    check "$provider, hostile: no key is seen" keeps_secret
done
check "in its place it says so" says out 'here\. (\[key\]|no-key-was-sent) behind it'
stop_provider
speak ollama good
run "$coz" explain --yes big.c:10
check "who is not there" says err '127\.0\.0\.1:[0-9]+ cannot be asked: '

# ---- who else can see it ----
start_provider answer
speak anthropic never
"$coz" explain --yes --timeout 20 big.c:10 >out 2>err &
asking=$!
await_that says err 'This sends'
sleep 0.3
tr '\0' ' ' <"/proc/$asking/cmdline" >arguments
check "the list of processes has no key" lacks arguments "$secret"
check "but what was typed" says arguments 'explain --yes'
kill $asking
wait $asking 2>/dev/null
stop_provider
finish
