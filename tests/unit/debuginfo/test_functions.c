/* Functions of programs compiled here: by debug information, against llvm-symbolizer or addr2line, and by
 * symbols. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>

#include "compiled.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/names/function_name.h"
#include "debuginfo/stack_read.h"
#include "debuginfo/stacks/stack_table.h"

/* Two functions of the same name, one in each file; a function inlined into two; one that calls itself. */
static const char c_source[] =
    "#include <stdio.h>\n"
    "#include \"inner.h\"\n"
    "int other(int x);\n"
    "static inline int twice(int x)\n{\n    return leaf(x) + leaf(x + 1);\n}\n"
    "__attribute__((noinline)) static int helper(int x)\n{\n    return twice(x) * 3;\n}\n"
    "__attribute__((noinline)) int again(int x)\n{\n    return x > 1 ? again(x - 1) * again(x - 2) + 1 : "
    "x;\n}\n"
    "int main(int argc, char **argv)\n{\n    (void)argv;\n"
    "    printf(\"%d\\n\", helper(argc) + twice(argc) + other(argc) + again(argc));\n    return 0;\n}\n";
static const char inner_h[] = "static inline int leaf(int x)\n{\n    for (int i = 0; i < x; i++)\n"
                              "        x ^= x << 3 ^ i;\n    return x;\n}\n";
static const char other_c[] =
    "__attribute__((noinline)) static int helper(int x)\n{\n    return x * 3 + 1;\n}\n"
    "int other(int x)\n{\n    return helper(x) ^ helper(x + 1);\n}\n";
static const char cxx_source[] =
    "#include <algorithm>\n#include <vector>\n#include <cstdio>\n"
    "namespace shapes {\n"
    "template <class T> struct Stack {\n    std::vector<T> items;\n"
    "    __attribute__((noinline)) void push(T item)\n    {\n        items.push_back(item);\n"
    "        std::sort(items.begin(), items.end());\n    }\n};\n"
    "namespace {\n__attribute__((noinline)) int hidden(int x)\n{\n    return x * 7 ^ x;\n}\n}\n"
    "int use(int x)\n{\n    Stack<int> whole;\n    Stack<double> real;\n"
    "    for (int i = 0; i < x; i++) {\n        whole.push(hidden(i));\n        real.push(i / 3.0);\n    }\n"
    "    return whole.items[0] + (int)real.items[0];\n}\n}\n"
    "int main(int argc, char **)\n{\n    std::printf(\"%d\\n\", shapes::use(argc * 10));\n}\n";

static int make_sources(void **state)
{
    if (make_directory(state))
        return -1;
    write_file("prog.c", c_source);
    write_file("inner.h", inner_h);
    write_file("other.c", other_c);
    write_file("prog.cpp", cxx_source);
    return 0;
}

struct loaded {
    struct site_set sites;
    struct debuginfo info;
};

static void load_as(struct loaded *loaded, const char *name, const char *pattern,
                    struct debuginfo_options options)
{
    const struct scope scope = {.sources = &pattern, .source_count = pattern ? 1 : 0};
    struct coz_error error;
    memset(loaded, 0, sizeof *loaded);
    site_set_init(&loaded->sites, 0);
    assert_int_equal(
        debuginfo_load_sites_as(in_directory(name), &scope, options, &loaded->sites, &loaded->info, &error),
        0);
    for (size_t i = 0; i < loaded->info.row_count; i++) {
        const struct site_row *row = &loaded->info.rows[i];
        assert_true(row->start < row->end && row->site && row->site < loaded->info.node_count);
        assert_true(i == 0 || loaded->info.rows[i - 1].end <= row->start);
    }
}

static void load(struct loaded *loaded, const char *name, const char *pattern)
{
    load_as(loaded, name, pattern, (struct debuginfo_options){.granularity = GRANULARITY_FUNCTION});
}

static void release(struct loaded *loaded)
{
    debuginfo_release(&loaded->info);
    site_set_release(&loaded->sites);
}

static bool has(const struct loaded *loaded, const char *name)
{
    uint32_t id;
    size_t nearest;
    char text[2000];
    return site_find_functions(&loaded->sites, name, &id, 1, &nearest) >= 1 &&
           strcmp(site_name(&loaded->sites, id, text, sizeof text), name) == 0;
}

