#!/bin/sh
# Programs that are made for musl are profiled by a runtime of their own; what they execute of glibc's is left alone, and
# the other way round. Exit status 77: there is no compiler for musl here, or this build has no such runtime.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

command -v musl-gcc >/dev/null 2>&1 || exit 77
[ -e "$build/lib/musl/libcoz.so" ] || exit 77

# musl_program NAME SOURCE: with the kernel's headers, which musl-gcc comes without.
musl_program() {
    musl-gcc -std=gnu11 -D_GNU_SOURCE -O1 -g -I "$root/include" -I "$root/src" -I "$sources" \
        -idirafter "$build/src/runtime/kernel_headers" -o "$1" "$2"
}

cat >starts.c <<'END'
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts it twice: as a child, and in its own place. */
int main(int argc, char **argv)
{
    int status = -1;
    pid_t pid;
    if (argc < 2 || posix_spawnp(&pid, argv[1], NULL, NULL, argv + 1, environ) || waitpid(pid, &status, 0) != pid)
        return 1;
    printf("the child's status: %d\n", status);
    fflush(stdout);
    execvp(argv[1], argv + 1);
    return 2;
}
END
musl_program steps "$sources/steps.c"
musl_program starts starts.c
${CC:-cc} -o starts_of_glibc starts.c

run "$coz" run -q -o steps.jsonl --- ./steps --ms 1500
check "a program of musl's" exited 0
check "it runs as ever" says out '^done$'
check "its line is sampled" holds steps.jsonl samples '"location":"[^"]*steps.c:[0-9]+","count":[1-9]'
check "its point is passed" holds steps.jsonl throughput-point '"name":"round","delta":[1-9]'
check "the profile is sound" is_sound steps.jsonl

run "$coz" run -q -o to_glibc.jsonl --- ./starts echo here
check "it executes a program of glibc's" exited 0
check "which runs both times" test "$(grep -c '^here$' out)" = 2
check "and ends well" says out "^the child's status: 0$"
check "that is said" says err 'is made for glibc'
run "$coz" run -q -o to_musl.jsonl --- ./starts_of_glibc ./steps --ms 20
check "a program of glibc's executes one of musl's" exited 0
check "which runs both times" test "$(grep -c '^done$' out)" = 2
check "that is said" says err 'is made for musl'

for probe in handlers points ramps asleep absent; do
    musl_program "probe_$probe" "$sources/probes/probe_$probe.c"
    run timeout 600 "$tools/probe" "$build/lib/musl/libcoz.so" "./probe_$probe"
    check "probe_$probe" exited 0
done
finish
