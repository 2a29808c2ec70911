/* Sites against addr2line, on programs compiled here; unwind rows against backtrace(), on this very program.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiled.h"
#include "debuginfo/debuginfo.h"

/* Inlining over two levels and two files, with code after the call so that ranges are split; inner.h is out
 * of scope when the pattern is "prog.c". The first function is prog.c's own to keep clear of a fault of
 * addr2line, see below. */
static const char inner_h[] = "static inline int leaf(int x)\n{\n    for (int i = 0; i < x; i++)\n"
                              "        x ^= x << 3 ^ i;\n    return x;\n}\n"
                              "static inline int middle(int x)\n{\n    int y = leaf(x + 1);\n"
                              "    return y > 7 ? leaf(y) : y - leaf(x * 5);\n}\n";
static const char prog_c[] =
    "int first(int x)\n{\n    return x + 1;\n}\n#include \"inner.h\"\n#include <stdio.h>\n"
    "static inline int own(int x)\n{\n    return middle(x) +\n        leaf(x);\n}\n"
    "__attribute__((noinline)) int work(int x)\n{\n    int sum = own(x);\n"
    "    if (sum & 1)\n        sum += middle(sum);\n    return sum * own(sum);\n}\n"
    "extern int other(int x);\n"
    "int main(int argc, char **argv)\n{\n    (void)argv;\n"
    "    printf(\"%d\\n\", other(work(argc)));\n    return 0;\n}\n";
static const char other_c[] = "int other(int x)\n{\n    return x * 3;\n}\n";

static const char *compiler(void)
{
    const char *name = getenv("CC");
    return name && *name ? name : "cc";
}

static bool compile_prog(const char *options)
{
    char arguments[1024];
    snprintf(arguments, sizeof arguments, "%s -o prog prog.c other.c", options);
    return compile(false, arguments);
}

static int make_sources(void **state)
{
    if (make_directory(state))
        return -1;
    write_file("inner.h", inner_h);
    write_file("prog.c", prog_c);
    write_file("other.c", other_c);
    return 0;
}

struct loaded {
    struct site_set sites;
    struct debuginfo info;
    struct coz_error error;
    int result;
};

/* Loads the program of that name, with the sources of one pattern in scope, or the default ones. */
static void load(struct loaded *loaded, const char *name, const char *pattern)
{
    const struct scope scope = {.sources = &pattern, .source_count = pattern ? 1 : 0};
    memset(loaded, 0, sizeof *loaded);
    site_set_init(&loaded->sites, 0);
    loaded->result =
        debuginfo_load_sites(in_directory(name), &scope, &loaded->sites, &loaded->info, &loaded->error);
}

static void release(struct loaded *loaded)
{
    debuginfo_release(&loaded->info);
    site_set_release(&loaded->sites);
}

static const char *site_at(const struct loaded *loaded, unsigned long address, char *buffer, size_t size)
{
    for (size_t i = 0; i < loaded->info.row_count; i++) {
        const struct site_row *row = &loaded->info.rows[i];
        if (address >= row->start && address < row->end)
            return site_name(&loaded->sites, row->site, buffer, size);
    }
    return strcpy(buffer, "");
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Compares every byte of the code with what the command prints as the innermost line in a file called scope.
 */
static void compare(const struct loaded *loaded, const char *command, const char *scope)
{
    char line[512], expected[512] = "", found[512], suffix[64];
    uint32_t end = loaded->info.rows[loaded->info.row_count - 1].end;
    snprintf(suffix, sizeof suffix, "/%s:", scope);
    FILE *list = fopen(in_directory("addresses"), "w");
    assert_non_null(list);
    for (uint32_t at = loaded->info.rows[0].start; at < end; at++)
        fprintf(list, "%#x\n", (unsigned)at);
    fclose(list);
    assert_true(run("%s -a -i -e prog < addresses > answers", command));
    FILE *answers = fopen(in_directory("answers"), "r");
    assert_non_null(answers);
    unsigned long address = 0;
    for (bool more = true; more;) {
        more = fgets(line, sizeof line, answers);
        if (!more || strncmp(line, "0x", 2) == 0) {
            if (address)
                assert_string_equal(base_name(site_at(loaded, address, found, sizeof found)), expected);
            address = more ? strtoul(line, NULL, 16) : 0;
            expected[0] = '\0';
            continue;
        }
        line[strcspn(line, " \n")] = '\0'; /* " (discriminator 1)" */
        const char *match = strstr(line, suffix);
        if (match && !expected[0] && match[strlen(suffix)] != '?' && strcmp(match + strlen(suffix), "0") != 0)
            strcpy(expected, match + 1);
    }
    fclose(answers);
}

/* addr2line (2.40) takes file 0 for file 1 in the first rows of DWARF 5, which is wrong with LTO, where file
 * 0 is "<artificial>"; and it loses inlined subroutines with several ranges in clang's DWARF 5. */
static bool addr2line_knows(const char *options)
{
    return !strstr(options, "-gdwarf-5") ||
           (!strstr(options, "-flto") && !run("%s --version | grep clang", compiler()));
}

static void test_sites(void **state)
{
    static const char *const kinds[] = {
        "-O0", "-O2", "-O2 -fno-pie -no-pie", "-O3 -ffunction-sections", "-O2 -gz", "-O2 -flto"};
    static const char *const scopes[] = {"prog.c", "inner.h"};
    struct loaded loaded;
    char options[64];
    (void)state;
    bool addr2line = run("addr2line --version"), llvm = run("llvm-symbolizer --version");
    if (!(addr2line || llvm) || !compile_prog("-g"))
        skip();
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        snprintf(options, sizeof options, "-gdwarf-%d %s", (int)(4 + i % 2), kinds[i / 2]);
        if (!compile_prog(options))
            continue; /* no LTO or no compression here */
        for (size_t j = 0; j < 2; j++) {
            load(&loaded, "prog", scopes[j]);
            assert_int_equal(loaded.result, 0);
            assert_int_equal(loaded.info.status, DEBUGINFO_OK);
            assert_string_equal(loaded.info.warnings, "");
            for (size_t k = 1; k < loaded.info.row_count; k++)
                assert_true(loaded.info.rows[k - 1].end <= loaded.info.rows[k].start);
            if (addr2line && addr2line_knows(options))
                compare(&loaded, "addr2line", scopes[j]);
            if (llvm)
                compare(&loaded, "llvm-symbolizer --output-style=GNU -f=none", scopes[j]);
            release(&loaded);
        }
    }
}

