/*
 * coz.h - tell the causal profiler where your program makes progress.
 *
 * Include this header, mark the place that one unit of useful work passes, build with -g, and profile:
 *
 *     while (next_request(&r)) {
 *         serve(&r);
 *         COZ_PROGRESS;            one visit for each request served
 *     }
 *
 *     $ cc -g -O2 server.c -o server
 *     $ coz run --- ./server
 *     $ coz report
 *
 * Throughput: COZ_PROGRESS names its point "file:line"; COZ_PROGRESS_NAMED("request") names it yourself.
 * Visits from several places with one name are one point. The profiler says by how much the time between
 * visits would fall.
 *
 * Latency: COZ_BEGIN("request") where a unit of work arrives and COZ_END("request") where it leaves, on any
 * threads. The profiler derives the mean time in between from how many are inside and how fast they leave
 * (Little's law), so every unit must pass both.
 *
 * Where a unit has a number that no other unit in progress has, COZ_BEGIN_ID("request", r.number) and
 * COZ_END_ID("request", r.number) say which one it is, by an unsigned long; the address of what it works on will do,
 * cast. Then the profiler knows what each unit took, and tells the median and how long the slowest take, as well. Both
 * ends must be in the same process. Mark all units so, or none.
 *
 * Regions: a piece of work with a name, begun and ended on the same thread, answers for itself as a line does:
 *
 *     COZ_REGION_BEGIN("decode");
 *     decode(&frame);
 *     COZ_REGION_END("decode");          C++, left by an exception too:  coz::region r{"decode"};
 *
 * Regions may nest, also in themselves, and many threads may be in one. Mark work, not waiting for other threads.
 * `coz run` tries them beside lines; `coz regions` answers for them by whole runs of a program, <coz_regions.h> by
 * calling a function of your own.
 *
 * Blocking that the profiler cannot see (locks and queues of your own, made of raw futex calls or the like):
 *
 *     COZ_PRE_BLOCK;               before the wait
 *     my_wait(&queue);
 *     COZ_POST_BLOCK(1);           1: another thread of this program woke us;
 *                                  0: time-out, device, another program
 *
 *     COZ_CATCH_UP;                before waking another thread, and before acquiring a lock of your own
 *     my_wake(&queue);
 *
 * Names are C strings that live as long as the program; what is passed the first time a macro is reached is
 * what it keeps. Write COZ_PROGRESS and its kin as statements; between `if` and `else`, put them in braces. The
 * names of regions may also be made at run time: what is no literal is looked up at each pass.
 *
 * Cost. Not under the profiler: one load and one branch that never changes its mind. Under it: one call. (A
 * region's marks read the processor's clock there: at both together, some 25 ns, and 150 where that is slow.) The very
 * first visit of a macro looks the profiler up (some microseconds) and the answer is kept for good.
 *
 * Threads and handlers. Every macro may be reached from any number of threads at once. In a signal handler
 * they may be used once the same macro has been reached outside of one: the first visit calls dlsym.
 *
 * Needs: nothing. C (from C89) and C++ (from C++98), gcc or clang, Linux; elsewhere the macros are empty (but see
 * <coz_regions.h> for regions). No
 * library is linked and no other header is drawn in but <stddef.h>. dlsym is referred to weakly: in a
 * statically linked program it is not there and the macros do nothing. With glibc before 2.34, a program that
 * is not position-independent must be linked with -ldl to be seen by the profiler.
 *
 * The interface to the profiler is looked up by name at run time, so a program need not be rebuilt for a new
 * version:
 *
 *     coz_counter_t *_coz_get_counter(int type, const char *name);
 *                                         type: COZ_COUNTER_TYPE_*; may return 0: not wanted
 *     void _coz_visit(coz_counter_t *counter);
 *                                         counts one visit, and takes its exact time; without it: ++count
 *     void _coz_visit_id(coz_counter_t *counter, unsigned long id);
 *                                         the same of a begin or end, for the unit with that id
 *     void *_coz_region(const char *name);
 *                                         the region of that name, for the two below; may return 0: not wanted
 *     void _coz_region_begin(void *region);
 *     void _coz_region_end(void *region);
 *     void _coz_add_delays(void);         COZ_CATCH_UP
 *     void _coz_pre_block(void);          COZ_PRE_BLOCK
 *     void _coz_post_block(int skip_delays);
 *                                         COZ_POST_BLOCK
 */
