/* Message queues, System V's messages and semaphores, locks on files, commands at pipes, and storage. */
#include "probe.h"

#include <aio.h>
#include <mqueue.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>

static const struct timespec minute = {60, 0};
static char byte = 'x';

static struct timespec in_a(struct timespec time)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time.tv_sec += now.tv_sec;
    time.tv_nsec += now.tv_nsec;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

/* ---- message queues of one place */

static mqd_t queue = -1;

static void new_queue(void)
{
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
    char name[64];
    snprintf(name, sizeof name, "/coz-probe-%d", (int)getpid());
    if (queue >= 0)
        mq_close(queue);
    queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
    expect(queue >= 0);
    mq_unlink(name);
}

static void full_queue(void)
{
    new_queue();
    expect(mq_send(queue, &byte, 1, 0) == 0);
}

static void queue_receive(void)
{
    char got;
    expect(mq_receive(queue, &got, 1, NULL) == 1);
}

static void queue_timedreceive(void)
{
    char got;
    struct timespec until = in_a(minute);
    expect(mq_timedreceive(queue, &got, 1, NULL, &until) == 1);
}

static void queue_times_out(void)
{
    char got;
    struct timespec until = in_a(probe_soon());
    expect(mq_timedreceive(queue, &got, 1, NULL, &until) == -1 && errno == ETIMEDOUT);
}

static void queue_send(void)
{
    expect(mq_send(queue, &byte, 1, 0) == 0);
}

static void queue_timedsend(void)
{
    struct timespec until = in_a(minute);
    expect(mq_timedsend(queue, &byte, 1, 0, &until) == 0);
}

/* ---- System V; both end with EINTR after any signal */

static int messages = -1, semaphores = -1;

static void new_messages(void)
{
    if (messages < 0)
        messages = msgget(IPC_PRIVATE, 0600);
    expect(messages >= 0);
}

static void message_receive(void)
{
    struct msgbuf message;
    expect(msgrcv(messages, &message, 1, 0, 0) == 1);
}

static void message_send(void)
{
    struct msgbuf message = {.mtype = 1};
    expect(msgsnd(messages, &message, 1, 0) == 0);
}

/* A queue of one byte. */
static void full_messages(void)
{
    struct msqid_ds status;
    new_messages();
    expect(msgctl(messages, IPC_STAT, &status) == 0);
    status.msg_qbytes = 1;
    expect(msgctl(messages, IPC_SET, &status) == 0);
    message_send();
}

static void new_semaphore(void)
{
    if (semaphores < 0)
        semaphores = semget(IPC_PRIVATE, 1, 0600);
    expect(semaphores >= 0);
}

static struct sembuf down = {.sem_op = -1}, up = {.sem_op = 1};

static void semaphore_down(void)
{
    expect(semop(semaphores, &down, 1) == 0);
}

static void semaphore_timed_down(void)
{
    expect(semtimedop(semaphores, &down, 1, &minute) == 0);
}

static void semaphore_times_out(void)
{
    struct timespec soon = probe_soon();
    expect(semtimedop(semaphores, &down, 1, &soon) == -1 && errno == EAGAIN);
}

static void semaphore_up(void)
{
    expect(semop(semaphores, &up, 1) == 0);
}

/* ---- locks on files */

static int holder = -1, other = -1;

static void locked_file(void)
{
    char path[] = "/tmp/coz-probe.XXXXXX";
    if (holder >= 0) {
        close(holder);
        close(other);
    }
    holder = mkstemp(path);
    other = open(path, O_RDWR | O_CLOEXEC);
    unlink(path);
    expect(flock(holder, LOCK_EX) == 0);
}

static void file_lock(void)
{
    expect(flock(other, LOCK_EX) == 0);
}

static void file_unlock(void)
{
    expect(flock(holder, LOCK_UN) == 0);
}

/* ---- locks on ranges: of a process, or of an open file; the process is a child */

static pid_t child;
static int gate[2], ready[2];

static int range(int fd, int command, short type)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    return fcntl(fd, command, &lock);
}

static void locked_by_child(void)
{
    char got;
    locked_file();
    expect(pipe(gate) == 0 && pipe(ready) == 0);
    child = fork();
    if (child == 0) {
        int rc = range(holder, F_SETLK, F_WRLCK);
        rc |= write(ready[1], &byte, 1) != 1 || read(gate[0], &got, 1) != 1;
        rc |= range(holder, F_SETLK, F_UNLCK);
        _exit(rc != 0 || read(gate[0], &got, 1) != 1);
    }
    expect(read(ready[0], &got, 1) == 1);
}

