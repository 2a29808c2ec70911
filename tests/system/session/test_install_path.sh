#!/bin/sh
# An installation whose path the dynamic linker would take for several names.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

links() {
    find /tmp -maxdepth 2 -path '/tmp/coz-runtime.*' -lname "$PWD/*" 2>/dev/null
}

for folder in 'my tools' 'a:b'; do
    mkdir -p "$folder/bin" "$folder/lib"
    cp "$coz" "$folder/bin/coz"
    cp "$build/lib/libcoz.so" "$folder/lib"
    run "$folder/bin/coz" run --verbose --- "$targets/short" 5 wait
    check "in '$folder': status" exited 0
    check "in '$folder': the program and what it executes" says err ' threads in ([6-9]|1[0-9]) processes'
    check "in '$folder': no word of the dynamic linker's" lacks err 'ld\.so'
    check "in '$folder': the link is gone" test -z "$(links)"
done
finish
