/*
 * coz.hpp - coz.h for C++ that likes no macros. Since C++11.
 *
 *     static coz::progress served("request");        throughput: a point has a name, and is a static object
 *     ...
 *     served.visit();                                or: ++served;
 *
 *     static coz::latency requests("request");       latency: its two ends
 *     ...
 *     coz::latency::unit inside(requests);           from here until `inside` is destroyed
 *     requests.begin(); ... requests.end();          or: anywhere, on any threads
 *     requests.begin(id); ... requests.end(id);      or: which unit it is, as COZ_BEGIN_ID
 *
 *     {
 *         coz::blocking wait;                        a wait that the profiler cannot see: COZ_PRE_BLOCK, and at the
 *         my_wait(&queue);                           end COZ_POST_BLOCK(1), or as `woken_by_us` says
 *         wait.woken_by_us = false;
 *     }
 *     coz::catch_up();                               COZ_CATCH_UP
 *
 * Points cost what the macros cost, may be visited from any threads at once, and are constant-initialised, so that
 * they may be used before main(). Names are strings that live as long as the program. What coz.h says of signal
 * handlers, and of what it needs, holds here too.
 */
#ifndef COZ_HPP
#define COZ_HPP

#include <coz.h>

namespace coz
{

#if defined(__linux__) && defined(__GNUC__)

namespace detail
{

/* One end of a latency, or a point of throughput. */
class place
{
  public:
    constexpr place(int type, const char *name) : site_(), type_(type), name_(name)
    {
    }
    place(const place &) = delete;
    place &operator=(const place &) = delete;

    void visit()
    {
        if (__builtin_expect(__atomic_load_n(&site_.site.state, __ATOMIC_RELAXED) != COZ_STATE_OFF_, 0))
            coz_visit_site_(&site_.site, type_, name_);
    }
    void visit(unsigned long id)
    {
        if (__builtin_expect(__atomic_load_n(&site_.site.state, __ATOMIC_RELAXED) != COZ_STATE_OFF_, 0))
            coz_visit_id_site_(&site_, type_, name_, id);
    }

  private:
    coz_id_site_t site_;
    int type_;
    const char *name_;
};

inline void pre_block()
{
    coz_pre_block_();
}

inline void post_block(int skip)
{
    coz_post_block_(skip);
}

} // namespace detail

inline void catch_up()
{
    coz_add_delays_();
}

#define COZ_HPP_PLACE_(type, name) type, name

#else

namespace detail
{

class place
{
  public:
    constexpr explicit place(const char *)
    {
    }
    place(const place &) = delete;
    place &operator=(const place &) = delete;
    void visit()
    {
    }
    void visit(unsigned long)
    {
    }
};

inline void pre_block()
{
}

inline void post_block(int)
{
}

} // namespace detail

inline void catch_up()
{
}

#define COZ_HPP_PLACE_(type, name) name

#endif

/* Throughput: each visit is one unit of work done. */
class progress
{
  public:
    explicit constexpr progress(const char *name) : place_(COZ_HPP_PLACE_(COZ_COUNTER_TYPE_THROUGHPUT, name))
    {
    }
    void visit()
    {
        place_.visit();
    }
    progress &operator++()
    {
        visit();
        return *this;
    }

  private:
    detail::place place_;
};

/* Latency: every unit of work that begins must end, on any thread. */
class latency
{
  public:
    explicit constexpr latency(const char *name)
        : begin_(COZ_HPP_PLACE_(COZ_COUNTER_TYPE_BEGIN, name)),
          end_(COZ_HPP_PLACE_(COZ_COUNTER_TYPE_END, name))
    {
    }
    void begin()
    {
        begin_.visit();
    }
    void end()
    {
        end_.visit();
    }
    void begin(unsigned long id)
    {
        begin_.visit(id);
    }
    void end(unsigned long id)
    {
        end_.visit(id);
    }

    /* One unit, for as long as the object lives; exceptions end it, too. */
    class unit
    {
      public:
        explicit unit(latency &of) : of_(of)
        {
            of_.begin();
        }
        ~unit()
        {
            of_.end();
        }
        unit(const unit &) = delete;
        unit &operator=(const unit &) = delete;

      private:
        latency &of_;
    };

  private:
    detail::place begin_;
    detail::place end_;
};

/* Around a wait by raw futex calls or the like. */
class blocking
{
  public:
    blocking()
    {
        detail::pre_block();
    }
    ~blocking()
    {
        detail::post_block(woken_by_us);
    }
    blocking(const blocking &) = delete;
    blocking &operator=(const blocking &) = delete;

    bool woken_by_us = true; /* false: by a time-out, a device, another program */
};

#undef COZ_HPP_PLACE_

} // namespace coz

#endif