/* Where the function has code, its first piece. */
static struct site_row row_of(const struct loaded *loaded, const char *name)
{
    for (size_t i = 0; i < loaded->info.row_count; i++) {
        struct site_row row = loaded->info.rows[i];
        if (strcmp(loaded->sites.sites[loaded->info.nodes[row.site].site].file, name) == 0)
            return row;
    }
    fail_msg("%s has no code", name);
    return (struct site_row){0};
}

static size_t functions(const struct loaded *loaded)
{
    return loaded->sites.count - 1;
}

/* Compilers give functions of one file only no symbol: what is around them is found in the tree. */
static void long_surroundings_are_not_cut_short(void **state)
{
    (void)state;
    struct loaded loaded;
    char scope[701] = "", wanted[800];
    memset(scope, 'n', sizeof scope - 1);
    char *source = NULL;
    assert_true(asprintf(&source,
                         "namespace {\nnamespace %s {\n"
                         "__attribute__((noinline)) int hidden(int x)\n{\n    return x * 7 ^ x;\n}\n}\n}\n"
                         "int main(int argc, char **)\n{\n    return %s::hidden(argc);\n}\n",
                         scope, scope) > 0);
    write_file("long.cpp", source);
    free(source);
    if (!compile(true, "-g -O1 -o long long.cpp"))
        skip();
    load(&loaded, "long", NULL);
    snprintf(wanted, sizeof wanted, "long.cpp:(anonymous namespace)::%s::hidden", scope);
    bool plain = has(&loaded, wanted);
    strcat(wanted, "(int)");
    assert_true(plain || has(&loaded, wanted));
    release(&loaded);
}

static void c_functions_have_names(void **state)
{
    (void)state;
    static const char *const kinds[] = {"-O2",
                                        "-O0",
                                        "-O2 -gdwarf-4",
                                        "-O2 -gdwarf-2 -gstrict-dwarf",
                                        "-O2 -gsplit-dwarf",
                                        "-O2 -gz",
                                        "-O2 -ffunction-sections"};
    struct loaded loaded;
    char command[256];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(command, sizeof command, "-g %s -o prog prog.c other.c", kinds[i]);
        if (!compile(false, command))
            continue;
        load(&loaded, "prog", NULL);
        assert_int_equal(loaded.info.status, DEBUGINFO_OK);
        assert_string_equal(loaded.info.warnings, "");
        assert_true(has(&loaded, "main"));
        assert_true(has(&loaded, "again"));
        assert_true(has(&loaded, "other"));
        /* Each file's own. */
        assert_true(has(&loaded, "prog.c:helper"));
        assert_true(has(&loaded, "other.c:helper"));
        assert_true(has(&loaded, "prog.c:twice"));
        assert_true(has(&loaded, "inner.h:leaf"));
        assert_int_equal(functions(&loaded), 7);
        release(&loaded);
        /* Only of one file. */
        load(&loaded, "prog", "inner.h");
        assert_true(has(&loaded, "inner.h:leaf"));
        assert_int_equal(functions(&loaded), 1);
        release(&loaded);
    }
}

static void cxx_functions_are_demangled(void **state)
{
    (void)state;
    struct loaded loaded;
    if (!compile(true, "-g -O1 -o cxx prog.cpp"))
        skip();
    load(&loaded, "cxx", NULL);
    assert_true(has(&loaded, "main"));
    assert_true(has(&loaded, "shapes::use(int)"));
    assert_true(has(&loaded, "shapes::Stack<int>::push(int)"));
    assert_true(has(&loaded, "shapes::Stack<double>::push(double)"));
    assert_true(has(&loaded, "prog.cpp:shapes::(anonymous namespace)::hidden"));
    uint32_t ids[8], nearest_ids[3];
    size_t nearest;
    assert_int_equal(site_find_functions(&loaded.sites, "push", ids, 8, &nearest), 2);
    assert_int_equal(site_find_functions(&loaded.sites, "Stack<int>::push", ids, 8, &nearest), 1);
    assert_int_equal(site_find_functions(&loaded.sites, "Stack::push", ids, 8, &nearest), 2);
    assert_int_equal(site_find_functions(&loaded.sites, "pusch", nearest_ids, 3, &nearest), 0);
    assert_true(nearest >= 2);
    assert_string_equal(loaded.sites.sites[nearest_ids[0]].file, "shapes::Stack<int>::push(int)");
    /* The standard library's are not in scope. */
    for (uint32_t id = 1; id < loaded.sites.count; id++)
        assert_true(strncmp(loaded.sites.sites[id].file, "std::", 5) != 0 ||
                    *loaded.sites.declared[id] == '\0');
    release(&loaded);
}