#ifndef COZ_H
#define COZ_H

#if defined(__linux__) && defined(__GNUC__)
#define COZ_HAS_POINTS_
#endif
#if defined(COZ_HAS_POINTS_) || (defined(COZ_REGIONS) && defined(__GNUC__))
#define COZ_HAS_REGIONS_
#endif

#if defined(COZ_HAS_POINTS_) || defined(COZ_HAS_REGIONS_)

#include <stddef.h> /* size_t */

#ifdef __cplusplus
extern "C" {
#endif

#define COZ_STATE_NEW_ 0 /* nobody looked yet */
#define COZ_STATE_OFF_ 1 /* not profiled: do nothing, for good */
#define COZ_STATE_ON_ 2

#define COZ_COLD_ __attribute__((unused, noinline, cold))

#endif

#ifdef COZ_HAS_POINTS_

#define COZ_COUNTER_TYPE_THROUGHPUT 1
#define COZ_COUNTER_TYPE_BEGIN 2
#define COZ_COUNTER_TYPE_END 3

/* What the profiler keeps for a point. `count` is only ever added to, atomically; `backoff` is unused. */
typedef struct {
    size_t count;
    size_t backoff;
} coz_counter_t;

/* One place that a macro is written. `state` says whether the rest is filled in; it changes once. */
typedef struct {
    int state;
    coz_counter_t *counter;
    void (*visit)(coz_counter_t *);
} coz_site_t;

/* The same for a macro that says which unit it is. */
typedef struct {
    coz_site_t site;
    void (*visit_id)(coz_counter_t *, unsigned long);
} coz_id_site_t;

/* The hooks for blocking, looked up together, once in each translation unit. */
typedef struct {
    int state;
    void (*add_delays)(void);
    void (*pre_block)(void);
    void (*post_block)(int);
} coz_hooks_t;

/* The C library's own, or 0: a weak reference that leaves the program's other uses of dlsym as they are. */
static void *coz_dlsym_(void *, const char *) __attribute__((weakref("dlsym"), unused));

/* A symbol of the whole program, or 0. A null handle is RTLD_DEFAULT, which <dlfcn.h> hides without
 * _GNU_SOURCE. */
static COZ_COLD_ void *coz_find_(const char *symbol)
{
    return coz_dlsym_ ? coz_dlsym_(NULL, symbol) : NULL;
}

/* Threads may arrive here together: each finds the same values, and all are stored before the state that says
 * so. */
static COZ_COLD_ int coz_resolve_site_(coz_site_t *site, int type, const char *name)
{
    coz_counter_t *(*get_counter)(int, const char *) = NULL;
    void (*visit)(coz_counter_t *) = NULL;
    coz_counter_t *counter = NULL;
    void *found = coz_find_("_coz_get_counter");
    int state;

    /* ISO C has no cast from an object's pointer to a function's. */
    __builtin_memcpy(&get_counter, &found, sizeof found);
    if (get_counter)
        counter = get_counter(type, name);
    if (counter) {
        found = coz_find_("_coz_visit");
        __builtin_memcpy(&visit, &found, sizeof found);
    }
    state = counter ? COZ_STATE_ON_ : COZ_STATE_OFF_;
    __atomic_store(&site->counter, &counter, __ATOMIC_RELAXED);
    __atomic_store(&site->visit, &visit, __ATOMIC_RELAXED);
    __atomic_store_n(&site->state, state, __ATOMIC_RELEASE);
    return state;
}

/* The rest of a macro when its place is not known to be off. */
static __attribute__((unused, noinline)) void coz_visit_site_(coz_site_t *site, int type, const char *name)
{
    coz_counter_t *counter;
    void (*visit)(coz_counter_t *);
    int state = __atomic_load_n(&site->state, __ATOMIC_ACQUIRE);

    if (state == COZ_STATE_NEW_)
        state = coz_resolve_site_(site, type, name);
    if (state == COZ_STATE_OFF_)
        return;
    __atomic_load(&site->counter, &counter, __ATOMIC_RELAXED);
    __atomic_load(&site->visit, &visit, __ATOMIC_RELAXED);
    if (visit)
        visit(counter);
    else
        __atomic_add_fetch(&counter->count, 1, __ATOMIC_RELAXED);
}

/* The same where the unit has an id; a profiler that knows of none counts the visit. */
static __attribute__((unused, noinline)) void coz_visit_id_site_(coz_id_site_t *site, int type,
                                                                 const char *name, unsigned long id)
{
    coz_counter_t *counter;
    void (*visit_id)(coz_counter_t *, unsigned long) = NULL;
    int state = __atomic_load_n(&site->site.state, __ATOMIC_ACQUIRE);

    if (state == COZ_STATE_NEW_) {
        void *found = coz_find_("_coz_visit_id");

        __builtin_memcpy(&visit_id, &found, sizeof found);
        __atomic_store(&site->visit_id, &visit_id, __ATOMIC_RELAXED);
        state = coz_resolve_site_(&site->site, type, name);
    }
    if (state == COZ_STATE_OFF_)
        return;
    __atomic_load(&site->visit_id, &visit_id, __ATOMIC_RELAXED);
    __atomic_load(&site->site.counter, &counter, __ATOMIC_RELAXED);
    if (visit_id)
        visit_id(counter, id);
    else
        coz_visit_site_(&site->site, type, name);
}

static COZ_COLD_ int coz_resolve_hooks_(coz_hooks_t *hooks)
{
    coz_hooks_t h;
    void *found = coz_find_("_coz_add_delays");

    __builtin_memcpy(&h.add_delays, &found, sizeof found);
    found = coz_find_("_coz_pre_block");
    __builtin_memcpy(&h.pre_block, &found, sizeof found);
    found = coz_find_("_coz_post_block");
    __builtin_memcpy(&h.post_block, &found, sizeof found);

    h.state = h.add_delays && h.pre_block && h.post_block ? COZ_STATE_ON_ : COZ_STATE_OFF_;
    __atomic_store(&hooks->add_delays, &h.add_delays, __ATOMIC_RELAXED);
    __atomic_store(&hooks->pre_block, &h.pre_block, __ATOMIC_RELAXED);
    __atomic_store(&hooks->post_block, &h.post_block, __ATOMIC_RELAXED);
    __atomic_store_n(&hooks->state, h.state, __ATOMIC_RELEASE);
    return h.state;
}

/* The hooks when the program is profiled, else 0. */
static __inline__ __attribute__((unused)) const coz_hooks_t *coz_hooks_(void)
{
    static coz_hooks_t hooks;
    int state = __atomic_load_n(&hooks.state, __ATOMIC_ACQUIRE);

    if (__builtin_expect(state == COZ_STATE_NEW_, 0))
        state = coz_resolve_hooks_(&hooks);
    return state == COZ_STATE_ON_ ? &hooks : NULL;
}

static __inline__ __attribute__((unused)) void coz_add_delays_(void)
{
    const coz_hooks_t *hooks = coz_hooks_();

    if (hooks)
        hooks->add_delays();
}

static __inline__ __attribute__((unused)) void coz_pre_block_(void)
{
    const coz_hooks_t *hooks = coz_hooks_();

    if (hooks)
        hooks->pre_block();
}

static __inline__ __attribute__((unused)) void coz_post_block_(int skip_delays)
{
    const coz_hooks_t *hooks = coz_hooks_();

    if (hooks)
        hooks->post_block(skip_delays);
}

#define COZ_STRING2_(x) #x
#define COZ_STRING_(x) COZ_STRING2_(x)

/* A bare block, for the original header's macros may be followed by a semicolon or not. */
#define COZ_INCREMENT_COUNTER(type, name)                                                                    \
    {                                                                                                        \
        static coz_site_t coz_site_here_;                                                                    \
        if (__builtin_expect(__atomic_load_n(&coz_site_here_.state, __ATOMIC_RELAXED) != COZ_STATE_OFF_, 0)) \
            coz_visit_site_(&coz_site_here_, type, name);                                                    \
    }

#define COZ_VISIT_ID_(type, name, id)                                                                        \
    {                                                                                                        \
        static coz_id_site_t coz_id_site_here_;                                                              \
        if (__builtin_expect(                                                                                \
                __atomic_load_n(&coz_id_site_here_.site.state, __ATOMIC_RELAXED) != COZ_STATE_OFF_, 0))      \
            coz_visit_id_site_(&coz_id_site_here_, type, name, id);                                          \
    }

#define COZ_PROGRESS COZ_INCREMENT_COUNTER(COZ_COUNTER_TYPE_THROUGHPUT, __FILE__ ":" COZ_STRING_(__LINE__))
#define COZ_PROGRESS_NAMED(name) COZ_INCREMENT_COUNTER(COZ_COUNTER_TYPE_THROUGHPUT, name)
#define COZ_BEGIN(name) COZ_INCREMENT_COUNTER(COZ_COUNTER_TYPE_BEGIN, name)
#define COZ_END(name) COZ_INCREMENT_COUNTER(COZ_COUNTER_TYPE_END, name)
#define COZ_BEGIN_ID(name, id) COZ_VISIT_ID_(COZ_COUNTER_TYPE_BEGIN, name, id)
#define COZ_END_ID(name, id) COZ_VISIT_ID_(COZ_COUNTER_TYPE_END, name, id)

#define COZ_PRE_BLOCK coz_pre_block_()
#define COZ_POST_BLOCK(skip_delays) coz_post_block_(skip_delays)
#define COZ_CATCH_UP coz_add_delays_()

#else

#define COZ_PROGRESS
#define COZ_PROGRESS_NAMED(name)
#define COZ_BEGIN(name)
#define COZ_END(name)
#define COZ_BEGIN_ID(name, id)
#define COZ_END_ID(name, id)
#define COZ_PRE_BLOCK
#define COZ_POST_BLOCK(skip_delays)
#define COZ_CATCH_UP

#endif

#ifdef COZ_HAS_REGIONS_

/* Whoever takes the marks of regions. */
typedef struct {
    int state;
    void *(*find)(const char *name);
    void (*begin)(void *region);
    void (*end)(void *region);
} coz_region_hooks_t;

/* One place that a mark is written. `region` is that of a literal name. */
typedef struct {
    int state;
    void *region;
    void *(*find)(const char *name);
    void (*mark)(void *region);
} coz_region_site_t;

#ifdef COZ_HAS_POINTS_

static void *coz_region_linked_(const char *) __attribute__((weakref("_coz_region"), unused));
static void coz_region_begin_linked_(void *) __attribute__((weakref("_coz_region_begin"), unused));
static void coz_region_end_linked_(void *) __attribute__((weakref("_coz_region_end"), unused));

/* The profiler's, if it is there. Else those of the library of regions, which may be linked statically and is not seen
 * by dlsym then. */
static COZ_COLD_ void coz_find_region_hooks_(coz_region_hooks_t *hooks)
{
    void *find = coz_find_("_coz_region");
    void *begin = coz_find_("_coz_region_begin");
    void *end = coz_find_("_coz_region_end");

    hooks->find = coz_region_linked_;
    hooks->begin = coz_region_begin_linked_;
    hooks->end = coz_region_end_linked_;
    if (find && begin && end) {
        __builtin_memcpy(&hooks->find, &find, sizeof find);
        __builtin_memcpy(&hooks->begin, &begin, sizeof begin);
        __builtin_memcpy(&hooks->end, &end, sizeof end);
    }
}

#else

void *_coz_region(const char *name);
void _coz_region_begin(void *region);
void _coz_region_end(void *region);

static COZ_COLD_ void coz_find_region_hooks_(coz_region_hooks_t *hooks)
{
    hooks->find = _coz_region;
    hooks->begin = _coz_region_begin;
    hooks->end = _coz_region_end;
}

#endif

static COZ_COLD_ int coz_resolve_region_(coz_region_site_t *site, const char *name, int ends)
{
    coz_region_hooks_t h;
    void *region = NULL;
    void (*mark)(void *);
    int state;

    coz_find_region_hooks_(&h);
    mark = ends ? h.end : h.begin;
    if (h.find && mark)
        region = h.find(name);
    state = region ? COZ_STATE_ON_ : COZ_STATE_OFF_;
    __atomic_store(&site->region, &region, __ATOMIC_RELAXED);
    __atomic_store(&site->find, &h.find, __ATOMIC_RELAXED);
    __atomic_store(&site->mark, &mark, __ATOMIC_RELAXED);
    __atomic_store_n(&site->state, state, __ATOMIC_RELEASE);
    return state;
}

/* The rest of a mark when its place is not known to be off. */
static __attribute__((unused, noinline)) void coz_mark_region_(coz_region_site_t *site, const char *name,
                                                               int is_literal, int ends)
{
    void *region;
    void (*mark)(void *);
    int state = __atomic_load_n(&site->state, __ATOMIC_ACQUIRE);

    if (__builtin_expect(state != COZ_STATE_ON_, 0)) {
        if (state == COZ_STATE_NEW_)
            state = coz_resolve_region_(site, name, ends);
        if (state == COZ_STATE_OFF_)
            return;
    }
    __atomic_load(&site->mark, &mark, __ATOMIC_RELAXED);
    if (is_literal) {
        __atomic_load(&site->region, &region, __ATOMIC_RELAXED);
    } else {
        void *(*find)(const char *);

        __atomic_load(&site->find, &find, __ATOMIC_RELAXED);
        region = find(name);
    }
    if (region)
        mark(region);
}

#define COZ_REGION_MARK_(name, ends)                                                                         \
    do {                                                                                                     \
        static coz_region_site_t coz_region_here_;                                                           \
        if (__builtin_expect(__atomic_load_n(&coz_region_here_.state, __ATOMIC_RELAXED) != COZ_STATE_OFF_,   \
                             0))                                                                             \
            coz_mark_region_(&coz_region_here_, name, __builtin_constant_p(name), ends);                     \
    } while (0)

#define COZ_REGION_BEGIN(name) COZ_REGION_MARK_(name, 0)
#define COZ_REGION_END(name) COZ_REGION_MARK_(name, 1)

#ifdef __cplusplus
/* For coz::region, in each translation unit. */
static COZ_COLD_ int coz_resolve_region_hooks_(coz_region_hooks_t *hooks)
{
    coz_region_hooks_t h;

    coz_find_region_hooks_(&h);
    h.state = h.find && h.begin && h.end ? COZ_STATE_ON_ : COZ_STATE_OFF_;
    __atomic_store(&hooks->find, &h.find, __ATOMIC_RELAXED);
    __atomic_store(&hooks->begin, &h.begin, __ATOMIC_RELAXED);
    __atomic_store(&hooks->end, &h.end, __ATOMIC_RELAXED);
    __atomic_store_n(&hooks->state, h.state, __ATOMIC_RELEASE);
    return h.state;
}

static __inline__ __attribute__((unused)) const coz_region_hooks_t *coz_region_hooks_(void)
{
    static coz_region_hooks_t hooks;
    int state = __atomic_load_n(&hooks.state, __ATOMIC_ACQUIRE);

    if (__builtin_expect(state == COZ_STATE_NEW_, 0))
        state = coz_resolve_region_hooks_(&hooks);
    return state == COZ_STATE_ON_ ? &hooks : NULL;
}
#endif

#else

#define COZ_REGION_BEGIN(name)
#define COZ_REGION_END(name)

#endif

#if defined(__cplusplus) && (defined(COZ_HAS_POINTS_) || defined(COZ_HAS_REGIONS_))
}
#endif

#ifdef __cplusplus
namespace coz
{

/* The rest of the block is a region, however it is left. */
class region
{
  public:
#ifdef COZ_HAS_REGIONS_
    explicit region(const char *name) : region_(NULL)
    {
        const coz_region_hooks_t *hooks = coz_region_hooks_();

        if (hooks) {
            region_ = hooks->find(name);
            if (region_)
                hooks->begin(region_);
        }
    }

    ~region()
    {
        if (region_)
            coz_region_hooks_()->end(region_);
    }

  private:
    void *region_;
#else
    explicit region(const char *)
    {
    }

  private:
#endif
    region(const region &);
    region &operator=(const region &);
};

} // namespace coz
#endif

#endif
