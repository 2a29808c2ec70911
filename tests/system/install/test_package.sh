#!/bin/sh
# The packages hold what they should, may be moved, and other builds find what is in them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

# pack GENERATOR: makes that package here, of what is built.
pack() {
    run cpack --config "$build/CPackConfig.cmake" -G "$1" -B "$PWD"
    check "a package by $1" exited 0
}
version=$("$coz" --version | cut -d ' ' -f 2)
cat >expected <<'END'
bin/coz
include/coz.h
include/coz.hpp
lib/coz/preload/libcoz.so
share/bash-completion/completions/coz
share/cmake/coz-profiler/coz-profilerConfig.cmake
share/cmake/coz-profiler/coz-profilerConfigVersion.cmake
share/coz/bindings/fortran/coz.f90
share/coz/bindings/node/coz.c
share/coz/bindings/python/coz.py
share/coz/bindings/rust/Cargo.toml
share/coz/bindings/rust/src/lib.rs
share/doc/coz/README.md
share/doc/coz/docs/guide.md
share/doc/coz/examples/forkjoin.c
share/fish/vendor_completions.d/coz.fish
share/man/man1/coz-run.1.gz
share/man/man1/coz.1.gz
share/pkgconfig/coz.pc
END
# shellcheck disable=SC2317 # called by check
holds_all() { # LIST PREFIX
    while read -r file; do
        grep -qE "^(\./)?$2$file\$" "$1" || echo "$2$file is missing"
    done <expected >missing
    cat missing
    is_empty missing
}

pack TGZ
tarball=$(echo coz-"$version"-linux-*.tar.gz)
mkdir 'moved here'
run tar -C 'moved here' --strip-components 1 -xzf "$tarball"
check "it can be unpacked" exited 0
prefix="$PWD/moved here"
(cd "$prefix" && find . -type f) >list
check "it holds what it should" holds_all list ''
grep -rlF -e "$build" -e "$root" "$prefix/share" "$prefix/include" >named
check "no file of it names where it was built" is_empty named
run "$prefix/bin/coz" run -o moved.jsonl --- "$targets/ends" 0
check "it runs where it was moved to" exited 0
check "with the runtime from there" lacks err 'not loaded|neither in'

# A project of ten lines.
mkdir project
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(ten LANGUAGES C)
find_package(coz-profiler 0.9 REQUIRED)
add_executable(ten ten.c)
target_link_libraries(ten PRIVATE coz::coz)
add_custom_target(profile COMMAND coz::profiler run -o ten.jsonl --- $<TARGET_FILE:ten>)
END
cat >project/ten.c <<'END'
#include <coz.h>
int main(void)
{
    for (volatile int i = 0; i < 100; i++)
        COZ_PROGRESS_NAMED("ten");
}
END
run cmake -S project -B ten "-DCMAKE_PREFIX_PATH=$prefix"
check "find_package finds it" exited 0
run cmake --build ten
check "the project builds" exited 0
run cmake --build ten --target profile
check "its target profiles it" exited 0
check "in which the point was passed" lacks err 'no progress point'
check "and a profile is made" test -s ten/ten.jsonl
sed -i 's/coz-profiler 0.9/coz-profiler 99/' project/CMakeLists.txt
run cmake -S project -B ninety-nine "-DCMAKE_PREFIX_PATH=$prefix"
check "a later version is not found" test "$status" -ne 0
if command -v pkg-config >/dev/null; then
    PKG_CONFIG_PATH="$prefix/share/pkgconfig"
    export PKG_CONFIG_PATH
    check "pkg-config's version" test "$(pkg-config --modversion coz)" = "$version"
    eval "set -- $(pkg-config --cflags coz)"
    run cc "$@" -o by-pkg-config project/ten.c
    check "what pkg-config says compiles" exited 0
    check "it names the command" test -x "$(pkg-config --variable=coz coz | sed 's/\\//g')"
fi

if command -v dpkg-shlibdeps >/dev/null; then
    pack DEB
    package=$(echo coz_"$version"-1_*.deb)
    dpkg-deb --fsys-tarfile "$package" | tar -tf - >list
    check "the Debian package holds what it should" holds_all list usr/
    check "and the changelog" says list 'share/doc/coz/changelog\.Debian\.gz$'
    check "and nothing outside of /usr" test -z "$(grep -vE '^\./(usr/|$)' list)"
    run dpkg-deb --field "$package" Depends
    check "it depends on what it links with" says out 'libdw1.*libjansson4'
    if command -v lintian >/dev/null; then
        run lintian --fail-on error,warning --allow-root "$package"
        check "lintian has nothing to say" exited 0
    fi
fi
if command -v rpmbuild >/dev/null; then
    pack RPM
    run rpm -qlp "$(echo coz-"$version"-1.*.rpm)"
    check "the RPM package holds what it should" holds_all out /usr/
fi
finish
