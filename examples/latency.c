/*
 * Requests arrive three at a time every 8 ms, whatever the program does; one worker serves them in turn. So
 * throughput is given and only latency can improve. COZ_BEGIN marks an arrival, COZ_END the end of the
 * request's service.
 *
 * The planted answer. Serving takes a parse (a fifth) and a computation (four fifths). A request waits for
 * those before it, and that wait shrinks alike: 50 % faster in the computation is 40 % less latency, and 50 %
 * faster in the parse is 10 % less. The throughput point "served" does not move at all.
 *
 *     latency --cut-compute 50      latency --cut-parse 50
 */
#include "example.h"

#include <coz.h>
#include <semaphore.h>

enum { PARSE_STEPS = 150000, COMPUTE_STEPS = 600000, BURST = 3, PERIOD_NS = 8000000, BACKLOG = 4096 };

static unsigned parse_steps, compute_steps;
static volatile unsigned sink;

static sem_t arrived;
static double arrival[BACKLOG]; /* a ring; the time at which each request came */
static unsigned served;
static double total_latency;

static void *serve(void *unused)
{
    for (;;) {
        sem_wait(&arrived);
        double since = arrival[served % BACKLOG];
        if (since < 0) /* the generator has finished */
            return unused;

        unsigned x = served;
        for (unsigned i = 0; i < parse_steps; x = MIX(x, 3266489917u), i++) /* a fifth */
            continue;
        for (unsigned i = 0; i < compute_steps; x = MIX(x, 2246822519u), i++) /* four fifths */
            continue;
        sink = x;

        COZ_END("request");
        COZ_PROGRESS_NAMED("served");
        total_latency += now_seconds() - since;
        served++;
    }
}

int main(int argc, char **argv)
{
    struct option_number options[] = {{"--seconds", 30}, {"--cut-compute", 0}, {"--cut-parse", 0}};

    parse_options(argc, argv, options, 3);
    compute_steps = cut(COMPUTE_STEPS, options[1].value);
    parse_steps = cut(PARSE_STEPS, options[2].value);
    sem_init(&arrived, 0, 0);

    const struct timespec pause = {.tv_nsec = PERIOD_NS};
    double start = now_seconds();
    unsigned sent = 0;
    pthread_t worker = start_thread(serve, NULL);

    while (now_seconds() - start < options[0].value) {
        for (int i = 0; i < BURST; i++) {
            arrival[sent++ % BACKLOG] = now_seconds();
            COZ_BEGIN("request");
            sem_post(&arrived);
        }
        /* A pause between bursts and not a timetable: to a timetable every delay that is inserted would look
         * like arrivals that come faster. */
        nanosleep(&pause, NULL);
    }
    arrival[sent % BACKLOG] = -1;
    sem_post(&arrived);
    pthread_join(worker, NULL);

    printf("%u requests, mean latency %.3f ms\n", served, total_latency / served * 1e3);
    return 0;
}
