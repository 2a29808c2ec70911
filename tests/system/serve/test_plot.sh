#!/bin/sh
# The server of `coz plot`: who may come in, what it says of profiles that are missing, empty, growing or cut off, and how it
# ends.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
unset DISPLAY WAYLAND_DISPLAY

put_windows() { # BLOCK [WINDOWS]
    awk -v block="$1" -v windows="${2-3}" 'BEGIN {
        for (window = 1; window <= windows; window++) {
            elapsed = window == 2 ? 60e6 : 100e6 + 1e5 * ((block + window) % 5)
            printf "{\"type\":\"experiment\",\"selected\":\"big.c:10\",\"speedup\":%s,\"duration\":%d," \
                "\"selected_samples\":90,\"block\":%d,\"window\":%d}\n", window == 2 ? 0.5 : 0, elapsed, block, window
            printf "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":1000,\"elapsed\":%d}\n", elapsed
        }
    }' </dev/null
}

put_profile() { # BLOCKS
    echo '{"type":"startup","time":1,"program":"/bin/big","build_id":"0a"}'
    for block in $(seq "$1"); do put_windows "$block"; done
    echo '{"type":"runtime","time":4000000000}'
    echo '{"type":"samples","location":"big.c:10","count":3000}'
}

# serve [OPTION...]: a server in the background; $server is its process, $address where it is.
serve() {
    begin "coz plot $*"
    rm -f out
    "$coz" plot "$@" >out 2>err &
    server=$!
    find_server
}

find_server() {
    await_that test -s out
    address=$(head -n 1 out)
    port=$(echo "$address" | sed 's|.*127.0.0.1:\([0-9]*\)/.*|\1|')
    token=$(echo "$address" | cut -d/ -f4)
}

stop() { # SIGNAL
    kill -"$1" "$server"
    wait "$server"
    status=$?
}

# listen ADDRESS [CURL OPTION...]: to events, in the background; they go to the file events. listen_until PATTERN
# ADDRESS...: until one matches.
listen() {
    rm -f events
    curl -sN "$@" >events &
    listener=$!
}

stop_listening() {
    kill $listener
    wait $listener 2>/dev/null
}

listen_until() {
    pattern=$1
    shift
    listen "$@"
    await_that says events "$pattern"
    stop_listening
}

# ask PATH [CURL OPTION...]: the status code goes to $code, what came to the files body and headers.
ask() {
    path=$1
    shift
    code=$(curl -s --path-as-is -o body -D headers -w '%{http_code}' "$@" "http://127.0.0.1:$port$path")
}

run "$coz" plot --help
check "there is help" exited 0
check "which names its other name" says out 'coz view'
put_profile 12 >profile.jsonl
run "$coz" plot missing.jsonl
if says err 'built without the (server|page)'; then
    check "built without: it says how to go on" says err 'coz report'
    finish
fi
check "a missing profile" exited 1
check "is named" says err 'missing\.jsonl: No such file'
check "with how to make one" says err 'coz run ---'
run "$coz" plot "$targets/ends"
check "a program is no profile" says err '/ends is no profile'
mkdir folder
run "$coz" plot folder
check "nor is a folder" exited 1
run "$coz" plot --port 70000
check "a port that cannot be" exited 2
{ put_profile 1; put_profile 1 | sed 's/"0a"/"0b"/'; } >mixed.jsonl
run "$coz" plot mixed.jsonl
check "builds do not mix" exited 1
check "and it says so" says err 'different builds'

# ---- who may come in ----
serve --no-browser
check "at the loopback, by 24 random bytes" says out '^http://127\.0\.0\.1:[0-9]+/[0-9a-f]{48}/1/$'
check "it says how from elsewhere" says err "ssh -L $port:127\.0\.0\.1:$port "
ask "/$token/1/"
check "the page" test "$code" = 200
check "is one" says body '<script type="application/json" id="data">'
check "its policy lets it ask this server and nobody else" says body "default-src 'none'.*connect-src 'self'"
for header in 'X-Content-Type-Options: nosniff' 'Referrer-Policy: no-referrer' 'X-Frame-Options: DENY' 'Cache-Control: no-store' \
    "Content-Security-Policy: .*frame-ancestors 'none'" 'Cross-Origin-Resource-Policy: same-origin' 'Cross-Origin-Opener-Policy: same-origin'; do
    check "header $header" says headers "$header"
