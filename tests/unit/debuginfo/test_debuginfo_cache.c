/* Tables on disk: the same as those read anew, never one that is not what it should be, and not too many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "debuginfo/cache/cache.h"
#include "debuginfo/cache/cache_limit.h"
#include "debuginfo/debuginfo.h"

static char directory[] = "/tmp/coz-cache-XXXXXX";
static char cache[64];
static const char self[] = "/proc/self/exe";

static const struct cache_key key = {
    .identity = {.build_id = "0123456789", .size = 10, .layout = 7}, .kind = "test", .scope = 42};
static const char text[] = "what is kept, in two parts, of which the first is of an odd length";
static const struct iovec parts[] = {{(void *)text, 7}, {(void *)(text + 7), sizeof text - 7}};

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory) || setenv("XDG_CACHE_HOME", directory, 1))
        return -1;
    snprintf(cache, sizeof cache, "%s/coz", directory);
    return 0;
}

static int remove_directory(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

/* The number of files; the path of the last one that is found. */
static int files(char *path, size_t size)
{
    DIR *list = opendir(cache);
    struct dirent *entry;
    int count = 0;
    while (list && (entry = readdir(list))) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        if (path)
            snprintf(path, size, "%s/%s", cache, entry->d_name);
    }
    if (list)
        closedir(list);
    return count;
}

static int empty_cache(void **state)
{
    char path[512];
    (void)state;
    while (files(path, sizeof path) > 0)
        if (unlink(path))
            return -1;
    return 0;
}

static bool is_there(void)
{
    size_t size = 0;
    char *found = cache_load(&key, &size);
    bool same = found && size == sizeof text && memcmp(found, text, size) == 0;
    if (found)
        assert_true(same); /* rather nothing than something else */
    free(found);
    return same;
}

static void test_kept(void **state)
{
    struct cache_key other = key;
    size_t size;
    char path[512];
    (void)state;
    assert_false(is_there());
    cache_store(&key, parts, 2);
    assert_true(is_there());
    assert_int_equal(files(path, sizeof path), 1);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 077, 0);
    other.scope = 43;
    assert_null(cache_load(&other, &size));
    other = key;
    other.identity.layout = 8; /* the same name, but not the same file */
    assert_null(cache_load(&other, &size));
    other = key;
    other.identity.size = 0;
    cache_store(&other, parts, 2);
    assert_null(cache_load(&other, &size));
    assert_int_equal(files(NULL, 0), 1);
}

/* Every byte changed, every length cut: a table is what was stored, or it is missing. */
static void test_broken(void **state)
{
    char path[512];
    unsigned char bytes[1024];
    (void)state;
    cache_store(&key, parts, 2);
    assert_int_equal(files(path, sizeof path), 1);
    int fd = open(path, O_RDWR);
    ssize_t size = read(fd, bytes, sizeof bytes);
    assert_true(size > (ssize_t)sizeof text && size < (ssize_t)sizeof bytes);
    for (ssize_t i = 0; i < size; i++) {
        unsigned char wrong = (unsigned char)(bytes[i] ^ 0x10);
        assert_int_equal(pwrite(fd, &wrong, 1, i), 1);
        assert_false(is_there());
        assert_int_equal(pwrite(fd, &bytes[i], 1, i), 1);
    }
    assert_true(is_there());
    for (ssize_t i = size - 1; i >= 0; i--) {
        assert_int_equal(ftruncate(fd, i), 0);
        assert_false(is_there());
    }
    close(fd);
    cache_store(&key, parts, 2);
    assert_true(is_there());
}

/* Nowhere to write to is no reason to fail. */
static void test_no_place(void **state)
{
    (void)state;
    setenv("XDG_CACHE_HOME", "/proc/self/nowhere", 1);
    cache_store(&key, parts, 2);
    assert_false(is_there());
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", directory, 1);
    cache_store(&key, parts, 2);
    assert_true(is_there());
    setenv("XDG_CACHE_HOME", directory, 1);
    assert_false(is_there());
}

static void write_file(const char *name, size_t size, time_t age)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cache, name);
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    assert_int_equal(ftruncate(fd, (off_t)size), 0);
    struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    assert_int_equal(futimens(fd, times), 0);
    close(fd);
}

static bool exists(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", cache, name);
    return access(path, F_OK) == 0;
}

static void test_limit(void **state)
{
    (void)state;
    cache_store(&key, parts, 2); /* makes the directory */
    empty_cache(NULL);
    write_file("old", 400, 30);
    write_file("older", 400, 40);
    write_file("new", 400, 10);
    write_file(CACHE_TEMPORARY "now", 4000, 10);
    write_file(CACHE_TEMPORARY "left", 4000, 100000);
    cache_keep_limit(cache, 1200);
    assert_int_equal(files(NULL, 0), 4);
    assert_false(exists(CACHE_TEMPORARY "left"));
    cache_keep_limit(cache, 1199);
    assert_true(exists("new") && exists("old") && !exists("older"));
    cache_keep_limit(cache, 100);
    assert_int_equal(files(NULL, 0), 1);
}

static void load(struct debuginfo *info, struct site_set *sites, bool cached, unsigned threads)
{
    const struct scope scope = {0};
    const struct debuginfo_options options = {.cached = cached, .threads = threads};
    struct coz_error error;
    *info = (struct debuginfo){0};
    site_set_init(sites, 0);
    assert_int_equal(debuginfo_read_sites(self, &scope, options, info, &error), 0);
    assert_int_equal(debuginfo_give_sites(info, sites, &error), 0);
    assert_int_equal(debuginfo_load_unwind(self, options, info, &error), 0);
}

/* This very program, read anew by one thread, by several, into the cache, and from there. */
static void test_tables(void **state)
{
    struct debuginfo fresh, info;
    struct site_set fresh_sites, sites;
    (void)state;
    load(&fresh, &fresh_sites, false, 1);
    if (fresh.status != DEBUGINFO_OK)
        skip(); /* built without -g */
    assert_int_equal(files(NULL, 0), 0);
    for (int i = 0; i < 3; i++) {
        load(&info, &sites, i > 0, 4);
        assert_int_equal(files(NULL, 0), i > 0 ? 2 : 0);
        assert_int_equal(info.status, fresh.status);
        assert_int_equal(info.row_count, fresh.row_count);
        assert_memory_equal(info.rows, fresh.rows, fresh.row_count * sizeof *fresh.rows);
        assert_int_equal(info.unwind_count, fresh.unwind_count);
        assert_memory_equal(info.unwind, fresh.unwind, fresh.unwind_count * sizeof *fresh.unwind);
        assert_int_equal(sites.count, fresh_sites.count);
        for (uint32_t id = 1; id < sites.count; id++) {
            assert_string_equal(sites.sites[id].file, fresh_sites.sites[id].file);
            assert_int_equal(sites.sites[id].line, fresh_sites.sites[id].line);
        }
        assert_int_equal(info.source_count, fresh.source_count);
        for (size_t j = 0; j < info.source_count; j++)
            assert_string_equal(info.sources[j], fresh.sources[j]);
        debuginfo_release(&info);
        site_set_release(&sites);
    }
    debuginfo_release(&fresh);
    site_set_release(&fresh_sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_kept, empty_cache),     cmocka_unit_test_setup(test_broken, empty_cache),
        cmocka_unit_test_setup(test_no_place, empty_cache), cmocka_unit_test_setup(test_limit, empty_cache),
        cmocka_unit_test_setup(test_tables, empty_cache),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
