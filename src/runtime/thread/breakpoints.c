#include "runtime/thread/breakpoints.h"

#include "runtime/arch/registers.h"
#include "runtime/core/departure.h"
#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"
#include "runtime/core/message.h"
#include "runtime/core/namespace.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    TRAP_OF_PERF = 6, /* si_code: TRAP_PERF, which older headers do not have */
    TRAP_DATA = 24,   /* where in siginfo_t the event's own number is */
    PATIENCE_NS = 500000000,
};

/* Shared by the processes of the family: they are forked with it. */
static struct segment_family *family;
static int life_end = -1;    /* that is written to */
static bool is_trap_ignored; /* by the program */

/* ---- opening ---- */

/* A descriptor of the family's, or a negative errno. */
static int open_event(uint64_t address, bool is_alarm)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_BREAKPOINT,
        .size = sizeof attr,
        .bp_type = HW_BREAKPOINT_X,
        .bp_addr = address,
        .bp_len = sizeof(long),
        .inherit = 1,
        .pinned = 1,
        .inherit_thread = runtime_segment->follow == FOLLOW_NONE, /* no processes */
        .remove_on_exec = 1, /* to another program the address means something else */
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .disabled = is_alarm,
        .sample_period = is_alarm,
        .sigtrap = is_alarm,
        .sig_data = is_alarm ? SEGMENT_ALARM_DATA : 0,
    };
    int fd = (int)kernel_call(SYS_perf_event_open, (long)&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
    return fd < 0 ? fd : descriptors_keep(fd, DESCRIPTORS_OF_FAMILY);
}

/* Of each breakpoint, where it is in this process; 0: nowhere. */
struct search {
    struct segment_breakpoints *all;
    uint64_t *addresses;
};

static void raise_semaphore(const struct dl_phdr_info *info, uint64_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_W && address >= segment->p_vaddr &&
            address + 2 <= segment->p_vaddr + segment->p_memsz)
            __atomic_fetch_add((uint16_t *)(info->dlpi_addr + address), 1, __ATOMIC_RELAXED);
    }
}

/* Straight to the kernel: older libcs have no stat() of that name. */
static bool look_at_file(const char *path, struct stat *status)
{
    return kernel_call(SYS_newfstatat, AT_FDCWD, (long)path, (long)status, 0, 0, 0) == 0;
}

static int look_at_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    struct stat status;
    const char *path = info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
    if (!look_at_file(path, &status))
        return 0;
    for (uint32_t i = 0; i < search->all->count; i++) {
        const struct segment_breakpoint *item = &search->all->items[i];
        if (item->device != status.st_dev || item->inode != status.st_ino)
            continue;
        search->addresses[i] = info->dlpi_addr + item->address;
        if (item->semaphore)
            raise_semaphore(info, item->semaphore);
    }
    return 0;
}

static struct segment_family *claim_family(struct segment *segment)
{
    uint32_t number = namespace_number(getpid());
    for (uint32_t i = 0; i < SEGMENT_FAMILIES; i++) {
        uint32_t nobody = 0;
        struct segment_family *slot = &segment->breakpoints.families[i];
        if (atomic_compare_exchange_strong(&slot->pid, &nobody, number))
            return slot;
    }
    return NULL;
}

/* The end that is written to stays open for as long as there is anybody of the family. */
static int open_life(struct segment_family *opened)
{
    int ends[2];
    int rc = (int)kernel_call(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0);
    if (rc < 0)
        return rc;
    opened->life = descriptors_keep(ends[0], DESCRIPTORS_OF_FAMILY);
    life_end = descriptors_keep(ends[1], DESCRIPTORS_OF_FAMILY);
    return opened->life < 0 ? opened->life : life_end;
}

