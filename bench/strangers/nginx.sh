# shellcheck shell=sh disable=SC2034,SC2154
# nginx with two workers under ab, with and without connections that stay; a file fetched by curl is compared.
need curl curl
# shellcheck source=/dev/null
. "$here/servers/nginx.sh"

play() {
    rm -rf figures verdict site got-*
    mkdir -p site
    seq 1000000 >site/numbers-of-all
    start "$@"
    : >verdict
    for keep in "" -k; do
        # shellcheck disable=SC2086 # none or one word
        ab -q $keep -n 20000 -c 20 "http://127.0.0.1:$port/numbers" >ab.out 2>&1 || :
        grep -E '^(Complete|Failed) requests|^Non-2xx|^Document Length' ab.out >>verdict
        grep -E '^Requests per second' ab.out >>figures
    done
    # Files of several sizes, at once and one after the other over one connection, as they were served.
    for size in 0 1 4095 100000 3000000; do
        head -c $size site/numbers-of-all >site/$size
    done
    curl -s --no-progress-meter -Z "http://127.0.0.1:$port/{numbers,0,1,4095,100000,3000000}" -o 'got-#1' || echo "curl: status $?" >>verdict
    for file in numbers 0 1 4095 100000 3000000; do
        cmp "site/$file" "got-$file" >>verdict 2>&1 || :
        cksum "got-$file" >>verdict
    done
    curl -s -o /dev/null -w '%{http_code}\n' "http://127.0.0.1:$port/nothing" >>verdict || :
    nginx -c "$work/nginx.conf" -s reload 2>/dev/null # new workers, while the old ones end
    await sh -c "ab -n 100 http://127.0.0.1:$port/numbers | grep 'Failed requests: *0'"
    nginx -c "$work/nginx.conf" -s quit 2>/dev/null
    status=0
    wait "$server" || status=$?
    server=
    echo "exit status $status" >>verdict
}
