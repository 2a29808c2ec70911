#!/bin/sh
# Debug information as compilers, linkers and packagers leave it: one small program built in each way, and the same lines
# demanded of all. What a tool here cannot do is left out, and said.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"

cat >inner.h <<'END'
static inline int leaf(int x)
{
    for (int i = 0; i < x; i++)
        x ^= x << 3 ^ i;
    return x;
}
END
cat >prog.c <<'END'
#include "inner.h"
int other(int x);
__attribute__((noinline)) int work(int x)
{
    int sum = leaf(x);
    if (sum & 1)
        sum += other(sum);
    return sum * leaf(sum + 3);
}
int main(int argc, char **argv)
{
    (void)argv;
    return work(argc);
}
END
cat >other.c <<'END'
__attribute__((noinline)) int other(int x)
{
    return x * 3;
}
END

# lines PROGRAM: what is to be the same: the lines, and the code of each. inner.h is out of scope, so that what was inlined
# from there counts for the calls, which only the tree of functions knows.
lines() {
    run "$coz" lines "$1" -s prog.c -s other.c
    check "$1: nothing is left out" test ! -s err
    sed "s|^$work/||" out >"$1.lines"
}

left_out() {
    echo "left out, no tool for it here: $1"
}

# Calls of inlined functions, and code of their own.
# shellcheck disable=SC2317 # called by check
has_lines() {
    for line in 5 8 "3 "; do
        grep -qE "^ *$line" "$1" || return 1
    done
}

built=0
for cc in gcc clang; do
    command -v $cc >/dev/null || {
        left_out $cc
        continue
    }
    # way NAME same|lines COMMAND: the command makes $cc-NAME. Where it changes the debug information only, the whole listing
    # must be that of $cc-5; else its lines.
    way() {
        program=$cc-$1
        what=$2
        rm -rf "${program:?}"
        if ! sh -ec "cc=$cc; out=$program; $3" >made 2>&1 || [ ! -s "$program" ]; then
            left_out "$program"
            return
        fi
        built=$((built + 1))
        lines "$program"
        if [ "$what" = same ]; then
            check "$program: as the plain one" cmp "$cc-5.lines" "$program.lines"
        else
            check "$program: its lines" has_lines "$program.lines"
        fi
    }
    # shellcheck disable=SC2016 # expanded by way
    {
        plain='$cc -O2 prog.c other.c -o $out'
        way 5 lines "$plain -gdwarf-5"
        for version in 2 3 4; do
            way $version same "$plain -gdwarf-$version"
        done
        way 64-bits same "$plain -gdwarf-5 -gdwarf64"
        way types same "$plain -gdwarf-4 -fdebug-types-section"
        way zlib same "$plain -gdwarf-5 -gz=zlib"
        way zlib-gnu same "$plain -gdwarf-5 && objcopy --compress-debug-sections=zlib-gnu \$out"
        way no-pie lines "$plain -g -no-pie -fno-pie"
        way sections lines "$plain -g -ffunction-sections -Wl,--gc-sections"
        way lto lines "$plain -g -flto"
        for version in 4 5; do
            way split-$version same "$plain -gdwarf-$version -gsplit-dwarf"
            package=dwp
            [ $version = 4 ] || package=llvm-dwp # binutils' dwp 2.40 crashes on DWARF 5
            way package-$version same "$plain -gdwarf-$version -gsplit-dwarf; $package -e \$out -o \$out.dwp; rm -f ./*.dwo"
        done
        apart='objcopy --only-keep-debug $out $out.debug && strip -g $out'
        way link same "$plain -gdwarf-5 -Wl,--build-id=none && $apart && objcopy --add-gnu-debuglink=\$out.debug \$out"
        way link-folder same "$plain -gdwarf-5 -Wl,--build-id=none && $apart && objcopy --add-gnu-debuglink=\$out.debug \$out &&
            mkdir -p .debug && mv \$out.debug .debug/"
        # Two programs, for what they have in common to be worth a file of its own.
        way dwz same "$plain -gdwarf-4 && cp \$out \$out.2 && dwz -m \$out.alt -M \$out.alt \$out \$out.2 &&
            readelf -S \$out | grep -q gnu_debugaltlink"
        way dwz-5 same "[ \$cc = gcc ] && $plain -gdwarf-5 && cp \$out \$out.2 && dwz -m \$out.alt -M \$out.alt \$out \$out.2 &&
            readelf -S \$out | grep -q gnu_debugaltlink"
    }
done
check "there was something to look at" test $built -gt 15