static void child_unlocks(void)
{
    expect(write(gate[1], &byte, 1) == 1);
}

/* The child goes on until the lock was got: its end would let it go as well. */
static void child_ends(void)
{
    int status = 1;
    expect(write(gate[1], &byte, 1) == 1);
    expect(waitpid(child, &status, 0) == child && status == 0);
    for (int i = 0; i < 2; i++) {
        close(gate[i]);
        close(ready[i]);
    }
}

static void range_lock(void)
{
    expect(range(other, F_SETLKW, F_WRLCK) == 0);
    child_ends();
}

static void whole_lock(void)
{
    expect(lockf(other, F_LOCK, 1) == 0);
    child_ends();
}

static void whole_lock64(void)
{
    expect(lockf64(other, F_LOCK, 1) == 0);
    child_ends();
}

static void open_file_locked(void)
{
    locked_file();
    expect(range(holder, F_OFD_SETLKW, F_WRLCK) == 0);
}

static void open_file_lock(void)
{
    expect(range(other, F_OFD_SETLKW, F_WRLCK) == 0);
}

static void open_file_lock64(void)
{
    struct flock64 lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    expect(fcntl64(other, F_OFD_SETLKW, &lock) == 0);
}

static void open_file_unlock(void)
{
    expect(range(holder, F_OFD_SETLK, F_UNLCK) == 0);
}

/* ---- FIFOs: who opens one end waits for the other's */

static char fifo[64];
static int reading = -1, writing = -1;

static void new_fifo(void)
{
    snprintf(fifo, sizeof fifo, "/tmp/coz-probe-%d", (int)getpid());
    if (reading >= 0)
        close(reading);
    if (writing >= 0)
        close(writing);
    unlink(fifo);
    expect(mkfifo(fifo, 0600) == 0);
}

#define OPENS(name, end, call)                                                                               \
    static void name(void)                                                                                   \
    {                                                                                                        \
        end = call;                                                                                          \
        expect(end >= 0);                                                                                    \
    }

OPENS(open_to_read, reading, open(fifo, O_RDONLY | O_CLOEXEC))
OPENS(open64_to_read, reading, open64(fifo, O_RDONLY | O_CLOEXEC))
OPENS(openat_to_read, reading, openat(AT_FDCWD, fifo, O_RDONLY | O_CLOEXEC))
OPENS(openat64_to_read, reading, openat64(AT_FDCWD, fifo, O_RDONLY | O_CLOEXEC))
OPENS(open_to_write, writing, open(fifo, O_WRONLY | O_CLOEXEC))

/* ---- a command that reads until we close its pipe */

static FILE *command;
static int command_end[2];

static void new_command(void)
{
    char line[64];
    expect(pipe(command_end) == 0);
    snprintf(line, sizeof line, "read x </dev/fd/%d", command_end[0]);
    command = popen(line, "w");
    expect(command != NULL);
}

static void command_closes(void)
{
    expect(pclose(command) == 0);
}

static void command_ends(void)
{
    expect(write(command_end[1], "\n", 1) == 1);
    close(command_end[0]);
    close(command_end[1]);
}

/* ---- asynchronous input of what never comes */

static void nothing_to_read(void)
{
    int fds[2];
    static char room;
    static struct aiocb request;
    expect(pipe(fds) == 0);
    request = (struct aiocb){.aio_fildes = fds[0], .aio_buf = &room, .aio_nbytes = 1};
    const struct aiocb *list[] = {&request};
    expect(aio_read(&request) == 0);
    struct timespec soon = probe_soon();
    expect(aio_suspend(list, 1, &soon) == -1 && errno == EAGAIN);
    expect(write(fds[1], "x", 1) == 1);
    expect(aio_suspend(list, 1, &minute) == 0);
}

/* Kernels may be built without them, and containers may forbid them. */
static bool has_queues(void)
{
    mqd_t any = mq_open("/coz-probe-none", O_RDONLY);
    return any >= 0 || (errno != ENOSYS && errno != EACCES && errno != EPERM);
}

static bool has_system_v(void)
{
    int any = semget(IPC_PRIVATE, 1, 0600);
    semctl(any, 0, IPC_RMID);
    return any >= 0 || (errno != ENOSYS && errno != EPERM);
}

