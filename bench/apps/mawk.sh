# shellcheck shell=sh disable=SC2154,SC2086 # see run
# mawk counts the words of 100 MB of generated text.

# The lists of a hash table get twice as long before there are twice as many of them, not twelve times.
shorten_lists() {
    sed -i -e 's/^\(#define MAX_AVE_LIST_LENGTH *\)12$/\12/' mawk/array.c
    grep -q '^#define MAX_AVE_LIST_LENGTH *2$' mawk/array.c ||
        fail "the change does not fit into array.c: is it a new version?"
}

build() {
    fetch mawk
    [ -z "$changed" ] || shorten_lists
    # A record is read.
    insert mawk/execute.c '1i #include <coz.h>
        /^\tcase OL_GL:$/,/^\tcase OL_GL_NR:$/ s/^\t\t    set_field0(p, len);$/&\n\t\t    COZ_PROGRESS_NAMED("record");/'
    [ -e mawk/Makefile ] || (cd mawk && logged ./configure CFLAGS="$cflags")
    logged make -C mawk mawk
    cp mawk/mawk mawk.bin
    cat >words.awk <<'EOF'
{ for (i = 1; i <= NF; i++) count[$i]++ }
END { for (word in count) { words++; sum += count[word] * count[word] }; printf "%d words, %.0f\n", words, sum }
EOF
    make_input
}

# count_words COMMAND...: one run, its output hashed.
count_words() {
    "$@" ./mawk.bin -f words.awk input | sha256sum | cut -d ' ' -f 1
}

native() {
    once count_words
}

profile() {
    again_and_again count_words
}
