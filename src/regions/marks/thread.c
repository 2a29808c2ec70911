#include "regions/marks/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_AT_FIRST = 32, LINE = 64 };

_Thread_local struct region_thread *thread_mine;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for those who begin */
static struct region_thread *first;                      /* atomic */
static bool prepared;
static pthread_key_t key;
static void (*forked)(void);

struct region_thread *thread_first(void)
{
    return __atomic_load_n(&first, __ATOMIC_ACQUIRE);
}

void thread_release(struct region_thread *thread)
{
    thread_mine = NULL;
    __atomic_store_n(&thread->taken, false, __ATOMIC_RELEASE);
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void begin_child(void)
{
    after_fork();
    forked();
}

bool thread_deepen(struct region_thread *thread)
{
    size_t depth = thread_depth(thread);
    size_t room = thread->frames ? 2 * (size_t)(thread->limit - thread->frames + 1) : FRAMES_AT_FIRST;
    struct frame *frames = realloc(thread->frames, room * sizeof *frames);
    if (!frames)
        return false;
    if (!thread->frames)
        memset(frames, 0, sizeof *frames);
    thread->frames = frames;
    thread->top = frames + depth;
    thread->limit = frames + room - 1;
    return true;
}

/* One that an ended thread has left, with its sums, which only grow. */
static struct region_thread *take_left(void)
{
    for (struct region_thread *thread = first; thread; thread = thread->next)
        if (!__atomic_load_n(&thread->taken, __ATOMIC_ACQUIRE))
            return thread;
    return NULL;
}

/* Under the lock. */
static struct region_thread *make(void)
{
    void *memory;
    if (posix_memalign(&memory, LINE, sizeof(struct region_thread)) != 0)
        return NULL;
    struct region_thread *thread = memory;
    memset(thread, 0, sizeof *thread);
    if (!thread_deepen(thread)) {
        free(thread);
        return NULL;
    }
    thread->next = first;
    __atomic_store_n(&first, thread, __ATOMIC_RELEASE);
    return thread;
}

/* Under the lock. */
static bool prepare(const struct thread_events *events)
{
    forked = events->forked;
    if (!prepared)
        prepared = pthread_key_create(&key, events->ends) == 0 &&
                   pthread_atfork(before_fork, after_fork, begin_child) == 0;
    return prepared;
}

struct region_thread *thread_begin(const struct thread_events *events)
{
    pthread_mutex_lock(&lock);
    struct region_thread *thread = prepare(events) ? take_left() : NULL;
    if (prepared && !thread)
        thread = make();
    if (thread)
        __atomic_store_n(&thread->taken, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    if (thread && pthread_setspecific(key, thread) != 0) {
        thread_release(thread);
        return NULL;
    }
    thread_mine = thread;
    return thread;
}

struct tally *thread_make_tally(struct region_thread *thread, const struct region *region)
{
    struct tally *chunk = calloc(TALLY_CHUNK, sizeof *chunk);
    if (!chunk)
        return NULL;
    __atomic_store_n(&thread->chunks[region->id / TALLY_CHUNK], chunk, __ATOMIC_RELEASE);
    return &chunk[region->id % TALLY_CHUNK];
}
