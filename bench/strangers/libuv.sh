# shellcheck shell=sh disable=SC2034,SC2154
# libuv's own test suite, built from Debian's source: each of its 400 tests is a process of its own. It will not be run by root.
need cmake cmake
tree=$(fetched libuv1 '
    cmake -S . -B out -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_TESTING=ON -DLIBUV_BUILD_TESTS=ON -DCMAKE_SKIP_RPATH=ON
    cmake --build out -j2')
cp -a "$tree/test" "$tree"/out/libuv.so* "$tree/out/uv_run_tests" .
give_away

play() {
    rm -f verdict figures
    begin=$(date +%s%N)
    as_nobody env LD_LIBRARY_PATH="$work" "$@" ./uv_run_tests >tests.log 2>&1 || :
    echo "$((($(date +%s%N) - begin) / 1000000)) ms" >figures
    sed -nE 's/^(ok|not ok) [0-9]+ - /\1 /p' tests.log | sort | count_and_list >verdict
}

# Tests that come out now this way, now that, natively too, tell nothing: those that differed run alone, again and again, each
# way. Only what differs then as well is a difference.
again() {
    sed -nE 's/^[<>] (not ok|ok) ([^ ]+).*/\2/p' difference | sort -u >differing
    differ=0
    while read -r test; do
        natively=$(outcomes native.verdict "$test")
        profiled=$(outcomes /dev/null "$test" "$@")
        case $natively in
        "$profiled") found="comes out the same" ;;
        *,*) found="is a matter of chance natively" ;;
        *) found="DIFFERS" && differ=1 ;;
        esac
        echo "  $test: natively, alone and there, $natively; profiled, alone, $profiled: it $found"
    done <differing
    return $differ
}

# outcomes VERDICT TEST [COMMAND...]: all that it came to, there (if it is in there) and alone, in as many runs as it takes to see
# both outcomes, but no more than fifty: what succeeds natively in one of five runs does not in ten of them once in nine times.
outcomes() {
    before=$1
    test=$2
    shift 2
    {
        sed -nE "s/^(not ok|ok) $test( .*)?\$/\1/p" "$before"
        for _ in $(seq 50); do
            if as_nobody env LD_LIBRARY_PATH="$work" "$@" ./uv_run_tests "$test" >/dev/null 2>&1; then echo ok; else echo not ok; fi
        done
    } | awk '!seen[$0]++ { count++; print } count == 2 { exit }' | sort | paste -s -d , -
}
