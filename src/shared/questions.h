/* What processes tell the controller: questions about code that they met, and one message for the user.
 *
 * Both are written in several steps, and whoever writes may be killed between two of them. So each has an
 * owner, the thread that writes it, in one word (thread_slots.h), and who finds that thread gone takes over
 * what it has not finished.
 *
 * All functions are async-signal-safe, for any thread. */
#pragma once

#include "shared/thread_slots.h"

#include <string.h>

/* Whether the thread of that word is gone for certain. */
typedef bool owner_has_ended(uint64_t owner);

/* Makes `own` the owner of what nobody owns, or of what `done` does not say is finished and whose owner is
 * gone: that one was killed before it had finished, and if somebody else has taken it over since, the owner
 * is another one now. */
static inline bool owner_take(_Atomic uint64_t *owner, const _Atomic uint32_t *done, uint64_t own,
                              owner_has_ended *has_ended)
{
    uint64_t before = atomic_load(owner);
    if (before && (atomic_load(done) || !has_ended(before) || atomic_load(done)))
        return false;
    return atomic_compare_exchange_strong(owner, &before, own);
}

/* ---- questions ---- */

/* Whether it could be asked: false while all slots are in use. */
static inline bool question_ask(struct segment *segment, uint64_t own, uint32_t process, uint64_t address,
                                owner_has_ended *has_ended)
{
    for (int i = 0; i < SEGMENT_QUESTIONS; i++) {
        struct segment_question *question = &segment->questions[i];
        if (!owner_take(&question->owner, &question->process, own, has_ended))
            continue;
        question->pid = thread_slot_pid(own);
        question->address = address;
        atomic_store(&question->process, process);
        return true;
    }
    return false;
}

/* For the controller: the number of the process that asks it, 0 when there is nothing to answer. */
static inline uint32_t question_process(const struct segment_question *question)
{
    return atomic_load(&question->process);
}

/* For the controller, which has answered it: the slot is free. Not where somebody, who found the owner gone
 * and nothing asked any more, has taken it over already. */
static inline void question_end(struct segment_question *question)
{
    uint64_t owner = atomic_load(&question->owner);
    atomic_store(&question->process, 0);
    atomic_compare_exchange_strong(&question->owner, &owner, 0);
}

/* ---- the message ---- */

/* Only the first one is kept. */
static inline void message_leave(struct segment *segment, uint64_t own, const char *what,
                                 owner_has_ended *has_ended)
{
    if (!owner_take(&segment->message_owner, &segment->message_is_said, own, has_ended))
        return;
    strncpy(segment->message, what, SEGMENT_MESSAGE - 1);
    atomic_store(&segment->message_is_said, 1);
}

/* NULL: there is none. */
static inline const char *message_left(const struct segment *segment)
{
    return atomic_load(&segment->message_is_said) ? segment->message : NULL;
}
