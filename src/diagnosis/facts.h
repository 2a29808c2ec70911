/* What the diagnosis is made of: plain facts about a program, its run so far, and the machine. Whoever gathers
 * them leaves at zero what is not known. Texts belong to the gatherer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the dynamic linker makes of a program. */
enum file_kind {
    FILE_ORDINARY,   /* libcoz.so gets into it, or nothing is known */
    FILE_STATIC,     /* no dynamic linker runs */
    FILE_PRIVILEGED, /* setuid, setgid, or with capabilities: LD_PRELOAD is ignored */
    FILE_GO,         /* static, and its threads are none of libc's */
    FILE_GO_WITH_C,  /* cgo: libc is there, and knows some of its threads */
};

/* What there is to be targets. */
enum file_code {
    CODE_UNKNOWN,   /* the program is not in scope, or no ELF file: a script */
    CODE_LINES,     /* what was asked for: lines, or functions */
    CODE_FUNCTIONS, /* there are no lines, but functions */
    CODE_STRIPPED,  /* functions were asked for, and most are known by their address only */
    CODE_NO_LINES,  /* lines were asked for, and there are none */
    CODE_NOTHING,   /* functions were asked for, and there are none, not even without names */
    CODE_BARE,      /* neither lines nor functions with names */
    CODE_OUT_OF_SCOPE,
};

/* Nothing in it can be a target, wherever the scope is. */
static inline bool code_is_missing(enum file_code code)
{
    return code == CODE_NO_LINES || code == CODE_NOTHING || code == CODE_BARE;
}

enum known { NOT_KNOWN, KNOWN_FALSE, KNOWN_TRUE };

struct file_facts {
    const char *path;
    enum file_kind kind;
    enum file_code code;
    const char *const *sources; /* all of them, in scope or not */
    size_t source_count;
    bool has_source_scope, has_binary_scope; /* -s, -b were given */
    enum known has_points;                   /* whether the file holds any of coz.h */
};

/* What was seen of threads, at random moments at which nobody was delayed. */
struct look_facts {
    unsigned count;
    unsigned idle;                 /* no thread ran, or was ready to */
    unsigned clock, outside, disk; /* of these: what the busiest thread waited for */
};

struct code_facts {
    uint64_t samples, in_scope;
    const char *module;         /* where the most samples fell, of what is not in scope; NULL: nowhere */
    uint64_t module_samples;    /* of which the interrupted instruction lay there */
    bool module_is_system;      /* it is one of the system's libraries */
    unsigned modules_in_scope;  /* of those that -b, or no -b, means */
    unsigned modules_with_code; /* of these, those that have targets */
    const char *leader;         /* the target with the most samples */
    uint64_t leader_samples;
    uint64_t spins; /* samples of threads that only waited for memory to change */
    const char *spinner;
    uint64_t spinner_samples;
    uint64_t clock_samples; /* in the kernel's functions that tell the time */
};

struct point_facts {
    uint32_t known, reached;
    bool of_latency;    /* an end point was reached: latencies are asked for */
    const char *name;   /* of the one visited most often */
    double visits_s;    /* of that one, a second, since its first visit */
    double watched_s;   /* since then */
    const char *shared; /* a point in a header, whose code is in several functions; NULL: there is none */
    unsigned users;     /* in so many */
};

struct run_facts {
    double elapsed_s; /* of the program, 0: it has not begun */
    bool has_ended;
    bool is_whole; /* --end-to-end: no point is needed */
    unsigned runs;
    uint32_t processes; /* that libcoz.so was loaded into */
    uint64_t windows;
    bool lacks_target; /* nothing of what was asked for has come */
    struct code_facts code;
    struct point_facts points;
    struct look_facts looks;
};

struct machine_facts {
    double watched_s;    /* all shares below are of that time */
    unsigned cores;      /* that may be used */
    double quota;        /* of cores, that the control group may use together; 0: no limit */
    double throttled;    /* share of the periods in which the limit stopped somebody */
    double stolen;       /* share of all cores that the host of this virtual machine took */
    double others;       /* likewise, other processes */
    double queued;       /* how long the program's threads waited for a core, for each second that they ran */
    double swapped_s;    /* pages a second that came back from swap */
    bool swaps;          /* some of the program's memory is there */
    bool perf_was_asked; /* for samples */
    int perf_errno;      /* why perf events are refused; 0: they are not */
};

struct facts {
    struct file_facts file;
    struct run_facts run;
    struct machine_facts machine;
};
