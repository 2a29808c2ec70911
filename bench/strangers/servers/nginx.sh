# shellcheck shell=sh disable=SC2034,SC2154
# nginx with two workers, which serves what is in the folder site.
need nginx nginx-light
need ab apache2-utils
port=18080
point=ngx_http_finalize_request # a request is answered

# start COMMAND...: the server under the command.
start() {
    mkdir -p site
    seq 20000 >site/numbers
    cat >nginx.conf <<END
worker_processes 2;
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 512; }
http {
    access_log off;
    client_body_temp_path $work/body; proxy_temp_path $work/proxy; fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi; scgi_temp_path $work/scgi;
    server { listen 127.0.0.1:$port; root $work/site; }
}
END
    "$@" nginx -c "$work/nginx.conf" >>server.log 2>&1 &
    server=$!
    await sh -c "ab -n 1 http://127.0.0.1:$port/numbers"
}

load() {
    ab -q -k -n 50000 -c 20 "http://127.0.0.1:$port/numbers"
}
