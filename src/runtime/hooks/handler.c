/* The handlers that the program installs are called by ours (handlers.h), which the program does not see: it
 * is told its own. A handler of each kind has its own table, so that none is ever called in the other's way,
 * whatever a signal meets that comes while the kernel's entry and ours are changed one after the other. */
#include "runtime/arch/registers.h"
#include "runtime/real/list.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/thread/breakpoints.h"
#include "runtime/thread/give_way.h"
#include "runtime/thread/handlers.h"
#include "runtime/thread/sample.h"

#include <string.h>

EXPORT sighandler_t bsd_signal(int number, sighandler_t handler);

typedef void program_handler(int, siginfo_t *, void *);

static _Atomic(program_handler *) plain[_NSIG], with_info[_NSIG];

static void call_handler(program_handler *handler, int number, siginfo_t *info, void *context)
{
    if (unlikely(own_signal_was_given_up(number) && own_signal_is_sample(info))) {
        thread_current.nesting.samples += handlers_ended_a_call(context);
        give_way_follow(context);
        return;
    }
    if (breakpoints_take(info))
        return;
    own_signal_unmark(info);
    struct interruption was = handlers_enter();
    handler(number, info, context);
    handlers_leave(&was);
}

/* With SA_SIGINFO, where the kernel wants to be asked for all three. */
static void on_plain(int number, siginfo_t *info, void *context)
{
    call_handler(atomic_load(&plain[number]), number, info, context);
}

static void on_info(int number, siginfo_t *info, void *context)
{
    call_handler(atomic_load(&with_info[number]), number, info, context);
}

/* What signal() has installed until tell_plain() has asked: a handler that may be told nothing but the number. */
static void on_untold(int number)
{
    program_handler *handler = atomic_load(&plain[number]);
    struct interruption was = handlers_enter();
    ((sighandler_t)(void *)handler)(number);
    handlers_leave(&was);
}

/* As what signal() and its like install for the program's handler. */
static sighandler_t wrapper_of_plain(void)
{
    return SIGNALS_ALWAYS_TELL ? (sighandler_t)(void *)on_plain : on_untold;
}

/* They cannot ask for more than the number, so it is asked for afterwards, with their flags and mask. */
static void tell_plain(int number)
{
    struct sigaction there;
    if (SIGNALS_ALWAYS_TELL || REAL(sigaction)(number, NULL, &there) || there.sa_handler != on_untold)
        return;
    there.sa_flags |= SA_SIGINFO;
    there.sa_sigaction = on_plain;
    REAL(sigaction)(number, &there, NULL);
}

static bool is_function(const void *handler)
{
    return handler != (const void *)SIG_DFL && handler != (const void *)SIG_IGN &&
           handler != (const void *)SIG_HOLD && handler != (const void *)SIG_ERR;
}

static bool may_wrap(int number, const void *handler)
{
    return runtime_segment && is_function(handler) && number > 0 && number < _NSIG && number != SIGKILL &&
           number != SIGSTOP && !give_way_is_vforked();
}

/* What the program had installed when the kernel has `there`. */
static void *unwrap_handler(void *there, program_handler *had_plain, program_handler *had_info)
{
    if (there == (void *)on_plain || there == (void *)on_untold)
        return (void *)had_plain;
    if (there == (void *)on_info)
        return (void *)had_info;
    return sample_is_handler(there) || breakpoints_is_handler(there) ? (void *)SIG_DFL : there;
}

static program_handler *find_entry(_Atomic(program_handler *) *table, int number)
{
    return number > 0 && number < _NSIG ? atomic_load(&table[number]) : NULL;
}

/* Samples go on by the number, while the program has nothing against it. */
static int leave_ours(int number, const struct sigaction *action, struct sigaction *before)
{
    bool was_ignored = own_signal_is_ignored(number);
    if (action)
        own_signal_set_ignored(number, action->sa_handler == SIG_IGN);
    if (before) {
        memset(before, 0, sizeof *before);
        before->sa_handler = was_ignored ? SIG_IGN : SIG_DFL;
    }
    return 0;
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (own_signal_is(number) && !give_way_is_vforked()) {
        if (!action || !is_function((const void *)action->sa_sigaction))
            return leave_ours(number, action, before);
        give_way(number);
    }
    program_handler *had_plain = find_entry(plain, number), *had_info = find_entry(with_info, number);
    struct sigaction changed;
    if (action) {
        changed = *action;
        if (own_signal())
            sigdelset(&changed.sa_mask, own_signal());
        if (breakpoints_has_alarms())
            sigdelset(&changed.sa_mask, SIGTRAP);
        bool takes_info = action->sa_flags & SA_SIGINFO;
        if (may_wrap(number, (const void *)action->sa_sigaction)) {
            atomic_store(takes_info ? &with_info[number] : &plain[number], action->sa_sigaction);
            changed.sa_sigaction = takes_info ? on_info : on_plain;
            changed.sa_flags |= SIGNALS_ALWAYS_TELL ? 0 : SA_SIGINFO;
        }
    }
    int rc = REAL(sigaction)(number, action ? &changed : NULL, before);
    if (rc == 0 && before) {
        void *was = (void *)before->sa_sigaction, *program = unwrap_handler(was, had_plain, had_info);
        if (sample_is_handler(was) || breakpoints_is_handler(was))
            memset(before, 0, sizeof *before);
        if (was == (void *)on_plain)
            before->sa_flags &= ~SA_SIGINFO;
        before->sa_sigaction = (program_handler *)program;
    }
    if (rc == 0 && action && !is_function((const void *)action->sa_sigaction)) {
        sample_guard(number);
        breakpoints_guard(number);
    }
    return rc;
}

HOOK_INLINE sighandler_t install_handler(sighandler_t (*real)(int, sighandler_t), int number,
                                         sighandler_t handler)
{
    if (own_signal_is(number) && !give_way_is_vforked()) {
        if (!is_function((const void *)handler)) {
            struct sigaction action = {.sa_handler = handler}, before;
            leave_ours(number, &action, &before);
            return before.sa_handler;
        }
        give_way(number);
    }
    program_handler *had_plain = find_entry(plain, number), *had_info = find_entry(with_info, number);
    bool wrapped = may_wrap(number, (const void *)handler);
    if (wrapped)
        atomic_store(&plain[number], (program_handler *)(void *)handler);
    sighandler_t was = real(number, wrapped ? wrapper_of_plain() : handler);
    if (was != SIG_ERR && wrapped)
        tell_plain(number);
    if (was != SIG_ERR && !wrapped) {
        sample_guard(number);
        breakpoints_guard(number);
    }
    return (sighandler_t)unwrap_handler((void *)was, had_plain, had_info);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    return install_handler(REAL(signal), number, handler);
}

EXPORT sighandler_t ssignal(int number, sighandler_t handler)
{
    return install_handler(REAL(signal), number, handler);
}

sighandler_t bsd_signal(int number, sighandler_t handler)
{
    return install_handler(REAL(signal), number, handler);
}

EXPORT sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return install_handler(REAL(sysv_signal), number, handler);
}

EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return install_handler(REAL(sysv_signal), number, handler);
}

EXPORT sighandler_t sigset(int number, sighandler_t handler)
{
    return install_handler(REAL(sigset), number, handler);
}
