#include "runtime/calls/waits.h"

#include "base/clock.h"
#include "base/hash.h"
#include "runtime/arch/ticks.h"
#include "runtime/ledger/handover.h"
#include "runtime/ledger/ramp.h"
#include "runtime/sampling/locate.h"
#include "shared/edge.h"
#include "shared/site_counts.h"
#include "shared/thread_slots.h"
#include "shared/waits.h"

enum {
    MOST_ASKED = 256, /* threads among which a waker is looked for */
    BELIEVED = 64,    /* calls from a place whose line hangs on who called it */
};

uint64_t wait_began_ns(uint64_t began_ns, uint64_t began_ticks)
{
    return began_ticks ? clock_wall_ns() - thread_since_ns(&thread_current, began_ticks, ticks_now())
                       : began_ns;
}

/* ---- where */

static struct call_site *find_call_site(struct thread *thread, uintptr_t at)
{
    struct call_site *row = thread->call_sites[hash_mix(at) % CALL_SITE_ROWS];
    for (unsigned place = 0; place < CALL_SITE_PLACES; place++)
        if (row[place].at == at)
            return &row[place];
    for (unsigned place = CALL_SITE_PLACES - 1; place > 0; place--)
        row[place] = row[place - 1];
    row[0] = (struct call_site){.at = at};
    return &row[0];
}

static uint32_t site_of_call(struct thread *thread, uintptr_t at)
{
    struct call_site *call = find_call_site(thread, at);
    bool is_its_own;
    if (!call->left) {
        call->site = locate_call(at, thread->stack_high, &is_its_own);
        call->left = is_its_own ? UINT32_MAX : BELIEVED;
    }
    call->left--;
    return call->site;
}

/* ---- which */

static struct segment_wait *wait_of(struct thread *thread)
{
    const struct wait *wait = &thread->wait;
    return wait_at(runtime_segment, wait->class, site_of_call(thread, wait->at));
}

static bool is_target(struct thread *thread, segment_target target)
{
    const struct wait *wait = &thread->wait;
    uint32_t number = segment_target_number(target);
    if (!segment_target_is_wait(target) || !number)
        return false;
    if (number == atomic_load_explicit(&runtime_segment->wait_targets[wait->class], memory_order_relaxed))
        return true;
    const struct segment_wait *own = wait_of(thread);
    return own && number == atomic_load_explicit(&own->target, memory_order_relaxed);
}

static uint32_t current_window(void)
{
    return edge_window(atomic_load_explicit(&runtime_segment->edge_word, memory_order_relaxed));
}

/* ---- when it was ended */

bool waits_find_handover(const struct thread *thread, uint64_t now_ns, struct handover *found)
{
    const struct wait *wait = &thread->wait;
    struct handover lock;
    if (wait->class == WAIT_READ || wait->class == WAIT_POLL)
        return handover_find_bytes(thread->slot, wait->began_ns, now_ns, found);
    if (!wait->object || !handover_find(wait->object, wait->began_ns, found))
        return false;
    if (wait->lock && handover_find(wait->lock, found->ns, &lock))
        *found = lock;
    return true;
}

/* ---- beginning */

/* What surely ends by itself gets ahead while it lasts; else nobody knows yet whether somebody gets ahead by it
 * who would have to be paid for. */
static bool ends_by_itself(enum wait_class class)
{
    return class == WAIT_SLEEP || class == WAIT_SYNC;
}

static void ask_cpu(struct wait *wait)
{
    wait->cpu_ns = clock_cpu_ns();
    uint64_t asked_ns = clock_wall_ns();
    wait->cost_ns += clock_passed_ns(wait->began_ns, asked_ns);
    wait->began_ns = asked_ns;
}

static void begin_target(struct thread *thread, segment_target target)
{
    struct wait *wait = &thread->wait;
    if (!is_target(thread, target))
        return;
    wait->permille = segment_target_permille(target);
    wait->window = current_window();
    if (wait->permille > 0 && ends_by_itself(wait->class))
        ramp_publish_wait(&thread->account, wait->permille / 1000.0, wait->began_ns, target, wait->window);
    if (wait_may_compute(wait->class))
        ask_cpu(wait);
}

void waits_begin(struct thread *thread)
{
    struct wait *wait = &thread->wait;
    segment_target target = runtime_target();
    wait->permille = 0;
    wait->cpu_ns = 0;
    if (wait->class == WAIT_WRITE && thread->on) {
        wait->object = NULL;
        waits_note_arrival(thread);
    }
    if (unlikely(segment_target_is_wait(target)) && segment_target_permille(target))
        begin_target(thread, target);
}

