#include "runtime/thread/give_way.h"

#include "base/clock.h"
#include "runtime/core/kernel.h"
#include "runtime/core/message.h"
#include "runtime/core/namespace.h"
#include "runtime/real/list.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/thread/thread.h"
#include "shared/thread_slots.h"

#include <errno.h>
#include <time.h>

static _Atomic unsigned followers; /* counts each time that a thread has followed */

bool give_way_is_vforked(void)
{
    return thread_current.on && gettid() != thread_current.tid;
}

/* All signals of the thread are blocked; it goes on with the mask. */
static void follow_signal(sigset_t *mask)
{
    struct thread *thread = &thread_current;
    if (own_signal_change_mask(mask))
        atomic_fetch_add(&followers, 1);
    if (thread->on)
        sampler_change_signal(&thread->sampler, own_signal());
}

void give_way_follow(ucontext_t *context)
{
    sigset_t whatever;
    int saved = errno;
    own_signal_block_all(&whatever); /* until the handler is back */
    follow_signal(&context->uc_sigmask);
    errno = saved;
}

void give_way_follow_now(void)
{
    sigset_t mask;
    int saved = errno;
    own_signal_block_all(&mask);
    follow_signal(&mask);
    own_signal_set_mask(&mask);
    errno = saved;
}

/* By both numbers: who is in sigsuspend() holds the old one back. Returns how many have been told. */
static unsigned tell_others(int before)
{
    struct segment *segment = runtime_segment;
    uint32_t pid = namespace_number(getpid()), self = namespace_number(gettid()), told = 0;
    uint32_t index = 0;
    uint64_t owner;
    while (thread_slots_next_of(segment, pid, &index, &owner)) {
        uint32_t tid = thread_slot_tid(owner);
        if (tid == self)
            continue;
        told += own_signal_send((pid_t)segment_number_pid(tid), before);
        if (own_signal())
            own_signal_send((pid_t)segment_number_pid(tid), own_signal());
    }
    return told;
}

static void say_given_up(int number)
{
    if (own_signal())
        atomic_store_explicit(&runtime_segment->signal_given_up, (uint32_t)number, memory_order_relaxed);
    else
        message_say("the program uses all real-time signals: none is left to sample its threads by, and they "
                    "are not sampled from there on");
}

static void change_signal(int number, const sigset_t *avoid, bool is_asked_for)
{
    enum { LONGEST_WAIT = 500, LOOK_EVERY_NS = 100000 };
    struct timespec time = {0, LOOK_EVERY_NS};
    sigset_t mask;
    int saved = errno;
    own_signal_block_all(&mask);
    unsigned before = atomic_load(&followers);
    if (own_signal_give_up(number, avoid, is_asked_for)) {
        unsigned told = tell_others(number);
        follow_signal(&mask);
        for (int i = 0; i < LONGEST_WAIT && atomic_load(&followers) - before < told + 1; i++)
            kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
        say_given_up(number);
    }
    own_signal_set_mask(&mask);
    errno = saved;
}

void give_way(int number)
{
    if (own_signal_is(number) && runtime_segment && !give_way_is_vforked())
        change_signal(number, NULL, true);
}

void give_way_to_sender(int number)
{
    if (unlikely(own_signal_is(number)) && own_signal_is_hidden() && !own_signal_is_ignored(number))
        give_way(number);
}

void give_way_to_set(const sigset_t *set)
{
    int number = own_signal();
    if (!number || !runtime_segment || sigismember(set, number) != 1)
        return;
    for (int other = SIGRTMIN; other <= SIGRTMAX; other++)
        if (sigismember(set, other) == 0) {
            if (!give_way_is_vforked())
                change_signal(number, set, false);
            return;
        }
}

static void end_by(int number, const siginfo_t *info)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    REAL(sigaction)(number, &action, NULL);
    own_signal_send_again(number, info);
}

bool give_way_took_a_signal(unsigned before)
{
    enum { LONGEST_NS = 5000000, LOOK_EVERY_NS = 50000 };
    struct timespec time = {0, LOOK_EVERY_NS};
    if (!thread_current.on)
        return false;
    uint64_t until_ns = clock_wall_ns() + LONGEST_NS;
    while (own_signal_times_sent_again() == before && clock_wall_ns() < until_ns)
        kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
    return own_signal_times_sent_again() != before;
}

void give_way_pass_on(int number, const siginfo_t *info, ucontext_t *context)
{
    int saved = errno;
    if (own_signal_is(number) && !own_signal_is_ignored(number) && own_signal_give_up(number, NULL, true)) {
        tell_others(number);
        say_given_up(number);
    }
    give_way_follow(context);
    if (sigismember(&context->uc_sigmask, number) == 1)
        own_signal_send_again(number, info);
    else if (!own_signal_is_ignored(number))
        end_by(number, info);
    errno = saved;
}
