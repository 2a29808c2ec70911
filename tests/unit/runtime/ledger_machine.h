/* A machine in which threads run by the ledger's rules and a clock of its own: as many cores as threads,
 * exact samples of one quantum, pauses as long as they should be. A program is a loop of operations; all
 * waiting is for semaphores that are handed over in the order of arrival. The virtual time of a program with
 * a speedup must be the time of the same program in which the target's work is really shorter. */
#pragma once

#include "runtime/ledger/ledger.h"

#include <string.h>

enum operation_kind {
    WORK,   /* ns, outside the target */
    TARGET, /* ns, in the target */
    TAKE,   /* semaphore: waits for one */
    GIVE,   /* semaphore: lets one go on */
    VISIT,  /* of the progress point */
    AGAIN,  /* from the beginning */
};

struct operation {
    enum operation_kind kind;
    uint64_t amount;
};

enum { MACHINE_THREADS = 8, MACHINE_SEMAPHORES = 8, MACHINE_QUANTUM = 1000 };

struct machine_thread {
    const struct operation *next, *first;
    uint64_t now_ns, left_ns;
    bool blocked;
    struct balance account;
    _Atomic uint64_t paid_ns;
};

struct machine {
    struct segment *segment;
    double speedup;
    struct machine_thread threads[MACHINE_THREADS];
    int thread_count;
    int available[MACHINE_SEMAPHORES];
    struct machine_thread *waiting[MACHINE_SEMAPHORES][MACHINE_THREADS]; /* in order of arrival */
    int waiting_count[MACHINE_SEMAPHORES];
    int visits;
    uint64_t visited_ns; /* virtual, at the last visit */
};

static inline void machine_add(struct machine *machine, const struct operation *program)
{
    struct machine_thread *thread = &machine->threads[machine->thread_count++];
    thread->next = thread->first = program;
    thread->account.paid_ns = &thread->paid_ns;
}

static inline struct machine_thread *machine_earliest(struct machine *machine)
{
    struct machine_thread *earliest = NULL;
    for (int i = 0; i < machine->thread_count; i++) {
        struct machine_thread *thread = &machine->threads[i];
        if (!thread->blocked && (!earliest || thread->now_ns < earliest->now_ns))
            earliest = thread;
    }
    return earliest;
}

/* Pays what is owed now. Others may run meanwhile, and more become due. */
static inline bool machine_pay(struct machine *machine, struct machine_thread *thread)
{
    uint64_t debt = ledger_debt(&thread->account, machine->segment);
    thread->now_ns += debt;
    ledger_paused(&thread->account, machine->segment, debt);
    return debt > 0;
}

static inline void machine_work(struct machine *machine, struct machine_thread *thread, bool target)
{
    if (!thread->left_ns)
        thread->left_ns = thread->next->amount;
    uint64_t piece = thread->left_ns < MACHINE_QUANTUM ? thread->left_ns : MACHINE_QUANTUM;
    thread->now_ns += piece;
    thread->left_ns -= piece;
    if (target)
        ledger_step(&thread->account, machine->segment, (uint64_t)((double)piece * machine->speedup));
    machine_pay(machine, thread);
    thread->next += !thread->left_ns;
}

static inline void machine_take(struct machine *machine, struct machine_thread *thread, uint64_t semaphore)
{
    thread->next++;
    if (machine->available[semaphore] > 0) {
        machine->available[semaphore]--;
        return;
    }
    thread->blocked = true;
    machine->waiting[semaphore][machine->waiting_count[semaphore]++] = thread;
}

static inline void machine_give(struct machine *machine, struct machine_thread *thread, uint64_t semaphore)
{
    thread->next++;
    if (machine->waiting_count[semaphore] == 0) {
        machine->available[semaphore]++;
        return;
    }
    struct machine_thread **waiting = machine->waiting[semaphore], *woken = waiting[0];
    memmove(waiting, waiting + 1, (size_t)--machine->waiting_count[semaphore] * sizeof *waiting);
    woken->blocked = false;
    uint64_t most = woken->paid_ns + thread->now_ns - woken->now_ns;
    woken->now_ns = thread->now_ns;
    ledger_credit_wake(&woken->account, machine->segment, most);
}

static inline void machine_step(struct machine *machine, struct machine_thread *thread)
{
    const struct operation *operation = thread->next;
    if (operation->kind == WORK || operation->kind == TARGET) {
        machine_work(machine, thread, operation->kind == TARGET);
        return;
    }
    if (operation->kind == AGAIN) {
        thread->next = thread->first;
        return;
    }
    /* Level before taking, giving and visiting. */
    if (machine_pay(machine, thread))
        return;
    if (operation->kind == TAKE)
        machine_take(machine, thread, operation->amount);
    else if (operation->kind == GIVE)
        machine_give(machine, thread, operation->amount);
    else {
        thread->next++;
        machine->visits++;
        machine->visited_ns = thread->now_ns - thread->paid_ns;
    }
}

/* Virtual time for each visit, over so many visits after the first few. */
static inline double machine_run(struct machine *machine, int visits)
{
    enum { WARM_UP = 20 };
    uint64_t start_ns = 0;
    while (machine->visits < visits + WARM_UP) {
        struct machine_thread *thread = machine_earliest(machine);
        if (!thread)
            return -1; /* all wait for each other */
        machine_step(machine, thread);
        if (machine->visits <= WARM_UP)
            start_ns = machine->visited_ns;
    }
    return (double)(machine->visited_ns - start_ns) / visits;
}