/* Without debug information the symbols name the same functions, but for those that are only inlined. */
static void symbols_name_functions(void **state)
{
    (void)state;
    struct loaded loaded;
    if (!compile(false, "-O2 -o bare prog.c other.c"))
        skip();
    load(&loaded, "bare", NULL);
    assert_int_equal(loaded.info.status, DEBUGINFO_OK);
    assert_true(loaded.info.has_names);
    assert_true(has(&loaded, "main"));
    assert_true(has(&loaded, "again"));
    assert_true(has(&loaded, "prog.c:helper"));
    assert_true(has(&loaded, "other.c:helper"));
    assert_false(has(&loaded, "_start"));
    struct site_row first = row_of(&loaded, "main");
    release(&loaded);
    /* No source is known, so none matches. */
    load(&loaded, "bare", "prog.c");
    assert_int_equal(functions(&loaded), 0);
    release(&loaded);
    /* Without them they are known by where they begin; what is exported keeps its name. */
    if (run("strip bare")) {
        char name[32];
        snprintf(name, sizeof name, "bare+%#" PRIx32, first.start);
        load(&loaded, "bare", NULL);
        assert_false(loaded.info.has_names);
        assert_int_equal(loaded.info.status, DEBUGINFO_OK);
        assert_true(has(&loaded, name));
        assert_int_equal(row_of(&loaded, name).end, first.end);
        assert_false(has(&loaded, "main"));
        assert_true(functions(&loaded) >= 5); /* main, again, two helpers, other */
        release(&loaded);
    }
    if (compile(false, "-O2 -shared -fPIC -s -o lib.so other.c")) {
        load(&loaded, "lib.so", NULL);
        assert_true(has(&loaded, "other"));
        assert_int_equal(functions(&loaded), 2);
        release(&loaded);
    }
    if (compile(false, "-O2 -fno-asynchronous-unwind-tables -s -o none prog.c other.c")) {
        load(&loaded, "none", NULL);
        assert_int_equal(loaded.info.status, DEBUGINFO_NO_LINES);
        release(&loaded);
    }
}

/* What has no debug information beside what has is left out, unless everything is asked for; then its symbols
 * name its own code and no other. */
static void a_unit_without_debug_information_has_symbols(void **state)
{
    (void)state;
    struct loaded loaded;
    if (!compile(false, "-O2 -c -o other.o other.c") || !compile(false, "-g -O2 -o mixed prog.c other.o"))
        skip();
    load(&loaded, "mixed", NULL);
    assert_true(has(&loaded, "prog.c:helper"));
    assert_false(has(&loaded, "other"));
    release(&loaded);
    load(&loaded, "mixed", "%");
    assert_true(has(&loaded, "other"));
    assert_true(has(&loaded, "other.c:helper"));
    assert_true(has(&loaded, "prog.c:helper"));
    assert_true(has(&loaded, "inner.h:leaf"));
    release(&loaded);
    load(&loaded, "mixed", "inner.h");
    assert_int_equal(functions(&loaded), 1);
    release(&loaded);
}

/* A broken unit loses its inlined functions, and nothing else. */
static void a_bad_unit_is_named_by_its_symbols(void **state)
{
    (void)state;
    struct loaded loaded;
    if (!compile(false, "-g -O2 -o prog prog.c other.c") ||
        !run("objcopy --dump-section .debug_line=line prog && "
             "printf '\\143' | dd of=line bs=1 seek=4 conv=notrunc && "
             "objcopy --update-section .debug_line=line prog bad"))
        skip();
    load(&loaded, "bad", NULL);
    assert_non_null(strstr(loaded.info.warnings, "prog.c"));
    assert_null(strstr(loaded.info.warnings, "other.c"));
    assert_true(has(&loaded, "main"));
    assert_true(has(&loaded, "prog.c:helper"));
    assert_true(has(&loaded, "other.c:helper"));
    assert_false(has(&loaded, "inner.h:leaf"));
    release(&loaded);
}

