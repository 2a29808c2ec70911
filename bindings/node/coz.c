/*
 * Tells the causal profiler coz where a program of Node's makes progress:
 *
 *     const coz = require('./coz.node')
 *     coz.begin('request'); ... coz.end('request')     latency, on any threads
 *     coz.progress('served')                           throughput: one visit for each unit of work
 *
 *     $ cc -shared -fPIC -O2 -I/usr/include/node coz.c -o coz.node
 *     $ coz run --granularity function --- node --perf-basic-prof server.js
 *
 * With --perf-basic-prof Node tells of the functions that it compiles in /tmp/perf-PID.map, and they are targets; so is
 * native code, without it. A worker thread has to require the module itself. Where there is no profiler, a visit does nothing.
 */
#define NAPI_VERSION 6
#include <dlfcn.h>
#include <node_api.h>
#include <stdint.h>
#include <string.h>

enum { NAME = 256, KNOWN = 64 };

struct profiler {
    void *(*get_counter)(int type, const char *name);
    void (*visit)(void *counter);
};

static struct profiler profiler;

static void profiler_find(void)
{
    void *get_counter = dlsym(NULL, "_coz_get_counter"), *visit = dlsym(NULL, "_coz_visit");
    if (!get_counter || !visit)
        return;
    /* ISO C has no cast from an object's pointer to a function's. */
    memcpy(&profiler.get_counter, &get_counter, sizeof get_counter);
    memcpy(&profiler.visit, &visit, sizeof visit);
}

/* What this thread has looked up before. Names are few. */
static _Thread_local struct known {
    int kind;
    char name[NAME];
    void *counter;
} known[KNOWN];
static _Thread_local int known_count;

static void *counter_of(int kind, const char *name)
{
    for (int i = 0; i < known_count; i++)
        if (known[i].kind == kind && strcmp(known[i].name, name) == 0)
            return known[i].counter;
    void *counter = profiler.get_counter(kind, name);
    if (known_count < KNOWN) {
        struct known *entry = &known[known_count++];
        entry->kind = kind;
        strcpy(entry->name, name); /* the same size */
        entry->counter = counter;
    }
    return counter;
}

/* The name of the point is the call's first argument; the kind is what the function was made with. */
static napi_value visit(napi_env env, napi_callback_info info)
{
    napi_value argument;
    size_t count = 1, length;
    void *kind;
    char name[NAME];
    if (napi_get_cb_info(env, info, &count, &argument, NULL, &kind) != napi_ok || count < 1 ||
        napi_get_value_string_utf8(env, argument, name, sizeof name, &length) != napi_ok) {
        napi_throw_type_error(env, NULL, "a progress point needs a name: coz.progress('request')");
        return NULL;
    }
    if (profiler.visit) {
        void *counter = counter_of((int)(intptr_t)kind, name);
        if (counter)
            profiler.visit(counter);
    }
    return NULL;
}

static void add_function(napi_env env, napi_value exports, const char *name, int kind)
{
    napi_value function;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, visit, (void *)(intptr_t)kind, &function) ==
        napi_ok)
        napi_set_named_property(env, exports, name, function);
}

NAPI_MODULE_INIT()
{
    profiler_find();
    add_function(env, exports, "progress", 1);
    add_function(env, exports, "begin", 2);
    add_function(env, exports, "end", 3);
    return exports;
}
