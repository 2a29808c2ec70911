#!/bin/sh
# libcoz.so needs libc and nothing else, and only what is written down here; it exports its hooks and the look-up
# functions of coz.h, and nothing else.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

runtime=$build/lib/libcoz.so
objects=$build/src/runtime/CMakeFiles/libcoz.dir
newest=2.34 # of glibc: what Debian 12 and Ubuntu 22.04 have

run readelf -dW "$runtime"
grep -F '(NEEDED)' out | grep -vE '\[(libc\.so\.6|ld-linux-x86-64\.so\.2)\]' >others
check "no library but libc" is_empty others

# Exports: the list of hooks, and coz.h's.
{
    sed -n 's/^ *HOOK([A-Za-z_]*\( \*\)*, \([A-Za-z_0-9]*\),.*/\2/p' "$root/src/runtime/real/list.h"
    printf '%s\n' _coz_get_counter _coz_visit _coz_visit_id _coz_add_delays _coz_pre_block _coz_post_block
    printf '%s\n' _coz_region _coz_region_begin _coz_region_end
} | sort >expected
run nm -D --defined-only "$runtime"
awk '{ print $3 }' out | sort >exported
check "the list of hooks could be read" test "$(wc -l <expected)" -gt 20
check "exports are the hooks" same expected exported

# What it may use. In particular: no allocation but one for each thread, no stdio, no exit, no thread of its own.
tr ' ' '\n' >allowed <<'END'
__errno_location __pthread_register_cancel __pthread_unregister_cancel __pthread_unwind_next __sigsetjmp
_ITM_deregisterTMCloneTable _ITM_registerTMCloneTable __cxa_finalize __gmon_start__
clock_gettime getauxval getenv getgid getpid getppid gettid getuid prctl nanosleep pthread_self sched_getcpu syscall
open close fileno fcntl fstat pread readlink realpath mmap munmap
sigaddset sigdelset sigemptyset sigismember __libc_current_sigrtmax __libc_current_sigrtmin
dlsym dl_iterate_phdr __libc_single_threaded
malloc free
memcpy memset memmove memcmp strchr strcmp strcpy strcspn strlen strncmp strncpy strerror strtol
__environ environ gnu_get_libc_version
pthread_attr_getstack pthread_attr_setstacksize pthread_mutex_init pthread_mutex_destroy pthread_mutexattr_init pthread_mutexattr_setrobust pthread_mutexattr_destroy
snprintf dprintf
END
run nm -D --undefined-only "$runtime"
awk '{ print $2 }' out | sed 's/@.*//' | sort >used
sort allowed | comm -13 - used >others
check "uses only what is allowed" is_empty others
awk '{ print $2 }' out | sed -n 's/.*@GLIBC_//p' | sort -uV >versions
check "needs no newer libc than $newest" test "$(tail -n 1 versions)" = \
    "$({ tail -n 1 versions; echo $newest; } | sort -V | head -n 1)"
find "$objects" -name '*.o' >all_objects
check "objects could be found" test "$(wc -l <all_objects)" -gt 40
xargs nm -A --undefined-only <all_objects | grep -E ' (malloc|calloc|realloc|free)$' | grep -v '/hooks/thread\.c\.o:' >others
check "allocates only where threads begin" is_empty others

# What a handler runs is made of async-signal-safe calls. (sched_getcpu reads what the kernel wrote for the thread, or asks
# it: it has no lock and no state. __udivti3 is the compiler's own division.)
tr ' ' '\n' >allowed <<'END'
__errno_location clock_gettime getpid gettid prctl sched_getcpu sigaddset sigdelset sigemptyset sigismember syscall
__libc_current_sigrtmax __libc_current_sigrtmin memcpy memset strlen strncpy _GLOBAL_OFFSET_TABLE_ __udivti3
END
: >used
for part in thread/handlers thread/sample thread/give_way thread/budget core/tables core/message ledger/ledger ledger/pause ledger/ramp ledger/runqueue ledger/shares \
    ledger/stretch clock/instant clock/queued core/descriptors sampling/choice sampling/clock sampling/locate sampling/own_name sampling/perf \
    sampling/sampled_points sampling/spinning sampling/timer sampling/unwind; do
    check "there is $part" test -e "$objects/$part.c.o"
    nm --undefined-only "$objects/$part.c.o" | awk '{ print $2 }' >>used
done
sort -u used >used_sorted
xargs nm --defined-only <all_objects | awk 'NF == 3 { print $3 }' >own
sort allowed own | uniq | comm -13 - used_sorted >others
check "handlers call only what is async-signal-safe, and no cancellation point" is_empty others
finish