# Below folders like /usr/lib/debug: by build-id, and by name in a copy of the program's own folder. The second folder is
# taken where the first has nothing.
gcc -O2 -gdwarf-5 -Wl,--build-id prog.c other.c -o rooted
id=$(readelf -n rooted | sed -n 's/.*Build ID: //p')
if [ -n "$id" ]; then
    file=$(printf %.2s "$id")/${id#??}.debug
    objcopy --only-keep-debug rooted whole.debug
    strip -g rooted
    mkdir -p "ids/.build-id/${file%/*}" nothing "names$work" "wrong$work" "other/.build-id/${file%/*}"
    lines_below() { # FOLDERS
        run env COZ_DEBUG_FILE_DIRECTORY="$1" "$coz" lines rooted -s prog.c -s other.c
        sed "s|^$work/||" out >rooted.lines
    }
    lines_below "$work/ids"
    check "an empty folder of build-ids" test "$status" = 1
    cp whole.debug "ids/.build-id/$file"
    lines_below "$work/ids"
    check "a folder of build-ids: as the plain one" cmp gcc-5.lines rooted.lines
    lines_below "$work/nothing:$work/ids"
    check "the second of two folders" cmp gcc-5.lines rooted.lines
    run "$coz" lines rooted
    check "not without the variable" test "$status" = 1
    # What has another build-id is another program's.
    gcc -O2 -gdwarf-5 -Wl,--build-id other.c prog.c -o stranger
    objcopy --only-keep-debug stranger "other/.build-id/$file"
    lines_below "$work/other"
    check "a file with another build-id is not used" test "$status" = 1
    objcopy --add-gnu-debuglink=whole.debug rooted
    mv whole.debug "names$work/"
    lines_below "$work/names"
    check "by name, below a folder: as the plain one" cmp gcc-5.lines rooted.lines
    { cat "names$work/whole.debug" && printf x; } >"wrong$work/whole.debug"
    lines_below "$work/wrong"
    check "with another checksum it is not used" test "$status" = 1
    lines_below "$work/wrong:$work/names"
    check "but the next one is" cmp gcc-5.lines rooted.lines
    # What is profiled finds them too.
    run env COZ_DEBUG_FILE_DIRECTORY="$work/ids" "$coz" run -o rooted.jsonl --fixed-line prog.c:3 --- ./rooted
    check "coz run: the nearest line" says err 'the nearest line with code is .*prog\.c'
else
    left_out "build-ids"
fi

# A file that is not the one that belongs to the program, by its checksum.
if [ -s gcc-link ]; then
    printf x >>gcc-link.debug
    run "$coz" lines gcc-link
    check "a .gnu_debuglink with another checksum is not used" test "$status" = 1
fi

# debuginfod, from a folder: libdebuginfod takes such addresses too.
if ldconfig -p 2>/dev/null | grep -q libdebuginfod && gcc -O2 -gdwarf-5 -Wl,--build-id prog.c other.c -o served; then
    id=$(readelf -n served | sed -n 's/.*Build ID: //p')
    mkdir -p "server/buildid/$id"
    objcopy --only-keep-debug served "server/buildid/$id/debuginfo"
    strip -g served
    run "$coz" lines served
    check "without the variable nobody is asked" test "$status" = 1
    export DEBUGINFOD_URLS="file://$work/server" DEBUGINFOD_CACHE_PATH="$work/served-cache"
    lines served
    unset DEBUGINFOD_URLS
    check "debuginfod: as the plain one" cmp gcc-5.lines served.lines
else
    left_out debuginfod
fi

# A compression that libelf does not know must be called that.
if gcc -O2 -g prog.c other.c -o packed && objcopy --compress-debug-sections=zstd packed 2>/dev/null; then
    run "$coz" lines packed -s prog.c -s other.c
    if [ "$status" != 0 ]; then
        check "zstd, where libelf lacks it" grep -q "compressed" err
    else
        sed "s|^$work/||" out >packed.lines
        check "zstd" cmp gcc-5.lines packed.lines
    fi
else
    left_out zstd
fi

# Other languages: the lines of what was inlined, and of nested functions.
cat >prog.f90 <<'END'
program main
  real :: x(100)
  integer :: i
  call random_number(x)
  do i = 1, 100
    x(i) = twice(x(i))
  end do
  print *, sum(x)
contains
  real function twice(y)
    real :: y
    twice = y * 2 + sqrt(y)
  end function
end program
END
if gfortran -O2 -g prog.f90 -o fortran 2>made; then
    run "$coz" lines fortran
    check "Fortran: a contained function" grep -qE '^ +12 ' out
    check "Fortran: the program" grep -qE '^ +8 ' out
else
    left_out Fortran
fi
cat >prog.rs <<'END'
fn main() {
    let words: Vec<String> = std::env::args().collect();
    let sum: usize = words.iter()
        .map(|word| word.len() * 3)
        .sum();
    println!("{}", sum);
}
END
if rustc -O -g prog.rs -o rust 2>made; then
    run "$coz" lines rust -s prog.rs
    check "Rust: a closure" grep -qE '^ +4 ' out
    check "Rust: a call of the library" grep -qE '^ +6 ' out
else
    left_out Rust
fi

finish