static int open_all(struct segment_breakpoints *all, struct segment_family *opened)
{
    uint64_t first = 0;
    int rc = open_life(opened);
    for (uint32_t i = 0; i < SEGMENT_BREAKPOINTS; i++) {
        opened->counters[i] = opened->alarms[i] = -1;
        atomic_store(&opened->published[i], 0);
        if (i < all->count && opened->addresses[i] && rc >= 0) {
            rc = opened->counters[i] = open_event(opened->addresses[i], false);
            first = first ? first : opened->addresses[i];
        }
    }
    for (uint32_t i = 0; i < all->alarms && rc >= 0; i++)
        rc = opened->alarms[i] = open_event(first, true);
    return rc < 0 ? rc : 0;
}

static void close_all(struct segment_family *opened)
{
    for (uint32_t i = 0; i < SEGMENT_BREAKPOINTS; i++) {
        descriptors_drop(opened->counters[i], DESCRIPTORS_OF_FAMILY);
        descriptors_drop(opened->alarms[i], DESCRIPTORS_OF_FAMILY);
    }
    descriptors_drop(opened->life, DESCRIPTORS_OF_FAMILY);
    descriptors_drop(life_end, DESCRIPTORS_OF_FAMILY);
}

/* Until it has the events no edge can be wanted, and what ends before that would be lost. */
static void wait_for_controller(struct segment_family *opened)
{
    struct timespec patience = {.tv_nsec = PATIENCE_NS};
    atomic_store(&opened->state, FAMILY_OPEN);
    runtime_wake_controller();
    while (atomic_load(&opened->state) == FAMILY_OPEN)
        if (kernel_call(SYS_futex, (long)&opened->state, FUTEX_WAIT, FAMILY_OPEN, (long)&patience, 0, 0) ==
            -ETIMEDOUT)
            return;
}

/* The program that has executed this one leaves its breakpoints behind, until the controller lets go of them:
 * it does so when it looks. */
static int open_in_time(struct segment *segment, struct segment_family *opened)
{
    enum { TRIES = 100, WAIT_NS = 5000000 };
    struct timespec time = {.tv_nsec = WAIT_NS};
    int rc = open_all(&segment->breakpoints, opened);
    for (int i = 0; rc == -ENOSPC && i < TRIES; i++) {
        close_all(opened);
        runtime_wake_controller();
        kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
        rc = open_all(&segment->breakpoints, opened);
    }
    return rc;
}

static bool has_threads(void)
{
    struct stat status;
    return look_at_file("/proc/self/task", &status) && status.st_nlink > 3; /* ".", "..", and the first one */
}

void breakpoints_begin(struct segment *segment)
{
    struct segment_breakpoints *all = &segment->breakpoints;
    uint64_t addresses[SEGMENT_BREAKPOINTS] = {0};
    bool any = false;
    family = NULL; /* of the program that has executed this one it would not be */
    if (!atomic_load_explicit(&all->count, memory_order_acquire))
        return;
    dl_iterate_phdr(look_at_object, &(struct search){all, addresses});
    for (uint32_t i = 0; i < SEGMENT_BREAKPOINTS; i++)
        any |= addresses[i] != 0;
    struct segment_family *opened = any ? claim_family(segment) : NULL;
    if (any && !opened)
        atomic_store(&all->failed, EUSERS);
    if (!opened)
        return;
    atomic_store(&opened->state, FAMILY_NEW);
    memcpy(opened->addresses, addresses, sizeof addresses);
    int rc = open_in_time(segment, opened);
    if (rc < 0) {
        atomic_store(&all->failed, (uint32_t)-rc);
        close_all(opened);
        atomic_store(&opened->pid, 0);
        return;
    }
    if (has_threads())
        atomic_store(&all->late, 1);
    family = opened;
    breakpoints_guard(SIGTRAP);
    breakpoints_open_signal();
    wait_for_controller(opened);
    descriptors_drop(opened->life, DESCRIPTORS_OF_FAMILY);
}

/* ---- counting ---- */