done
"$coz" report --format html >file.html
check "a page in a file asks nobody" lacks file.html 'connect-src|<meta name="coz-served'
ask "/$token/1/" -H "Host: localhost:$port"
check "by the name localhost" test "$code" = 200
ask "/$token/1/" -I
check "its head alone" test "$code" = 200

wrong=$(printf %s "$token" | tr '0-9a-f' '1-9a-f0')
for path in / /1/ "/$token" "/$token/" "/$token/2/" "/$token/1" "/$token/1/../1/x" "/$token/../etc/passwd" "/$token/1/..%2f..%2fetc/passwd" "/$wrong/1/" \
    "/$token/profile.jsonl" "/$token/1/profile.jsonl" "/$token/1/big.c" /etc/passwd /favicon.ico; do
    ask "$path"
    check "nothing at $path" test "$code" = 403
done
ask "/$wrong/profiles" -d x
check "nothing is brought by a wrong token" test "$code" = 403
ask "/$wrong/1/explain" -d big.c:10
check "nor explained" test "$code" = 403
for host in evil.example "evil.example:$port" 127.0.0.1 "127.0.0.1:1" "127.0.0.1.evil.example:$port" "[::1]" "[::2]:$port" ''; do
    ask "/$token/1/" -H "Host: $host"
    check "foreign host '$host'" test "$code" = 403 -o "$code" = 400
done
for origin in http://evil.example "http://evil.example:$port" null "https://127.0.0.1:$port" http://127.0.0.1; do
    ask "/$token/1/" -H "Origin: $origin"
    check "foreign origin $origin" test "$code" = 403
    ask "/$token/profiles?name=x" -H "Origin: $origin" --data-binary @profile.jsonl
    check "which brings nothing" test "$code" = 403
    ask "/$token/1/explain" -H "Origin: $origin" -d big.c:10
    check "and has nothing explained" test "$code" = 403
done
ask "/$token/1/" -H "Origin: http://127.0.0.1:$port"
check "its own origin" test "$code" = 200
for method in PUT DELETE POST OPTIONS; do
    ask "/$token/1/" -X $method
    check "$method is not for a page" test "$code" = 405
done
ask "/$token/1/explain"
check "what is explained is asked for by POST" test "$code" = 405
ask "/$token/1/explain?yes=1" -X POST
check "leave for nothing is none" test "$code" = 409
ask "/$token/wishes" -d stop
check "no run is steered" test "$code" = 409
# Only the loopback is listened at: 0100007F, and the port in hexadecimal digits.
check "nowhere else" says /proc/net/tcp " 0100007F:$(printf %04X "$port") 00000000:0000 0A "
listening=":$(printf %04X "$port") 00000000000000000000000000000000:0000 0A "
if grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null; then
    check "but at IPv6's loopback" says /proc/net/tcp6 "^ *[0-9]+: 00000000000000000000000001000000$listening"
    check "and there at no other address" test "$(grep -c "$listening" /proc/net/tcp6)" = 1
    code=$(curl -s -g -o body -w '%{http_code}' "http://[::1]:$port/$token/1/")
    check "the page, by IPv6" test "$code" = 200
    check "is the page" says body '<script type="application/json" id="data">'
    code=$(curl -s -g -o body -w '%{http_code}' -H 'Origin: http://evil.example' "http://[::1]:$port/$token/1/")
    check "a foreign origin is refused there, too" test "$code" = 403
    code=$(curl -s -g -o body -w '%{http_code}' "http://[::1]:$port/$wrong/1/")
    check "and so is a wrong token" test "$code" = 403
    curl -sN -g --max-time 1 "http://[::1]:$port/$token/1/events" >events
    check "events come" says events '^event: status'
else
    check "there is no IPv6 here, and it does not mind" lacks /proc/net/tcp6 "$listening"
fi

