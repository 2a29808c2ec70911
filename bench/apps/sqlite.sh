# shellcheck shell=sh disable=SC2154,SC2086 # see run
# sqlite3, as the amalgamation that its own build makes, under our driver.

build() {
    fetch sqlite3
    if [ ! -e sqlite3.o ]; then
        mkdir -p amalgamation
        (cd amalgamation && logged ../sqlite3/configure --disable-readline && logged make sqlite3.c)
        logged cc $cflags -DSQLITE_THREADSAFE=1 -DSQLITE_OMIT_LOAD_EXTENSION -c amalgamation/sqlite3.c -o sqlite3.o
    fi
    logged cc $cflags ${changed:+-DCHANGED} -D_GNU_SOURCE -Iamalgamation "$here/drivers/sqlite.c" sqlite3.o -o sqlite -pthread -lm
}

native() {
    drive "$native_seconds" native.result ./sqlite
}

profile() {
    drive "$seconds" profiled.result "$coz" run -o "$profile" --- ./sqlite
}