static void nothing_to_read64(void)
{
    int fds[2];
    static char room;
    static struct aiocb64 request;
    expect(pipe(fds) == 0);
    request = (struct aiocb64){.aio_fildes = fds[0], .aio_buf = &room, .aio_nbytes = 1};
    const struct aiocb64 *list[] = {&request};
    expect(aio_read64(&request) == 0);
    struct timespec soon = probe_soon();
    expect(aio_suspend64(list, 1, &soon) == -1 && errno == EAGAIN);
    expect(write(fds[1], "x", 1) == 1);
    expect(aio_suspend64(list, 1, &minute) == 0);
}

/* ---- storage: no peer is behind it */

static void *mapped;

static void call_fsync(void)
{
    expect(fsync(holder) == 0);
}

static void call_fdatasync(void)
{
    expect(fdatasync(holder) == 0);
}

static void call_syncfs(void)
{
    expect(syncfs(holder) == 0);
}

static void call_msync(void)
{
    expect(msync(mapped, 4096, MS_SYNC) == 0);
}

static void call_sync_file_range(void)
{
    expect(sync_file_range(holder, 0, 0, SYNC_FILE_RANGE_WRITE) == 0 || errno == ENOSYS);
}

static void call_sync(void)
{
    sync();
}

static void storage(void)
{
    locked_file();
    expect(ftruncate(holder, 4096) == 0);
    mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, holder, 0);
    expect(mapped != MAP_FAILED);
    probe_levels("fsync", call_fsync);
    probe_levels("fdatasync", call_fdatasync);
    probe_levels("syncfs", call_syncfs);
    probe_levels("msync", call_msync);
    probe_levels("sync_file_range", call_sync_file_range);
    probe_levels("sync", call_sync);
}

int main(void)
{
    static const struct probe_case cases[] = {
        {"mq_receive", PEER, new_queue, queue_receive, queue_send, has_queues},
        {"mq_timedreceive", PEER, new_queue, queue_timedreceive, queue_timedsend, has_queues},
        {"mq_timedreceive, too late", OUTSIDE, new_queue, queue_times_out, NULL, has_queues},
        {"mq_send", PEER, full_queue, queue_send, queue_receive, has_queues},
        {"mq_timedsend", PEER, full_queue, queue_timedsend, queue_timedreceive, has_queues},
        {"msgrcv", PEER, new_messages, message_receive, message_send, has_system_v},
        {"semop", PEER, new_semaphore, semaphore_down, semaphore_up, has_system_v},
        {"semtimedop", PEER, new_semaphore, semaphore_timed_down, semaphore_up, has_system_v},
        {"semtimedop, too late", OUTSIDE, new_semaphore, semaphore_times_out, NULL, has_system_v},
        {"flock", PEER, locked_file, file_lock, file_unlock},
        {"fcntl, F_SETLKW", PEER, locked_by_child, range_lock, child_unlocks},
        {"lockf", PEER, locked_by_child, whole_lock, child_unlocks},
        {"lockf64", PEER, locked_by_child, whole_lock64, child_unlocks},
        {"fcntl, F_OFD_SETLKW", PEER, open_file_locked, open_file_lock, open_file_unlock},
        {"fcntl64, F_OFD_SETLKW", PEER, open_file_locked, open_file_lock64, open_file_unlock},
        {"open a FIFO", PEER, new_fifo, open_to_read, open_to_write},
        {"open64 a FIFO", PEER, new_fifo, open64_to_read, open_to_write},
        {"openat a FIFO", PEER, new_fifo, openat_to_read, open_to_write},
        {"openat64 a FIFO", PEER, new_fifo, openat64_to_read, open_to_write},
        {"open a FIFO to write", PEER, new_fifo, open_to_write, open_to_read},
        {"msgsnd to a full queue", PEER, full_messages, message_send, message_receive, has_system_v},
        {"pclose", PEER, new_command, command_closes, command_ends},
        {"aio_suspend", OUTSIDE, NULL, nothing_to_read, NULL},
        {"aio_suspend64", OUTSIDE, NULL, nothing_to_read64, NULL},
    };
    probe_attach();
    storage();
    int status = PROBE_RUN(cases);
    unlink(fifo);
    msgctl(messages, IPC_RMID, NULL);
    semctl(semaphores, 0, IPC_RMID);
    return status;
}
