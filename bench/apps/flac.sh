# shellcheck shell=sh disable=SC2154,SC2086 # see run
# libFLAC in C alone, as where there is no assembly for a machine, under our driver.

# Bits are gathered in 64, and the first 32 of them stored whether they are full or not: no branch asks, which nobody could
# foretell.
write_words() {
    grep -q 'wide = ' flac/src/libFLAC/bitwriter.c ||
        sed -i -e '/^FLAC__bool FLAC__bitwriter_write_rice_signed_block/,/^}/{/^\t\tif(bw->bits && /,/^\t\t}$/c\
\t\tif(total_bits <= 32 \&\& bw->words < bw->capacity) {\
\t\t\tFLAC__uint64 wide = (FLAC__uint64)bw->accum << total_bits | ((uval | mask1) \& mask2);\
\t\t\tuint32_t bits = bw->bits + total_bits;\
\t\t\tbw->buffer[bw->words] = SWAP_BE_WORD_TO_HOST((bwword)(wide << (64 - bits) >> 32));\
\t\t\tbw->words += bits / 32;\
\t\t\tbw->bits = bits % 32;\
\t\t\tbw->accum = (bwword)wide;\
\t\t}
        }' flac/src/libFLAC/bitwriter.c
    [ "$(grep -c 'wide = ' flac/src/libFLAC/bitwriter.c)" = 1 ] ||
        fail "the change does not fit into bitwriter.c: is it a new version?"
}

build() {
    fetch flac
    [ -z "$changed" ] || write_words
    [ -e flac/config.h ] || (cd flac && logged ./configure --disable-asm-optimizations --disable-ogg --disable-programs \
        --disable-examples --disable-cpplibs --disable-doxygen-docs --disable-shared --enable-static CFLAGS=-g)
    # What the package lists as made anew, by tools that need not be there, is there.
    logged make -C flac/src/libFLAC ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=:
    logged cc $cflags -D_GNU_SOURCE -Iflac/include "$here/drivers/flac.c" flac/src/libFLAC/.libs/libFLAC-static.a -o flac.bin \
        -pthread -lm
}

native() {
    drive "$native_seconds" native.result ./flac.bin
}

profile() {
    drive "$seconds" profiled.result "$coz" run -o "$profile" --- ./flac.bin
}
