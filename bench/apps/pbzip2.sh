# shellcheck shell=sh disable=SC2154,SC2086 # see run
# pbzip2 on 100 MB of generated text, with a libbz2 that has debug information. Blocks of 100 kB, not 900: nine times
# as many visits of the progress point in the same time.

# Where two suffixes of a block are compared, the first eight bytes at once, and not one by one.
compare_words() {
    grep -q bswap64 bzip2/blocksort.c ||
        sed -i -e '/^Bool mainGtU/,/^}/{/^   \/\* 1 \*\/$/,/^   \/\* 9 \*\/$/c\
   unsigned long long word1, word2;\
   memcpy(\&word1, block + i1, sizeof word1);\
   memcpy(\&word2, block + i2, sizeof word2);\
   if (word1 != word2)\
      return __builtin_bswap64(word1) > __builtin_bswap64(word2);\
   i1 += sizeof word1;\
   i2 += sizeof word2;
        }' -e '1i #include <string.h>' bzip2/blocksort.c
    [ "$(grep -c bswap64 bzip2/blocksort.c)" = 1 ] || fail "the change does not fit into blocksort.c: is it a new version?"
}

build() {
    fetch bzip2
    fetch pbzip2
    [ -z "$changed" ] || compare_words
    for source in blocksort huffman crctable randtable compress decompress bzlib; do
        [ -e "$source.o" ] || logged cc $cflags -D_FILE_OFFSET_BITS=64 -c "bzip2/$source.c" -o "$source.o"
    done
    # The end of a block: the thread that compressed it has handed it to the writer.
    insert pbzip2/pbzip2.cpp '1i #include <coz.h>
        /^void \*consumer (void \*q)/,/^}/ s/^\t\tdelete fileData;$/&\n\t\tCOZ_PROGRESS_NAMED("block");/'
    for source in pbzip2 BZ2StreamScanner ErrorContext; do
        logged c++ $cflags -w -D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION -Ibzip2 -pthread \
            -c "pbzip2/$source.cpp" -o "$source.o"
    done
    logged c++ -pthread ./*.o -o pbzip2.bin
    make_input
}

compress() { # COMMAND... : one run, its output hashed
    rm -f input.bz2
    "$@" ./pbzip2.bin -q -k -p2 -b1 -1 input
    sha256sum <input.bz2 | cut -d ' ' -f 1
}

native() {
    once compress
}

profile() {
    again_and_again compress
}
