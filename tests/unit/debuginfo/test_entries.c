/* Where lines, functions and static probes begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled.h"
#include "debuginfo/places/function_entries.h"
#include "debuginfo/places/line_entries.h"
#include "debuginfo/places/probes.h"

static void test_a_line_counts_once_in_each_function(void **state)
{
    (void)state;
    struct entry_list list = {0};
    const struct line_piece pieces[] = {
        {0x900, 1, false},                     /* moved away, and lower */
        {0x1040, 1, true},                     /* what was moved past another line */
        {0x1010, 1, true},                     /* the beginning */
        {0x2000, 2, true},                     /* inlined elsewhere */
        {0x2010, 2, true}, {0x3000, 3, false}, /* of one there is nothing but what was moved away */
    };
    assert_true(line_entries_choose(pieces, sizeof pieces / sizeof *pieces, &list));
    assert_int_equal(list.count, 3);
    assert_int_equal(list.items[0].address, 0x1010);
    assert_int_equal(list.items[1].address, 0x2000);
    assert_int_equal(list.items[2].address, 0x3000);
    entry_list_release(&list);
}

static void test_no_address_is_there_twice(void **state)
{
    (void)state;
    struct entry_list list = {0};
    for (int i = 0; i < 20; i++)
        assert_true(entry_list_add(&list, (struct entry){.address = (uint64_t)(i % 10)}));
    assert_int_equal(list.count, 10);
    entry_list_release(&list);
}

static void test_near_names_are_sorted(void **state)
{
    (void)state;
    struct near_names near = {.count = 0};
    char text[400];
    assert_string_equal(near_names_text(&near, text, sizeof text), "");
    near_names_note(&near, "far", 9);
    near_names_note(&near, "nearest", 1);
    near_names_note(&near, "near", 2);
    near_names_note(&near, "nearest", 1);
    near_names_note(&near, "nearer", 1);
    assert_string_equal(near_names_text(&near, text, sizeof text), "nearest, nearer or near");
}

/* ---- notes */

struct seen {
    char text[300];
};

static void see_probe(void *context, const struct probe *probe)
{
    struct seen *seen = context;
    size_t used = strlen(seen->text);
    snprintf(seen->text + used, sizeof seen->text - used, "%s:%s %llx %llx;", probe->provider, probe->name,
             (unsigned long long)probe->at.address, (unsigned long long)probe->at.semaphore);
}

static size_t put_note(unsigned char *at, const char *owner, uint32_t type, const uint64_t addresses[3],
                       const char *strings, uint32_t string_size)
{
    uint32_t name_size = (uint32_t)strlen(owner) + 1, data_size = 24 + string_size;
    size_t name_room = (name_size + 3) & ~3u, data_room = (data_size + 3) & ~3u;
    memcpy(at, &name_size, 4);
    memcpy(at + 4, &data_size, 4);
    memcpy(at + 8, &type, 4);
    memset(at + 12, 0, name_room + data_room);
    memcpy(at + 12, owner, name_size);
    memcpy(at + 12 + name_room, addresses, 24);
    memcpy(at + 12 + name_room + 24, strings, string_size);
    return 12 + name_room + data_room;
}

static void test_notes_are_read(void **state)
{
    (void)state;
    unsigned char notes[400];
    struct seen seen = {""};
    size_t size = put_note(notes, "stapsdt", 3, (uint64_t[]){0x1000, 0x5000, 0}, "db\0commit\0", 11);
    size +=
        put_note(notes + size, "stapsdt", 3, (uint64_t[]){0x1100, 0x5000, 0x9000}, "db\0begin\0-4@%eax", 17);
    size += put_note(notes + size, "GNU", 3, (uint64_t[]){1, 2, 3}, "no\0probe\0", 10);
    size += put_note(notes + size, "stapsdt", 4, (uint64_t[]){1, 2, 3}, "no\0probe\0", 10);
    probes_read(notes, size, 0, see_probe, &seen);
    assert_string_equal(seen.text, "db:commit 1000 0;db:begin 1100 9000;");
    /* Moved as a whole since they were written. */
    seen.text[0] = '\0';
    probes_read(notes, size, 0x5010, see_probe, &seen);
    assert_string_equal(seen.text, "db:commit 1010 0;db:begin 1110 9010;");
}