static void are_same(const struct loaded *a, const struct loaded *b)
{
    assert_int_equal(a->info.row_count, b->info.row_count);
    assert_int_equal(a->info.node_count, b->info.node_count);
    assert_int_equal(a->sites.count, b->sites.count);
    for (size_t i = 0; i < a->info.row_count; i++)
        assert_memory_equal(&a->info.rows[i], &b->info.rows[i], sizeof a->info.rows[i]);
    for (size_t i = 1; i < a->info.node_count; i++)
        assert_memory_equal(&a->info.nodes[i], &b->info.nodes[i], sizeof a->info.nodes[i]);
    for (uint32_t id = 1; id < a->sites.count; id++)
        assert_string_equal(a->sites.sites[id].file, b->sites.sites[id].file);
}

/* The same by one thread, by two, from the cache, and when the cache is not what it should be; functions and
 * call sites are not taken for each other. */
static void however_they_are_read_they_are_the_same(void **state)
{
    (void)state;
    struct loaded fresh, other;
    if (!compile(true, "-g -O2 -Wl,--build-id -c -o cxx.o prog.cpp") ||
        !compile(true, "-g -O2 -Wl,--build-id -o both cxx.o"))
        skip();
    setenv("XDG_CACHE_HOME", in_directory("cache"), 1);
    for (enum granularity what = GRANULARITY_FUNCTION; what <= GRANULARITY_CALLSITE; what++) {
        load_as(&fresh, "both", NULL, (struct debuginfo_options){.granularity = what, .threads = 1});
        assert_true(fresh.info.row_count > 0);
        const struct debuginfo_options ways[] = {{.granularity = what, .threads = 2},
                                                 {.granularity = what, .cached = true},
                                                 {.granularity = what, .cached = true}};
        for (size_t i = 0; i < 3; i++) {
            load_as(&other, "both", NULL, ways[i]);
            are_same(&fresh, &other);
            release(&other);
        }
        const char *kind = what == GRANULARITY_FUNCTION ? "functions" : "callsites";
        assert_true(
            run("ls cache/coz/*.%s && printf x | dd of=$(ls cache/coz/*.%s) bs=1 seek=300 conv=notrunc", kind,
                kind));
        load_as(&other, "both", NULL, ways[2]);
        are_same(&fresh, &other);
        release(&other);
        release(&fresh);
    }
    unsetenv("XDG_CACHE_HOME");
}

/* A function that the stack at an address ought to have, as another tool says it. */
static void check_frame(const struct stack_table *table, uint32_t *node, unsigned long address,
                        const char *symbol, const char *place)
{
    char *function = function_name_make(symbol, NULL, NULL); /* by the same demangler */
    if (*node == 0)
        fail_msg("%#lx: no frame for %s at %s", address, function, place);
    const struct stack_node *frame = &table->nodes[*node];
    const char *name = table->strings + table->functions[frame->function].name;
    const char *colon = strrchr(place, ':');
    /* gcc gives functions of one file only no symbol there, and so no parameters. */
    const char *bare = strchr(name, ':');
    bool same = function_name_match(name, function) || (bare && function_name_match(function, bare + 1));
    if (!same && (*name || strcmp(symbol, "??") != 0))
        fail_msg("%#lx: %s, not %s", address, name, function);
    if (strcmp(colon + 1, "?") != 0 && strcmp(colon + 1, "0") != 0) {
        assert_int_equal(frame->line, strtoul(colon + 1, NULL, 10));
        const char *file = strrchr(place, '/') ? strrchr(place, '/') + 1 : place;
        const char *own = strrchr(table->strings + frame->file, '/') + 1;
        assert_int_equal(strlen(own), colon - file);
        assert_memory_equal(own, file, strlen(own));
    }
    *node = frame->outer;
    free(function);
}

/* Compares the whole inline stack of every byte of code with what the command prints: an address, then for
 * each frame its function and its line. */
static void compare(const char *program, const char *command)
{
    struct stack_table table;
    struct coz_error error;
    const struct scope scope = {0};
    char line[1024], function[1024] = "";
    assert_int_equal(stack_table_read(&table, in_directory(program), &scope, STACK_ALL, 0, &error), 0);
    assert_true(table.row_count > 0);
    FILE *list = fopen(in_directory("addresses"), "w");
    for (size_t i = 0; i < table.row_count; i++)
        for (uint32_t at = table.rows[i].start; at < table.rows[i].end; at++)
            fprintf(list, "%#x\n", (unsigned)at);
    fclose(list);
    assert_true(run("%s -a -i -f -e %s < addresses > answers", command, program));
    FILE *answers = fopen(in_directory("answers"), "r");
    unsigned long address = 0, frames = 0;
    uint32_t node = 0;
    while (fgets(line, sizeof line, answers)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0x", 2) == 0) {
            assert_int_equal(node, 0);
            address = strtoul(line, NULL, 16);
            node = stack_table_at(&table, (uint32_t)address);
            function[0] = '\0';
        } else if (!function[0]) {
            strcpy(function, line);
        } else {
            char *discriminator = strstr(line, " (discriminator");
            if (discriminator)
                *discriminator = '\0';
            check_frame(&table, &node, address, function, line);
            function[0] = '\0';
            frames++;
        }
    }
    fclose(answers);
    assert_int_equal(node, 0);
    assert_true(frames > 100);
    stack_table_release(&table);
}

