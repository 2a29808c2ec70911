# shellcheck shell=sh disable=SC2154,SC2086 # see run
# x264's library in C alone, as where there is no assembly for a machine, under our driver.

# Differences of blocks are left to the compiler's vectors, which x264 turns off for all of itself.
vectorize_differences() {
    grep -q tree-vectorize x264/common/pixel.c ||
        sed -i -e '/^#define PIXEL_SAD_C/,/^}$/s/^static int name(/__attribute__((optimize("tree-vectorize"))) &/' \
            x264/common/pixel.c
    [ "$(grep -c tree-vectorize x264/common/pixel.c)" = 1 ] ||
        fail "the change does not fit into pixel.c: is it a new version?"
}

build() {
    fetch x264
    [ -z "$changed" ] || vectorize_differences
    [ -e x264/config.mak ] || (cd x264 && logged ./configure --disable-asm --disable-opencl --disable-cli --enable-static \
        --bit-depth=8 --extra-cflags=-g)
    logged make -C x264 lib-static
    logged cc $cflags -D_GNU_SOURCE -Ix264 "$here/drivers/x264.c" x264/libx264.a -o x264.bin -pthread -lm
}

native() {
    drive "$native_seconds" native.result ./x264.bin
}

profile() {
    drive "$seconds" profiled.result "$coz" run -o "$profile" --- ./x264.bin
}