/* ---- who ended it */

/* When it woke whoever waits as that thread does: by the object, or by bytes. */
static uint64_t woke_at_ns(const struct wait *wait, const struct segment_thread *slot)
{
    return atomic_load_explicit(wait->object ? &slot->woke_ns : &slot->wrote_ns, memory_order_relaxed);
}

static bool is_waker(const struct wait *wait, uint32_t pid, const struct segment_thread *slot,
                     uint64_t now_ns)
{
    if (wait->object)
        return atomic_load_explicit(&slot->woke_object, memory_order_relaxed) == wait_object(wait->object) &&
               thread_slot_pid(thread_slot_owner(slot)) == pid;
    uint64_t wrote_ns = woke_at_ns(wait, slot);
    return wrote_ns > wait->began_ns && wrote_ns <= now_ns;
}

/* The latest that may have been it; NULL: nobody is known. */
static struct segment_thread *find_waker(const struct thread *thread, uint64_t now_ns)
{
    struct segment *segment = runtime_segment;
    struct segment_thread *found = NULL;
    uint32_t count = thread_slots_end(segment);
    for (uint32_t i = 0; i < count && i < MOST_ASKED; i++) {
        struct segment_thread *slot = &segment->thread_slots[i];
        if (slot == thread->slot || !thread_slot_is_taken(thread_slot_owner(slot)) ||
            !is_waker(&thread->wait, thread->account.pid, slot, now_ns))
            continue;
        if (!found || woke_at_ns(&thread->wait, slot) > woke_at_ns(&thread->wait, found))
            found = slot;
    }
    return found;
}

static uint32_t woke_from(const struct wait *wait, const struct segment_thread *slot)
{
    return atomic_load_explicit(wait->object ? &slot->woke_from : &slot->wrote_from, memory_order_relaxed);
}

static bool may_have_waker(enum wait_class class)
{
    return class == WAIT_LOCK || class == WAIT_CONDITION || class == WAIT_READ || class == WAIT_POLL;
}

/* The place at which that thread has waited while the calling one did, as wake_key() wants it. */
static uint32_t waited_meanwhile(const struct wait *wait, const struct segment_thread *slot)
{
    return atomic_load_explicit(&slot->waited_until_ns, memory_order_relaxed) > wait->began_ns
               ? atomic_load_explicit(&slot->waited_at, memory_order_relaxed)
               : 0;
}

static void note_waker(const struct thread *thread, uint32_t place, uint32_t share, uint64_t now_ns,
                       uint64_t ns)
{
    const struct segment_thread *slot =
        may_have_waker(thread->wait.class) ? find_waker(thread, now_ns) : NULL;
    uint32_t from = slot ? woke_from(&thread->wait, slot) : 0;
    struct segment_wake *wake =
        from ? wake_at(runtime_segment, wake_key(place, from, waited_meanwhile(&thread->wait, slot))) : NULL;
    if (!wake)
        return;
    atomic_fetch_add_explicit(&wake->count, share, memory_order_relaxed);
    atomic_fetch_add_explicit(&wake->ns, ns, memory_order_relaxed);
}

void waits_lift_waker(const struct thread *thread, uint64_t now_ns)
{
    enum wait_class class = thread->wait.class;
    if (!wait_may_compute(class))
        return;
    struct segment_thread *slot = find_waker(thread, now_ns);
    uint64_t paid = account_paid_ns(&thread->account), before;
    if (!slot)
        return;
    before = atomic_load_explicit(&slot->lifted_ns, memory_order_relaxed);
    while (before < paid && !atomic_compare_exchange_weak(&slot->lifted_ns, &before, paid))
        ;
}

/* ---- ending */

static void count_target(uint32_t target, uint64_t ns)
{
    if (target && target < SEGMENT_SITES)
        site_counts_add(runtime_segment, target, ns);
}

/* Waking others by writing is no wait for them. */
static void note_place(struct thread *thread, uint32_t place, uint64_t now_ns)
{
    if (!thread->slot || thread->wait.class == WAIT_WRITE)
        return;
    atomic_store_explicit(&thread->slot->waited_at, place + 1, memory_order_relaxed);
    atomic_store_explicit(&thread->slot->waited_until_ns, now_ns, memory_order_relaxed);
}

static uint32_t place_of(const struct segment_wait *wait)
{
    return (uint32_t)(wait - runtime_segment->waits);
}

