# shellcheck shell=sh disable=SC2154,SC2086 # see run
# nginx in one process on a socket in a folder, asked again and again for a page of text with server side includes.

# Both builds listen where one load finds them.
folder=$build_dir/apps/nginx

# Where a tag may begin is found by libc's vectors, not byte by byte.
find_tags() {
    parser=nginx/src/http/modules/ngx_http_ssi_filter_module.c
    grep -q memchr $parser ||
        sed -i -e '/^            \/\* the tight loop \*\/$/a\
\
            p = memchr(p, '"'<'"', last - p);\
            if (p == NULL) {\
                p = last - 1;\
            }\
\
            ch = *p;' $parser
    [ "$(grep -c memchr $parser)" = 1 ] || fail "the change does not fit into ${parser##*/}: is it a new version?"
}

build() {
    fetch nginx
    [ -z "$changed" ] || find_tags
    # A request is answered.
    insert nginx/src/http/ngx_http_request.c '1i #include <coz.h>
        /^ngx_http_free_request(/,/^}/ s/^    log->action = "closing request";$/    COZ_PROGRESS_NAMED("request");\n&/'
    [ -e nginx/objs/Makefile ] || (cd nginx && logged ./configure --without-http_rewrite_module --without-http_gzip_module \
        --error-log-path=stderr --with-cc-opt="$cflags")
    logged make -C nginx
    cp nginx/objs/nginx nginx.bin
    logged cc $cflags "$here/drivers/generate.c" -o generate
    logged cc $cflags "$here/drivers/page.c" -o page.bin -pthread
    # Paragraphs of eight lines, and among them some directives.
    ./generate 200000 | sed -e '1~8s/^/<p>/' -e '100~200s/^/<!--#echo var="DOCUMENT_URI" -->\n/' >page.html
    cat >nginx.conf <<END
daemon off;
master_process off;
pid nginx.pid;
events {
}
http {
    access_log off;
    keepalive_requests 1000000000;
    server {
        listen unix:$folder/socket;
        root $folder;
        ssi on;
    }
}
END
    rm -f answer
}

# Whenever a server is there, until it is no more. A changed one must answer as the first one did.
load() {
    while :; do
        ./page.bin --seconds 1000000 >load.out
        if [ -s load.out ]; then
            [ -e answer ] || head -n 1 load.out >answer
            head -n 1 load.out | cmp answer - || fail "the answer is another one"
        fi
        sleep 0.1
    done
}

# serve SECONDS RESULT COMMAND...: the server under the command, and the load.
serve() {
    load_seconds=$1
    result=$2
    shift 2
    rm -f socket
    "$@" ./nginx.bin -p "$folder" -c nginx.conf &
    server_started $!
    await_server test -S socket
    drive "$load_seconds" "$result" ./page.bin
    [ -s "$result" ] || fail "no answer"
    kill $server
    server_ends
}

native() {
    serve_natively
}

profile() {
    serve_profiled
}