static void stacks_are_what_others_say(void **state)
{
    (void)state;
    /* addr2line takes file 0 for file 1 in the first rows of DWARF 5, and has other names for inlined
     * functions. */
    if (!run("llvm-symbolizer --version"))
        skip();
    static const char *const kinds[] = {"-O0", "-O2", "-O3 -gdwarf-4"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char command[256];
        snprintf(command, sizeof command, "-g %s -o prog prog.c other.c", kinds[i]);
        if (!compile(false, command))
            skip();
        compare("prog", "llvm-symbolizer --no-demangle --output-style=GNU");
        snprintf(command, sizeof command, "-g %s -o cxx prog.cpp", kinds[i]);
        if (compile(true, command))
            compare("cxx", "llvm-symbolizer --no-demangle --output-style=GNU");
    }
}

/* What the stack at the place says: the function of its line, else the outermost one. */
static const char *expected_function(const struct stack_table *table, const struct debuginfo_place *place)
{
    const char *name = "";
    for (uint32_t i = stack_table_at(table, place->address); i; i = table->nodes[i].outer) {
        const struct stack_node *node = &table->nodes[i];
        name = table->strings + table->functions[node->function].name;
        if (node->line == place->line && strcmp(table->strings + node->file, place->file) == 0)
            break;
    }
    return name;
}

/* One place in each row: of the first its innermost line, of the next one further out, and so on, and every
 * seventh has a line that is none of its own. */
static size_t choose_places(const struct stack_table *table, struct debuginfo_place *places)
{
    size_t inlined = 0;
    for (size_t i = 0; i < table->row_count; i++) {
        uint32_t node = table->rows[i].site;
        for (size_t outwards = i % 4; outwards > 0 && table->nodes[node].outer; outwards--) {
            node = table->nodes[node].outer;
            inlined++;
        }
        places[i] = (struct debuginfo_place){.address = table->rows[i].start,
                                             .file = table->strings + table->nodes[node].file,
                                             .line = i % 7 ? table->nodes[node].line : 1000000};
    }
    return inlined;
}

static void places_have_the_functions_of_their_stacks(void **state)
{
    (void)state;
    const struct scope scope = {0};
    struct stack_table table;
    struct coz_error error;
    if (!compile(false, "-g -O2 -o prog prog.c other.c") || !compile(true, "-g -O2 -o cxx prog.cpp"))
        skip();
    static const char *const programs[] = {"prog", "cxx"};
    size_t inlined = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const char *path = in_directory(programs[i]);
        assert_int_equal(stack_table_read(&table, path, &scope, STACK_ALL, 0, &error), 0);
        struct debuginfo_place *places = calloc(table.row_count, sizeof *places);
        inlined += choose_places(&table, places);
        debuginfo_find_functions(path, &scope, places, table.row_count);
        for (size_t j = 0; j < table.row_count; j++) {
            assert_string_equal(places[j].function ? places[j].function : "",
                                expected_function(&table, &places[j]));
            free(places[j].function);
        }
        free(places);
        stack_table_release(&table);
    }
    assert_true(inlined > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_functions_have_names),
        cmocka_unit_test(cxx_functions_are_demangled),
        cmocka_unit_test(long_surroundings_are_not_cut_short),
        cmocka_unit_test(symbols_name_functions),
        cmocka_unit_test(a_unit_without_debug_information_has_symbols),
        cmocka_unit_test(a_bad_unit_is_named_by_its_symbols),
        cmocka_unit_test(however_they_are_read_they_are_the_same),
        cmocka_unit_test(stacks_are_what_others_say),
        cmocka_unit_test(places_have_the_functions_of_their_stacks),
    };
    return cmocka_run_group_tests(tests, make_sources, remove_directory);
}