static void test_broken_notes_are_passed_over(void **state)
{
    (void)state;
    unsigned char notes[400];
    struct seen seen = {""};
    size_t size = put_note(notes, "stapsdt", 3, (uint64_t[]){0x1000, 0x5000, 0}, "db\0commit\0", 11);
    for (size_t cut = 0; cut < 50; cut++)
        probes_read(notes, cut, 0, see_probe, &seen);
    assert_string_equal(seen.text, "");
    uint32_t huge = UINT32_MAX;
    memcpy(notes + 4, &huge, 4);
    probes_read(notes, size, 0, see_probe, &seen);
    memcpy(notes, &huge, 4);
    probes_read(notes, size, 0, see_probe, &seen);
    assert_string_equal(seen.text, "");
    size = put_note(notes, "stapsdt", 3, (uint64_t[]){0x1000, 0x5000, 0}, "endless", 7);
    probes_read(notes, size, 0, see_probe, &seen);
    assert_string_equal(seen.text, "");
}

/* ---- a program */

static const char source[] = "static volatile int sum;\n"
                             "static inline __attribute__((always_inline)) void twice(int x)\n"
                             "{\n"
                             "    sum += x; /* 4 */\n"
                             "}\n"
                             "__attribute__((noinline)) void once(int x)\n"
                             "{\n"
                             "    sum -= x; /* 8 */\n"
                             "}\n"
                             "static __attribute__((unused)) int unused(void) { return 0; }\n"
                             "int main(int argc, char **argv)\n"
                             "{\n"
                             "    (void)argv;\n"
                             "    twice(argc);\n"
                             "    once(argc);\n"
                             "    once(2);\n"
                             "    twice(3);\n"
                             "    return 0;\n"
                             "}\n";

static int make_program(void **state)
{
    if (make_directory(state))
        return -1;
    write_file("places.c", source);
    return compile(false, "-O1 -g -o places places.c") ? 0 : -1;
}

static void open_program(struct elf_file *elf)
{
    struct coz_error err = {""};
    if (elf_file_open(elf, in_directory("places"), &err))
        fail_msg("%s", err.text);
}

static void test_lines_of_a_program(void **state)
{
    (void)state;
    struct elf_file elf;
    struct line_entries lines;
    open_program(&elf);
    assert_int_equal(line_entries_find(&elf, "places.c", 8, &lines), 0);
    assert_int_equal(lines.list.count, 1);
    entry_list_release(&lines.list);
    assert_int_equal(line_entries_find(&elf, "places.c", 4, &lines), 0);
    assert_int_equal(lines.list.count, 2); /* both inlined copies */
    entry_list_release(&lines.list);
    assert_int_equal(line_entries_find(&elf, "places.c", 1, &lines), 0);
    assert_int_equal(lines.list.count, 0);
    assert_true(lines.has_file);
    assert_int_equal(lines.below, 0);
    assert_in_range(lines.above, 2, 4);
    assert_int_equal(line_entries_find(&elf, "laces.c", 8, &lines), 0);
    assert_int_equal(lines.list.count, 0);
    assert_true(lines.has_lines);
    assert_false(lines.has_file);
    elf_file_close(&elf);
}

static void test_functions_of_a_program(void **state)
{
    (void)state;
    struct elf_file elf;
    struct function_entries functions;
    open_program(&elf);
    assert_int_equal(function_entries_find(&elf, "once", &functions), 0);
    assert_int_equal(functions.list.count, 1);
    assert_int_equal(functions.inlined, 0);
    entry_list_release(&functions.list);
    assert_int_equal(function_entries_find(&elf, "twice", &functions), 0);
    assert_int_equal(functions.list.count, 2);
    assert_int_equal(functions.inlined, 2);
    entry_list_release(&functions.list);
    assert_int_equal(function_entries_find(&elf, "oncee", &functions), 0);
    assert_int_equal(functions.list.count, 0);
    assert_int_equal(functions.names, 0);
    assert_true(functions.near.count > 0);
    assert_string_equal(functions.near.names[0], "once");
    elf_file_close(&elf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_counts_once_in_each_function),
        cmocka_unit_test(test_no_address_is_there_twice),
        cmocka_unit_test(test_near_names_are_sorted),
        cmocka_unit_test(test_notes_are_read),
        cmocka_unit_test(test_broken_notes_are_passed_over),
        cmocka_unit_test(test_lines_of_a_program),
        cmocka_unit_test(test_functions_of_a_program),
    };
    return cmocka_run_group_tests(tests, make_program, remove_directory);
}