/* What all processes of the family have counted there, for the point: the first to read it adds it. */
static void publish(uint32_t index)
{
    struct segment *segment = runtime_segment;
    uint64_t value = 0, known = atomic_load(&family->published[index]);
    int fd = family->counters[index];
    if (!descriptors_is_of(fd, DESCRIPTORS_OF_FAMILY) ||
        kernel_call(SYS_read, fd, (long)&value, sizeof value, 0, 0, 0) != sizeof value)
        return;
    while (known < value && !atomic_compare_exchange_weak(&family->published[index], &known, value))
        ;
    if (known < value)
        atomic_fetch_add(&segment->points[segment->breakpoints.items[index].point].count, value - known);
}

static uint64_t publish_point(uint32_t point)
{
    struct segment *segment = runtime_segment;
    for (uint32_t i = 0; i < segment->breakpoints.count; i++)
        if (segment->breakpoints.items[i].point == point)
            publish(i);
    return atomic_load(&segment->points[point].count);
}

/* ---- alarms ---- */

bool breakpoints_are_met(void)
{
    return family != NULL;
}

bool breakpoints_has_alarms(void)
{
    return family && runtime_segment && runtime_segment->breakpoints.alarms;
}

static void silence_alarms(void)
{
    for (uint32_t i = 0; i < SEGMENT_BREAKPOINTS; i++)
        if (descriptors_is_of(family->alarms[i], DESCRIPTORS_OF_FAMILY))
            kernel_call(SYS_ioctl, family->alarms[i], PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
}

static bool is_alarm(const siginfo_t *info)
{
    uint64_t data;
    memcpy(&data, (const char *)info + TRAP_DATA, sizeof data);
    return info->si_signo == SIGTRAP && info->si_code == TRAP_OF_PERF && data == SEGMENT_ALARM_DATA;
}

bool breakpoints_take(const siginfo_t *info)
{
    struct segment *segment = runtime_segment;
    if (likely(info->si_signo != SIGTRAP) || !is_alarm(info))
        return false;
    if (!segment || !family || !departure_begin_work())
        return true;
    int saved = errno;
    uint32_t driver = atomic_load(&segment->edge_driver);
    bool is_wanted = edge_is_wanted(atomic_load(&segment->edge_word)) && driver < SEGMENT_POINTS &&
                     segment->points[driver].is_breakpoint;
    /* Who cannot take it leaves it to the next visit. */
    if (!is_wanted || progress_alarm(&segment->points[driver], publish_point(driver)))
        silence_alarms();
    departure_end_work();
    errno = saved;
    return true;
}

bool breakpoints_is_in_trap(const ucontext_t *context)
{
    uint64_t pc = registers_of(context).pc;
    if (likely(!family) || !registers_resumes(context))
        return false;
    for (uint32_t i = 0; i < SEGMENT_BREAKPOINTS; i++)
        if (family->addresses[i] == pc)
            return true;
    return false;
}

/* ---- the signal ---- */

/* What is no alarm does what it would do without us. A trap instruction was passed, so it is sent again. */
static void on_trap(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (breakpoints_take(info) || is_trap_ignored)
        return;
    struct sigaction nothing = {.sa_handler = SIG_DFL};
    REAL(sigaction)(number, &nothing, NULL);
    kernel_call(SYS_tgkill, getpid(), gettid(), number, 0, 0, 0);
}

void breakpoints_open_signal(void)
{
    uint64_t only = 1ull << (SIGTRAP - 1);
    if (breakpoints_has_alarms())
        kernel_call(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&only, 0, sizeof only, 0, 0);
}

bool breakpoints_is_handler(const void *handler)
{
    return handler == (const void *)on_trap;
}

void breakpoints_guard(int number)
{
    struct sigaction there,
        ours = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    if (number != SIGTRAP || !breakpoints_has_alarms() || REAL(sigaction)(number, NULL, &there))
        return;
    bool is_ignored = there.sa_handler == SIG_IGN;
    if (!is_ignored && (there.sa_flags & SA_SIGINFO || there.sa_handler != SIG_DFL))
        return;
    is_trap_ignored = is_ignored;
    memset(&ours.sa_mask, 0xff, sizeof ours.sa_mask);
    REAL(sigaction)(number, &ours, NULL);
}
