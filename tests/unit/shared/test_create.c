/* The segment as a file: what a stray call of the program's may do to it. */
#include "shared/create.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static struct segment_owner owner;

static int begin(void **state)
{
    (void)state;
    return segment_create(&owner, NULL);
}

static int end(void **state)
{
    (void)state;
    segment_destroy(&owner);
    return 0;
}

/* A process of the tree opens it by its path, and whoever maps what is not there is ended. */
static void nobody_changes_its_size(void **state)
{
    (void)state;
    uint64_t size = owner.segment->mapped_size;
    int fd = open(owner.path, O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 0), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(ftruncate(fd, (off_t)size * 2), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(lseek(fd, 0, SEEK_END), size);
    close(fd);
}

static void nobody_seals_it_further(void **state)
{
    (void)state;
    assert_int_equal(fcntl(owner.fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
    assert_int_equal(errno, EPERM);
}

static void tables_have_an_end(void **state)
{
    (void)state;
    char bytes[] = "rows";
    uint64_t offset = segment_store(&owner, bytes, sizeof bytes);
    assert_true(offset >= sizeof(struct segment));
    assert_string_equal((const char *)owner.segment + offset, bytes);
    assert_int_equal(segment_reserve(&owner, owner.segment->mapped_size), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_changes_its_size, begin, end),
        cmocka_unit_test_setup_teardown(nobody_seals_it_further, begin, end),
        cmocka_unit_test_setup_teardown(tables_have_an_end, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
