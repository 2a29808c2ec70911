/* Message queues, System V's messages and semaphores, locks on files, commands at pipes, and storage. */
#include "probe.h"

#include <aio.h>
#include <mqueue.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

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

/* ---- a command that reads until we close its pipe */

static FILE *command;
static int command_end[2];

static void new_command(void)
{
    char line[64];
    expect(pipe(command_end) == 0);
    snprintf(line, sizeof line, "read x <&%d", command_end[0]);
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
        {"pclose", PEER, new_command, command_closes, command_ends},
        {"aio_suspend", OUTSIDE, NULL, nothing_to_read, NULL},
    };
    probe_attach();
    int status = PROBE_RUN(cases);
    msgctl(messages, IPC_RMID, NULL);
    semctl(semaphores, 0, IPC_RMID);
    return status;
}
