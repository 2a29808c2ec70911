# shellcheck shell=sh disable=SC2154,SC2086 # see run
# ripgrep counts the lines that any of 39 words is in, of 1000 files, in two threads. The crates that it is made of come
# from Debian, too: those that its package was built of, and what cargo asks for besides.
more_crates="ahash getrandom hashbrown proc-macro2 quote serde-derive syn unicode-ident version-check winapi
    winapi-i686-pc-windows-gnu winapi-util winapi-x86-64-pc-windows-gnu"
registry=crates/usr/share/cargo/registry

# The packages hold the crates' sources, in the form that cargo calls a directory source. They are not installed.
fetch_crates() {
    # PCRE2, its second engine, would need more.
    built_of=$(apt-cache show ripgrep | sed -n 's/^X-Cargo-Built-Using: //p' | grep -o 'rust-[^ ]*' | grep -v pcre2 | sort -u)
    [ -n "$built_of" ] || fail "apt does not know its crates: is there an apt-get update to run?"
    mkdir -p packages
    names=$(printf 'lib%s-dev ' $built_of && printf 'librust-%s-dev ' $more_crates)
    (cd packages && logged apt-get -q download $names)
    for package in packages/*.deb; do
        logged dpkg -x "$package" crates.new
    done
    mv crates.new crates
}

# Of the words it looks for, those that begin alike share a bucket, and not any that come after each other: at fewer places
# does one of a bucket seem to be.
sort_into_buckets() {
    compile=$(echo $registry/aho-corasick-*/src/packed/teddy/compile.rs)
    sed -i -e 's/- (id as usize % self.buckets.len())/- (lonybs[0] as usize % self.buckets.len())/' "$compile"
    grep -q 'lonybs\[0\] as usize' "$compile" || fail "the change does not fit into compile.rs: is it a new version?"
}

build() {
    fetch rust-ripgrep
    [ -e crates ] || fetch_crates
    [ -z "$changed" ] || sort_into_buckets
    # Without what its tests need, features that Debian's crates do not have, and versions that are not Debian's.
    grep -q dependencies.coz rust-ripgrep/Cargo.toml || {
        rm -f rust-ripgrep/Cargo.lock
        sed -i -e '/^\[dev-dependencies/,/^version/d' -e '/^\[\[test/,/^path/d' -e '/^simd-accel/d' -e '/^pcre2 =/d' \
            -e "/^\[dependencies.bstr\]/i [dependencies.coz]\npath = \"$top/bindings/rust\"\n" rust-ripgrep/Cargo.toml
    }
    # A file has been searched.
    insert rust-ripgrep/crates/core/main.rs '/^fn search_parallel/,/^}/ s/^            if matched.load(SeqCst) && /\
            coz::progress!("file"); \/\/ COZ_PROGRESS\n&/'
    mkdir -p home
    cat >home/config.toml <<END
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "$work/$registry"
END
    # Debian's compiler, where there is another one, too: its crates are made for it.
    (cd rust-ripgrep && logged env PATH="/usr/bin:$PATH" CARGO_HOME="$work/home" cargo build --offline --release)
    cp rust-ripgrep/target/release/rg ripgrep.bin
    make_input
    [ -e input.d ] || {
        mkdir -p input.new
        split -a 4 -d -C 100000 input input.new/
        mv input.new input.d
    }
    tr ' ' '\n' <input | head -n 40 | sort -u >words
}

# count_lines COMMAND...: one run, its output hashed. Files come in any order, and whatever is said of one must be the same
# each time.
count_lines() {
    "$@" ./ripgrep.bin --no-config -u -j2 -c -f words $trees | sort -u | sha256sum | cut -d ' ' -f 1
}

native() {
    trees=input.d
    once count_lines
}

# Once takes a third of a second.
profile() {
    trees=$(yes input.d | head -n 20)
    again_and_again count_lines
}
