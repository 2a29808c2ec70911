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