# ---- profiles that are brought ----
printf 'startup\ttime=1\nexperiment\tselected=old.c:7\tspeedup=0.5\tduration=100000000\tselected-samples=3\nthroughput-point\tname=q\tdelta=9\n' >old.coz
ask "/$token/profiles?name=old.coz" --data-binary @old.coz
check "one of the original is taken" test "$code" = 200
check "as the second" says body '"number":2'
ask "/$token/2/"
check "it has a page" says body 'old\.c:7'
ask "/$token/profiles?name=nonsense" --data-binary nonsense
check "nonsense is refused" test "$code" = 400
check "in words" says body 'nonsense is no profile'
ask "/$token/profiles?name=big" -H 'Content-Length: 300000000' --data-binary x --max-time 5
check "what is too large is refused at once" test "$code" = 413
for i in $(seq 3 16); do ask "/$token/profiles?name=$i" --data-binary @profile.jsonl; done
check "sixteen are taken" test "$code" = 200
ask "/$token/profiles?name=17" --data-binary @profile.jsonl
check "and no more" test "$code" = 507
run "$coz" plot --port "$port"
check "a port that is taken" exited 1
check "is named, with the remedy" says err "Port $port is taken.*--port"
stop TERM
check "SIGTERM ends it" exited 0
press_when 'says out "^http://"'
run "$tools/terminal" pressed 1 "$coz" plot
check "Ctrl-C ends it" exited 0

# ---- profiles that grow ----
echo '{"type":"startup","time":1,"program":"/bin/big","build_id":"0a"}' >growing.jsonl
serve growing.jsonl --stay
listen "${address}events?since=1"
await_that says events '"windows":0'
check "it says how much there is" says events '^data: \{"live":(true|false),"windows":0'
for block in 1 2 3 4 5 6; do put_windows $block 5; done >>growing.jsonl
check "what was appended comes as an event" await_that says events '^event: report'
check "with a number" says events '^id: [2-9]'
check "and how much there is" await_that says events '"live":true,"windows":30'
put_windows 7 5 | head -c 300 >>growing.jsonl
put_windows 7 5 | tail -c +301 >>growing.jsonl
check "a line in two parts is one" await_that says events '"windows":35'
stop_listening
last=$(grep '^id: ' events | tail -n 1 | cut -d' ' -f2)
listen_until '^event: status' "${address}events?since=1" -H "Last-Event-ID: $last"
check "who has the last state is told how it stands" says events '^event: status'
check "but not that state again" lacks events '^event: report'
listen_until '^data: .*big\.c:10' "${address}events" -H "Last-Event-ID: 1"
check "who missed it is" says events "^id: $last"
check "whole" says events '^data: .*big\.c:10'
put_profile 2 >growing.jsonl
listen_until '"windows":6' "${address}events?since=$last"
check "one that was cut off and written anew is read anew" says events '"windows":6'
stop TERM

# ---- standard input ----
put_profile 3 | sed '/runtime/d' >piped.jsonl # a run that was killed
begin "coz plot - with a pipe"
rm -f out
# shellcheck disable=SC2002 # it is to be a pipe
cat piped.jsonl | "$coz" plot - >out 2>err &
server=$!
find_server
# It looks every second; who listens is told when it has.
listen_until '"windows":9' "${address}events?since=1"
ask "/$token/1/"
check "a pipe is read once" says body '"windows":9,'
check "to its end" says body 'big\.c:10'
stop TERM

# ---- the browser ----
mkdir bin
cat >bin/xdg-open <<'END'
#!/bin/sh
printf '%s\n' "$@" >opened.tmp
mv opened.tmp opened
END
chmod +x bin/xdg-open
ordinary=$PATH
PATH=$PWD/bin:$PATH
export DISPLAY=:9
serve
check "where there is a display the browser is told the address" await opened
check "and nothing else" same opened out
check "it says so" says err 'opens in your browser'
stop TERM
rm opened
serve --no-browser
check "not when it is not wanted" says err 'ssh -L'
stop TERM
unset DISPLAY
serve
check "nor without a display" says err 'ssh -L'
stop TERM
check "no browser was told then" test ! -e opened
PATH=$ordinary

# ---- the last page ----
serve later.jsonl --live
put_profile 3 >later.jsonl
listen_until '"windows":9' "${address}events?since=1"
check "comes" says events '"windows":9'
check "it ends when the last page is closed" await_end "$server"
wait "$server"
status=$?
check "well" exited 0
finish
