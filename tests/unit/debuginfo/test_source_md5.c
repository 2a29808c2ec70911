/* What compilers tell of the sources' bytes: clang in DWARF 5 does, in DWARF 4 there is no room for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled.h"
#include "debuginfo/debuginfo.h"

struct found {
    size_t count;
    char of_program[MD5_HEX], of_header[MD5_HEX], of_other[MD5_HEX];
};

static void on_md5(void *context, const char *source, const uint8_t md5[MD5_BYTES])
{
    struct found *found = context;
    const char *name = strrchr(source, '/');
    char text[MD5_HEX];
    assert_non_null(name);
    assert_memory_equal(source, directory, strlen(directory)); /* as sites have it */
    md5_hex(md5, text);
    found->count++;
    memcpy(strcmp(name, "/prog.c") == 0    ? found->of_program
           : strcmp(name, "/inner.h") == 0 ? found->of_header
                                           : found->of_other,
           text, sizeof text);
}

static struct found ask(const char *program)
{
    struct found found = {0};
    const struct scope scope = {0};
    debuginfo_find_md5s(in_directory(program), &scope, on_md5, &found);
    return found;
}

/* Of a file as md5sum(1) has it. */
static void assert_md5_of(const char *name, const char *md5)
{
    char line[256] = "";
    assert_true(run("md5sum %s > sum", name));
    FILE *file = fopen(in_directory("sum"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(strncmp(line, md5, MD5_HEX - 1), 0);
}

static int make_sources(void **state)
{
    if (make_directory(state))
        return -1;
    write_file("inner.h", "static inline int leaf(int x)\n{\n    return x * 3;\n}\n");
    write_file("prog.c",
               "#include \"inner.h\"\nint other(int);\nint main(void)\n{\n    return other(leaf(1));\n}\n");
    write_file("other.c", "#include \"inner.h\"\nint other(int x)\n{\n    return leaf(x) + 1;\n}\n");
    return 0;
}

static void test_what_was_compiled(void **state)
{
    (void)state;
    if (!run("clang -gdwarf-5 -o prog prog.c ../$(basename $PWD)/other.c"))
        skip();
    struct found found = ask("prog");
    assert_int_equal(found.count, 3);
    assert_md5_of("prog.c", found.of_program);
    assert_md5_of("inner.h", found.of_header);
    assert_md5_of("other.c", found.of_other);
    assert_true(run("objcopy --only-keep-debug --compress-debug-sections prog prog.debug && "
                    "objcopy -g --add-gnu-debuglink=prog.debug prog"));
    found = ask("prog");
    assert_int_equal(found.count, 3);
    assert_md5_of("inner.h", found.of_header);
}

/* A header that was changed between two compilations is not one file. */
static void test_several(void **state)
{
    (void)state;
    if (!run("clang -gdwarf-5 -c prog.c && echo >> inner.h && clang -gdwarf-5 -c other.c && "
             "clang -o prog prog.o other.o"))
        skip();
    struct found found = ask("prog");
    assert_int_equal(found.count, 2);
    assert_string_equal(found.of_header, "");
}

static void test_nothing_is_told(void **state)
{
    (void)state;
    assert_int_equal(ask("missing").count, 0);
    assert_int_equal(ask("prog.c").count, 0);
    if (!compile(false, "-gdwarf-4 -o prog prog.c other.c"))
        skip();
    assert_int_equal(ask("prog").count, 0);
}

/* A table that is cut off says nothing beyond that. */
static void test_broken(void **state)
{
    (void)state;
    if (!run("clang -gdwarf-5 -o prog prog.c other.c && objcopy --dump-section .debug_line=line prog && "
             "head -c 40 line > cut && objcopy --update-section .debug_line=cut prog bad"))
        skip();
    assert_int_equal(ask("bad").count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_compiled),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_nothing_is_told),
        cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, make_sources, remove_directory);
}
