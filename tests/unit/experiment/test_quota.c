/* Limits of control groups, read from made-up files. */
#include "experiment/facts/quota.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[64];

/* A file below the root, its folders too. */
static void write_file(const char *path, const char *text)
{
    char full[256];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(full, 0700);
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int begin(void **state)
{
    (void)state;
    strcpy(root, "/tmp/coz-quota.XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static void expect(double cores, const char *folder)
{
    char full[256];
    struct quota quota = quota_find(root, 7);
    assert_float_equal((float)quota.cores, (float)cores, 1e-6);
    snprintf(full, sizeof full, "%s%s", root, folder);
    assert_string_equal(quota.folder, cores > 0 ? full : "");
}

static const char mount_v2[] =
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

static void test_nothing(void **state)
{
    (void)state;
    expect(0, "");
}

static void test_v2_takes_the_strictest(void **state)
{
    (void)state;
    write_file("/proc/7/cgroup", "0::/work/inner\n");
    write_file("/proc/self/mountinfo", mount_v2);
    write_file("/sys/fs/cgroup/work/inner/cpu.max", "max 100000\n");
    expect(0, "");
    write_file("/sys/fs/cgroup/work/cpu.max", "150000 100000\n");
    expect(1.5, "/sys/fs/cgroup/work");
    write_file("/sys/fs/cgroup/work/inner/cpu.max", "300000 100000\n");
    expect(1.5, "/sys/fs/cgroup/work");
    write_file("/sys/fs/cgroup/work/inner/cpu.max", "20000 100000\n");
    expect(0.2, "/sys/fs/cgroup/work/inner");
    write_file("/sys/fs/cgroup/work/inner/cpu.stat",
               "usage_usec 5\nnr_periods 40\nnr_throttled 10\nthrottled_usec 9\n");
    struct quota quota = quota_find(root, 7);
    struct quota_use use = quota_read(&quota);
    assert_int_equal(use.periods, 40);
    assert_int_equal(use.throttled, 10);
}

static void test_v1(void **state)
{
    (void)state;
    write_file("/proc/7/cgroup", "9:name=systemd:/x\n4:cpuacct,cpu:/work\n0::/\n");
    write_file("/proc/self/mountinfo", "28 27 0:24 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                                       "29 27 0:25 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
    write_file("/sys/fs/cgroup/cpu/work/cpu.cfs_quota_us", "-1\n");
    write_file("/sys/fs/cgroup/cpu/work/cpu.cfs_period_us", "100000\n");
    expect(0, "");
    write_file("/sys/fs/cgroup/cpu/work/cpu.cfs_quota_us", "50000\n");
    expect(0.5, "/sys/fs/cgroup/cpu/work");
}

/* Its own group is the top of what is mounted there, and its name is the host's. */
static void test_container(void **state)
{
    (void)state;
    write_file("/proc/7/cgroup", "4:cpu:/docker/abc/inner\n");
    write_file("/proc/self/mountinfo",
               "29 27 0:25 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    expect(2, "/sys/fs/cgroup/cpu");
    write_file("/sys/fs/cgroup/cpu/inner/cpu.cfs_quota_us", "100000\n");
    write_file("/sys/fs/cgroup/cpu/inner/cpu.cfs_period_us", "100000\n");
    expect(1, "/sys/fs/cgroup/cpu/inner");
}

static void test_namespace(void **state)
{
    (void)state;
    write_file("/proc/7/cgroup", "0::/\n");
    write_file("/proc/self/mountinfo", mount_v2);
    write_file("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    expect(1, "/sys/fs/cgroup");
    write_file("/proc/7/cgroup", "0::/../other\n"); /* beyond the namespace */
    expect(1, "/sys/fs/cgroup");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing, begin, end),
        cmocka_unit_test_setup_teardown(test_v2_takes_the_strictest, begin, end),
        cmocka_unit_test_setup_teardown(test_v1, begin, end),
        cmocka_unit_test_setup_teardown(test_container, begin, end),
        cmocka_unit_test_setup_teardown(test_namespace, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
