#!/bin/sh
# Progress points of other languages: each one's example is profiled, and its points and lines are in the profile. What has
# no compiler or interpreter here is left out, and that is said.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/../lib.sh"
bindings=$root/bindings
export PYTHONDONTWRITEBYTECODE=1 # nothing is generated among the sources

# passed PROFILE NAME: the throughput point was visited in a window.
# shellcheck disable=SC2317 # called by check
passed() {
    holds "$1" throughput-point "\"name\":\"$2\",\"delta\":[1-9]"
}
left_out() {
    echo "left out: $1"
}

# profile NAME POINT LATENCY PATTERN COMMAND...: until the profile has windows of the pattern's target with visits. Then it
# is told to end: not by SIGINT, which a shell has its background ignore.
profile() {
    profile=$1.jsonl
    point=$2
    target=$4
    language=$1
    latency=$3
    shift 4
    "$@" >out 2>err &
    profiling=$!
    # shellcheck disable=SC2016 # for eval
    await_that eval 'holds "$profile" experiment "$target" && passed "$profile" "$point" || has_ended $profiling'
    kill $profiling
    wait $profiling
    status=$?
    begin "$*"
    check "$language: ends when it is told to" test "$status" -eq 0 -o "$status" -eq 143
    check "$language: its line gets windows" holds "$profile" experiment "$target"
    check "$language: its point has visits" passed "$profile" "$point"
    check "$language: its latency is there" holds "$profile" latency-point "\"name\":\"$latency\",\"arrivals\":[1-9]"
    check "$language: the profile is sound" is_sound "$profile"
}

run "$targets/points"
check "C++, unprofiled" exited 0
its=$(line_of points.cpp "/* its line */")
profile cpp turn request "$its\"" "$coz" run -q -o cpp.jsonl --fixed-line "$its" --- "$targets/points" --until never

if command -v cargo >/dev/null && cargo --version >/dev/null 2>&1; then
    cp -R "$bindings/rust" rust
    (cd rust && cargo build -q --offline --release --example forkjoin) >out 2>err
    status=$?
    begin "cargo build"
    check "Rust: builds offline, without other crates" exited 0
    mkdir -p asks/src
    printf '[package]\nname = "asks"\nversion = "0.1.0"\nedition = "2018"\n[dependencies]\ncoz = "0.1"\n' >asks/Cargo.toml
    printf 'fn main() {\n    coz::thread_init();\n    coz::scope!("all");\n    coz::progress!();\n}\n' >asks/src/main.rs
    (cd asks && cargo build -q --offline --config "patch.crates-io.coz.path=\"$bindings/rust\"") >out 2>err
    status=$?
    begin "cargo build --config patch.crates-io"
    check "Rust: taken for the original's crate" exited 0
    run rust/target/release/examples/forkjoin 0.01
    check "Rust, unprofiled" says out '^[1-9][0-9]* rounds$'
    its=$(grep -n '// the work' rust/examples/forkjoin.rs | cut -d: -f1)
    profile rust round 'a round' "forkjoin.rs:$its\"" "$coz" run -q -o rust.jsonl --fixed-line "forkjoin.rs:$its" --- \
        rust/target/release/examples/forkjoin 3600
    check "Rust: a point without a name is called by its place" holds rust.jsonl throughput-point 'examples/forkjoin\.rs:[0-9]+"'
else
    left_out "Rust, there is no cargo"
fi

if command -v gfortran >/dev/null; then
    run gfortran -g -O2 -fopenmp -Wall -Werror "$bindings/fortran/coz.f90" "$bindings/fortran/steps.f90" -o fortran
    check "Fortran: compiles" exited 0
    run env OMP_NUM_THREADS=2 ./fortran 0
    check "Fortran, unprofiled" says out '^1 steps$'
    its=$(grep -n '! the sweep$' "$bindings/fortran/steps.f90" | cut -d: -f1)
    profile fortran step 'a step' "steps.f90:$its\"" "$coz" run -q -o fortran.jsonl --fixed-line "steps.f90:$its" --- ./fortran 3600
else
    left_out "Fortran, there is no gfortran"
fi

python=$(command -v python3)
# The interpreter itself: what stands in PATH may be a script.
python=$("$python" -c 'import sys; print(sys.executable)')
if "$python" -c 'import ctypes, zlib, hashlib' 2>/dev/null; then
    run "$python" "$bindings/python/forkjoin.py" 0.01
    check "Python, unprofiled" says out 'not profiled$'
    profile python round 'a round' '' "$coz" run -q -o python.jsonl -b MAIN -b '%lib%' --granularity function --- \
        "$python" "$bindings/python/forkjoin.py" 3600
else
    left_out "Python, its ctypes or zlib is missing"
fi

include=/usr/include/node
if command -v node >/dev/null && [ -e $include/node_api.h ]; then
    run cc -shared -fPIC -O2 -Wall -Werror -I$include "$bindings/node/coz.c" -o coz.node
    check "Node: compiles" exited 0
    COZ_NODE=$PWD/coz.node
    export COZ_NODE
    run node "$bindings/node/turns.js" 0.01
    check "Node, unprofiled" says out 'turns'
    run node -e "require('$PWD/coz.node').progress(7)"
    check "Node: a point needs a name" says err 'needs a name'
    profile node turn 'a turn' 'JS:long .*turns\.js' "$coz" run -q -o node.jsonl --granularity function --- \
        node --perf-basic-prof "$bindings/node/turns.js" 3600
else
    left_out "Node, its node_api.h is missing"
fi
finish
