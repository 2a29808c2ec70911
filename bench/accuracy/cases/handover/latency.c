/*
 * An open queue: requests arrive at random (seeded, exponential gaps) whatever the program does, one worker
 * serves them. Throughput is given; what can improve is the mean latency, from COZ_BEGIN_ID to COZ_END_ID, or, with
 * quantile=90, what nine of ten requests do not exceed. Planted: a request's wait shrinks with the service, and faster the fuller the queue: at 50 % load about 38, 63, 83 %
 * for the line that is all but a fifth of the service. The mean gap (ns) follows from how fast the machine is
 * when the program starts, unless it is given: it is told at the end, so that runs that are compared get the
 * same. Sleeping takes a little longer than asked, which lowers the load a little.
 *
 * @case latency-50
 * @case latency-80 --set load=80
 * @case latency-50-p90 --set quantile=90
 * @case latency-80-p90 --set load=80 --set quantile=90
 * @least latency-50 2
 * @least latency-80 3
 * @least latency-50-p90 2
 * @least latency-80-p90 3
 * @quantile latency-50-p90 90
 * @quantile latency-80-p90 90
 */
#include "case.h"

#include <math.h>
#include <semaphore.h>

enum { BACKLOG = 1 << 16, MOST = 1 << 20, TRIALS = 49 };

static unsigned parse_steps = MS / 5, serve_steps = 4 * MS / 5, load = 50 /* percent */, gap_ns, quantile;
static sem_t arrived;
static double arrivals[BACKLOG]; /* a ring */
static double took[MOST];        /* the same of what each request took, for the quantile */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double latency_of(unsigned served, double total)
{
    unsigned count = served < MOST ? served : MOST;

    if (!quantile)
        return total / served;
    qsort(took, count, sizeof *took, compare_doubles);
    return took[(unsigned)(quantile / 100.0 * count)];
}

static void *worker(void *unused)
{
    double total = 0;
    unsigned x = 1;

    for (unsigned served = 0;; served++) {
        while (sem_wait(&arrived) != 0)
            continue;
        WORK(x, parse_steps); /* TARGET parse */
        WORK(x, serve_steps); /* TARGET serve */
        COZ_END_ID("visit", served);
        double now = now_seconds();
        took[served % MOST] = now - arrivals[served % BACKLOG];
        total += took[served % MOST];
        if (case_over(now)) {
            printf("KEEP gap=%u\nLATENCY %.0f\n", gap_ns, latency_of(served + 1, total) * 1e9);
            exit(0);
        }
    }
    return unused;
}

/* What serving one request takes here and now, uncut: the median of some trials. */
static double service_seconds(void)
{
    double times[TRIALS];
    unsigned x = 1;

    for (int i = 0; i < TRIALS; i++) {
        double begun = now_seconds();

        WORK(x, MS);
        times[i] = now_seconds() - begun;
    }
    qsort(times, TRIALS, sizeof *times, compare_doubles);
    return times[TRIALS / 2];
}

static void sleep_seconds(double seconds)
{
    struct timespec gap = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};

    while (nanosleep(&gap, &gap) != 0)
        continue;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"parse", &parse_steps},
                                 {"serve", &serve_steps},
                                 {"load", &load},
                                 {"gap", &gap_ns},
                                 {"quantile", &quantile}};
    double service = service_seconds();

    case_start(argc, argv, knobs, 5);
    if (!gap_ns)
        gap_ns = (unsigned)(service * 1e9 * 100 / load);
    srand48((long)case_seed);
    sem_init(&arrived, 0, 0);
    start_thread(worker, NULL);
    for (unsigned sent = 0;; sent++) {
        sleep_seconds(-log(1 - drand48()) * gap_ns / 1e9);
        arrivals[sent % BACKLOG] = now_seconds();
        COZ_BEGIN_ID("visit", sent);
        sem_post(&arrived);
    }
}
