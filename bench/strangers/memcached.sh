# shellcheck shell=sh disable=SC2034,SC2154
# memcached's own tests (`make test`), built from Debian's source: perl scripts that start and stop many servers. perl and all
# else of the tree is profiled, too.
need prove perl
tree=$(fetched memcached '
    ./configure --disable-coverage
    make -j2 memcached memcached-debug sizes testapp timedrun')
cp -a "$tree"/. source
give_away

play() {
    rm -f verdict figures
    begin=$(date +%s%N)
    # `make test` in parts: testapp, then the scripts, several at a time.
    as_nobody sh -c 'cd source && exec "$@" ./testapp' sh "$@" >testapp.log 2>&1 || :
    as_nobody sh -c 'cd source && exec "$@" prove -j 8 t' sh "$@" >tests.log 2>&1 || :
    echo "$((($(date +%s%N) - begin) / 1000000)) ms" >figures
    {
        sed -nE 's/^(ok|not ok) [0-9]+ - /\1 /p' testapp.log
        sed -nE 's/^(t\/[^ ]*) \.+ (.*)/\2 \1/p' tests.log
    } | sed 's/skipped: .*/skipped/' | sort | count_and_list >verdict
    grep '^Result' tests.log >>verdict || echo "no result" >>verdict
}
