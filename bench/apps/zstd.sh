# shellcheck shell=sh disable=SC2154,SC2086 # see run
# zstd -1 with two workers on 100 MB of generated text, cut where the text says so (--rsyncable).

# Where to cut is looked for by a hash that goes over the input byte by byte. Each waited for the one before: a
# multiplication and two sums. Two at once are a product with the square, and what both bring is known beforehand.
roll_by_twos() {
    grep -q roll_two libzstd/lib/compress/zstdmt_compress.c ||
        sed -i -e '/^findSynchronizationPoint(/,/^}/ s/^    for (; pos < syncPoint.toLoad; ++pos) {$/&\
        if (pos >= RSYNC_LENGTH) {\
            pos += roll_two(istart + pos, syncPoint.toLoad - pos, primePower * prime8bytes, hitMask, \&hash);\
            if (pos == syncPoint.toLoad) break;\
        }/' -e '/^static syncPoint_t$/i\
/* Goes on by two bytes, until one of the next two is a hit. Returns how far it got. */\
static size_t roll_two(const BYTE* in, size_t length, U64 leaving, U64 hitMask, U64* hash)\
{\
    U64 now = *hash;\
    size_t pos;\
    for (pos = 0; pos + 2 <= length; pos += 2) {\
        const BYTE* const out = in + pos - RSYNC_LENGTH;\
        U64 const first = in[pos] + ZSTD_ROLL_HASH_CHAR_OFFSET - (out[0] + ZSTD_ROLL_HASH_CHAR_OFFSET) * leaving;\
        U64 const second = in[pos + 1] + ZSTD_ROLL_HASH_CHAR_OFFSET - (out[1] + ZSTD_ROLL_HASH_CHAR_OFFSET) * leaving;\
        U64 const one = now * prime8bytes + first;\
        U64 const two = now * (prime8bytes * prime8bytes) + (first * prime8bytes + second);\
        if (((one \& hitMask) == hitMask) | ((two \& hitMask) == hitMask)) break;\
        now = two;\
    }\
    *hash = now;\
    return pos;\
}\
' libzstd/lib/compress/zstdmt_compress.c
    [ "$(grep -c roll_two libzstd/lib/compress/zstdmt_compress.c)" = 2 ] ||
        fail "the change does not fit into zstdmt_compress.c: is it a new version?"
}

build() {
    fetch libzstd
    [ -z "$changed" ] || roll_by_twos
    # A job is compressed.
    insert libzstd/lib/compress/zstdmt_compress.c '1i #include <coz.h>
        /^_endJob:$/,/^}/ s/^    ZSTD_pthread_mutex_unlock(&job->job_mutex);$/&\n    COZ_PROGRESS_NAMED("job");/'
    logged make -C libzstd/programs zstd-release CFLAGS="$cflags" HAVE_LZMA=0 HAVE_LZ4=0 HAVE_ZLIB=0
    cp libzstd/programs/zstd zstd.bin
    make_input
}

compress() { # COMMAND... : one run, its output hashed
    "$@" ./zstd.bin -q -1 -T2 --rsyncable -c input | sha256sum | cut -d ' ' -f 1
}

native() {
    once compress
}

profile() {
    again_and_again compress
}