static void test_status(void **state)
{
    struct loaded loaded;
    (void)state;
    if (!compile_prog(""))
        skip();
    load(&loaded, "prog", "prog.c");
    assert_int_equal(loaded.result, 0);
    assert_int_equal(loaded.info.status, DEBUGINFO_NO_LINES);
    release(&loaded);
    assert_true(compile_prog("-g"));
    load(&loaded, "prog", "nowhere.c");
    assert_int_equal(loaded.info.status, DEBUGINFO_OUT_OF_SCOPE);
    assert_int_equal(loaded.sites.count, 1);
    assert_int_equal(loaded.info.source_count, 2); /* the units' main files */
    release(&loaded);
}

static void test_errors(void **state)
{
    struct loaded loaded;
    (void)state;
    load(&loaded, "missing", NULL);
    assert_int_equal(loaded.result, -ENOENT);
    assert_non_null(strstr(loaded.error.text, "/missing"));
    release(&loaded);
    static const char *const not_elf[] = {"prog.c", ".", "empty", "short"};
    write_file("empty", "");
    write_file("short", "\177ELF\2\1\1");
    for (size_t i = 0; i < sizeof not_elf / sizeof *not_elf; i++) {
        load(&loaded, not_elf[i], NULL);
        assert_int_equal(loaded.result, -ENOEXEC);
        release(&loaded);
    }
}

static void test_separate_file(void **state)
{
    struct loaded loaded;
    (void)state;
    if (!compile_prog("-g -O2 -Wl,--build-id=none") ||
        !run("objcopy --only-keep-debug prog prog.debug && objcopy -g --add-gnu-debuglink=prog.debug prog"))
        skip();
    load(&loaded, "prog", NULL);
    assert_int_equal(loaded.info.status, DEBUGINFO_OK);
    uint32_t id = site_find(&loaded.sites, "other.c:3", NULL);
    assert_int_not_equal(id, 0);
    release(&loaded);
}

/* A line table of a version that nobody knows takes its own unit down, nothing else. */
static void test_bad_unit(void **state)
{
    struct loaded loaded;
    (void)state;
    if (!compile_prog("-g") || !run("objcopy --dump-section .debug_line=line prog && "
                                    "printf '\\143' | dd of=line bs=1 seek=4 conv=notrunc && "
                                    "objcopy --update-section .debug_line=line prog bad"))
        skip();
    load(&loaded, "bad", NULL);
    assert_int_equal(loaded.result, 0);
    assert_int_equal(loaded.info.status, DEBUGINFO_OK);
    assert_int_not_equal(site_find(&loaded.sites, "other.c:3", NULL), 0);
    assert_non_null(strstr(loaded.info.warnings, "prog.c"));
    assert_null(strstr(loaded.info.warnings, "other.c"));
    release(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sites),         cmocka_unit_test(test_status),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_separate_file), cmocka_unit_test(test_bad_unit),

    };
    return cmocka_run_group_tests(tests, make_sources, remove_directory);
}
