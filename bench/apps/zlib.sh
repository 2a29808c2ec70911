# shellcheck shell=sh disable=SC2154,SC2086 # see run
# zlib under our driver.

# Where two strings are compared, two bytes at once to see whether it is worth it, and then eight, not one by one.
compare_words() {
    grep -q ctzll zlib/deflate.c ||
        sed -i -e '/^local uInt longest_match(s, cur_match)/,/^#else \/\* FASTEST \*\/$/{
            /^        if (match\[best_len\] /,/continue;$/c\
        if (*(ushf *)(match + best_len - 1) != *(ushf *)(scan + best_len - 1) ||\
            *(ushf *)match != *(ushf *)scan) continue;
            /^        scan += 2, match++;$/,/^        scan = strend - MAX_MATCH;$/c\
        for (len = 2; len < MAX_MATCH; len += 8) {\
            unsigned long long word1, word2;\
            memcpy(\&word1, scan + len, sizeof word1);\
            memcpy(\&word2, match + len, sizeof word2);\
            if (word1 != word2) {\
                len += __builtin_ctzll(word1 ^ word2) / 8;\
                break;\
            }\
        }
        }' zlib/deflate.c
    [ "$(grep -c -e ctzll -e 'ushf \*)match != ' zlib/deflate.c)" = 2 ] ||
        fail "the change does not fit into deflate.c: is it a new version?"
}

build() {
    fetch zlib
    [ -z "$changed" ] || compare_words
    [ -e zlib/zlib.pc ] || (cd zlib && CFLAGS="-g -O3" logged ./configure --static)
    logged make -C zlib libz.a
    logged cc $cflags -Izlib "$here/drivers/zlib.c" zlib/libz.a -o zlib.bin -pthread
}

native() {
    drive "$native_seconds" native.result ./zlib.bin
}

profile() {
    drive "$seconds" profiled.result "$coz" run -o "$profile" --- ./zlib.bin
}
