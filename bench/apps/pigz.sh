# shellcheck shell=sh disable=SC2154,SC2086 # see run
# pigz with its own zopfli on 10 MB of generated text.
zopfli=pigz/zopfli/src/zopfli

# The distance of each match is kept when the best path is sought, so that its matches need not be sought again when it is
# followed, nor everything be hashed again for that.
keep_distances() {
    grep -q 'dists = ' $zopfli/squeeze.c ||
        sed -i -e '/^static double GetBestLengths(/,/^}/{
            s/^  size_t i = 0, k, kend;$/&\n  unsigned short* dists = length_array + blocksize + 1;/
            s/^\( *\)length_array\[j + ZOPFLI_MAX_MATCH\] = .*/&\n\1dists[j + ZOPFLI_MAX_MATCH] = 1;/
            s/^\( *\)length_array\[j + k\] = k;$/&\n\1dists[j + k] = sublen[k];/
        }' -e '/^static void FollowPath(/,/^}/{
            s/ZopfliHash \*h) {$/const unsigned short* dists) {/
            /^  ZopfliResetHash(/,/^  }$/d
            /^    ZopfliUpdateHash(/d
            /^      \/\* Get the distance /,/^      assert(!(dummy_length/c\
      dist = dists[pos + length - instart];
            /dummy_length/d
            /^    for (j = 1;/,/^    }$/d
        }' -e 's/^\(  FollowPath(.* store, \)h);$/\1length_array + (inend - instart) + 1);/
            s/malloc(sizeof(unsigned short) \* (blocksize + 1))/malloc(2 * sizeof(unsigned short) * (blocksize + 1))/
            ' $zopfli/squeeze.c
    [ "$(grep -c -e 'dists = ' -e 'dists\[[jp]' -e ' dists) {$' -e ' + 1);$' -e 'malloc(2 ' $zopfli/squeeze.c)" = 8 ] ||
        fail "the change does not fit into squeeze.c: is it a new version?"
}

build() {
    fetch pigz trixie
    fetch zlib
    [ -z "$changed" ] || keep_distances
    # The end of a block: it is compressed, and with the writer.
    insert pigz/pigz.c '1i #include <coz.h>
        s|^            // done with that one -- go find another job$|            COZ_PROGRESS_NAMED("block");\n&|'
    [ -e zlib/zlib.pc ] || (cd zlib && logged ./configure --static)
    logged make -C zlib libz.a
    logged make -C pigz CC=cc CFLAGS="$cflags -I../zlib" LDFLAGS=-L../zlib pigz
    cp pigz/pigz pigz.bin
    make_input 10
}

compress() { # COMMAND... : one run, its output hashed
    "$@" ./pigz.bin -11 -p2 -c input | sha256sum | cut -d ' ' -f 1
}

native() {
    once compress
}

profile() {
    again_and_again compress
}
