#!/bin/sh
# Plain cmake without the packages of the tests, no generating among the sources, and `make install`.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# A copy, for what goes wrong would leave files in the tree. `hidden` is a package that pkg-config does not know there.
mkdir tree
(cd "$root" && cp -R CMakeLists.txt Makefile LICENSE include src web examples tests bench scripts packaging bindings "$work/tree")
cat >pkg-config <<'END'
#!/bin/sh
for word; do
    if [ "${word%%[ >=]*}" = "$HIDDEN" ]; then
        exit 1
    fi
done
exec pkg-config "$@"
END
chmod +x pkg-config
generate() { # HIDDEN [OPTION...]
    HIDDEN=$1
    export HIDDEN
    shift
    run cmake -S tree -B generated -DPKG_CONFIG_EXECUTABLE="$PWD/pkg-config" "$@"
}

generate cmocka
check "it is generated without cmocka" exited 0
check "it says what is left out" says out 'tests are left out.*libcmocka-dev'
check "no test is generated" test ! -e generated/tests
rm -r generated
generate nothing -DCMAKE_CXX_COMPILER=NOTFOUND
check "it is generated without a C++ compiler" exited 0
check "it says what is left out then" says out 'tests are left out.*g\+\+'
rm -r generated
generate nothing -DCOZ_PAGE=OFF
check "it is generated without the page" exited 0
check "it says that the page is left out" says out 'Without .coz report --format html'
rm -r generated
generate libmicrohttpd
check "it is generated without libmicrohttpd" exited 0
check "it says that the server is left out" says out 'Without .coz plot.*libmicrohttpd-dev'
rm -r generated
generate libcurl
check "it is generated without libcurl" exited 0
check "it says that asking is left out" says out 'Without .coz explain.*libcurl4-openssl-dev'
rm -r generated
# A page that lies there ready-made needs no esbuild.
mkdir tree/web/dist
: >tree/web/dist/page.js
: >tree/web/dist/page.css
generate nothing -DESBUILD=/nowhere/esbuild
check "it is generated with a ready-made page" lacks out 'Without'
run cmake --build generated --target coz_page
check "which is taken as it is" exited 0
rm -r generated tree/web/dist
generate jansson
check "it is not without jansson" test "$status" -ne 0
check "it says what to install" says err 'apt-get install .*libjansson-dev'
rm -r generated

for folder in tree tree/src; do
    run cmake -S tree -B $folder
    check "nothing is generated in $folder" test "$status" -ne 0
    check "it says where to, instead of $folder" says err 'cmake -B build'
    check "no makefile in $folder" test ! -e $folder/cmake_install.cmake
    rm -rf $folder/CMakeCache.txt $folder/CMakeFiles
done

# What was built is installed as it is.
run make -C "$root" BUILD="$build" PREFIX="$work/prefix" install
check "make install" exited 0
check "the command is there" test -x "prefix/bin/coz"
check "the header is there" test -e "prefix/include/coz.h"
check "so is that of regions" test -e "prefix/include/coz_regions.h"
run "prefix/bin/coz" regions -n 1 --no-profile -- "$targets/regions"
check "whose library is found from there" exited 0
run "prefix/bin/coz" run -o installed.jsonl --- "$targets/ends" 0
check "it runs from there" exited 0
check "with the runtime from there" lacks err 'not loaded'
run make -C "$root" BUILD="$build" PREFIX=/opt/coz DESTDIR="$work/stage" install
check "make install with DESTDIR" exited 0
check "it is in the stage" test -x stage/opt/coz/bin/coz
check "and nowhere else" test ! -e /opt/coz
finish