static void add_to_totals(struct thread *thread, bool by_peer, uint32_t share, uint64_t now_ns, uint64_t ns)
{
    struct segment *segment = runtime_segment;
    struct segment_wait *wait = wait_of(thread);
    count_target(atomic_load_explicit(&segment->wait_targets[thread->wait.class], memory_order_relaxed), ns);
    if (!wait)
        return;
    idling_add(&thread->idling, place_of(wait), ns);
    if (thread->matters)
        atomic_store_explicit(&wait->matters, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&wait->count, share, memory_order_relaxed);
    atomic_fetch_add_explicit(&wait->ns, ns, memory_order_relaxed);
    if (segment_target_permille(runtime_target()) == 0)
        atomic_fetch_add_explicit(&wait->baseline_ns, ns, memory_order_relaxed);
    count_target(atomic_load_explicit(&wait->target, memory_order_relaxed), ns);
    if (by_peer || thread->wait.class == WAIT_READ || thread->wait.class == WAIT_POLL)
        note_waker(thread, place_of(wait), share, now_ns, ns);
    note_place(thread, place_of(wait), now_ns);
}

/* In what part of the ns that it lasted the thread was not on a core, as far as that was asked. */
static double idle_part(const struct wait *wait, uint64_t ns)
{
    uint64_t cpu_ns = wait->cpu_ns ? clock_passed_ns(wait->cpu_ns, clock_cpu_ns()) : 0;
    return cpu_ns < ns ? (double)(ns - cpu_ns) / (double)ns : 0;
}

/* Of a wait that lasted over an edge, each part counts in the window that it lay in, as others have paid for it
 * there; but for windows that it began before and ended after. */
static int64_t gain_of(struct thread *thread, uint64_t now_ns)
{
    const struct wait *wait = &thread->wait;
    segment_target target = runtime_target();
    uint32_t window = current_window();
    double gain = 0;
    if (wait->permille) {
        uint64_t edge_ns = window == wait->window ? 0 : edge_real_ns(runtime_segment, wait->window + 1);
        gain += (double)wait->permille *
                (double)clock_passed_ns(wait->began_ns, edge_ns && edge_ns < now_ns ? edge_ns : now_ns);
    }
    uint64_t edge_ns = segment_target_is_wait(target) ? edge_real_ns(runtime_segment, window) : 0;
    if (edge_ns > wait->began_ns && is_target(thread, target))
        gain += (double)segment_target_permille(target) * (double)clock_passed_ns(edge_ns, now_ns);
    return (int64_t)(gain / 1000);
}

int64_t waits_end(struct thread *thread, bool by_peer, uint32_t share, uint64_t now_ns)
{
    uint64_t ns = clock_passed_ns(thread->wait.began_ns, now_ns);
    double part = idle_part(&thread->wait, ns);
    int64_t gain = (int64_t)((double)gain_of(thread, now_ns) * part);
    if (share)
        add_to_totals(thread, by_peer, share, now_ns, (uint64_t)((double)ns * part) * share);
    return gain;
}

void waits_pass(struct thread *thread, uint64_t now_ns)
{
    const struct segment_wait *wait = wait_of(thread);
    if (wait)
        note_place(thread, place_of(wait), now_ns);
}

/* ---- waking */

static void hand_over(const struct thread *thread, const void *object)
{
    int64_t untold_ns = (int64_t)(thread->budget.cost_ns + thread->wait.cost_ns -
                                  ledger_debt(&thread->account.balance, runtime_segment));
    if (object)
        handover_note(object, untold_ns);
    else if (thread->slot)
        handover_note_bytes(thread->slot, untold_ns);
}

void waits_note_wake(struct thread *thread, const void *object, uintptr_t at)
{
    struct segment_thread *slot = thread->slot;
    if (!thread->on || thread->guard)
        return;
    thread->matters = true;
    /* While nothing is tried, nothing becomes due that whoever waits for the object would be credited with up to now. Who
     * has written bytes, and when, tells who has ended the wait for them, too. */
    if (!object || runtime_target())
        hand_over(thread, object);
    if (!slot)
        return;
    if (!object) {
        atomic_store_explicit(&slot->wrote_from, site_of_call(thread, at), memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&slot->woke_from, site_of_call(thread, at), memory_order_relaxed);
    atomic_store_explicit(&slot->woke_object, wait_object(object), memory_order_relaxed);
}

void waits_note_arrival(struct thread *thread)
{
    if (thread->slot && thread->wait.object)
        atomic_store_explicit(&thread->slot->woke_ns,
                              wait_began_ns(thread->wait.began_ns, thread->wait.began_ticks),
                              memory_order_relaxed);
    waits_note_wake(thread, thread->wait.object, thread->wait.at);
}
