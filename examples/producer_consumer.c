/*
 * A bounded queue between one producer and one consumer. To consume an item takes 1.5 times as long as to
 * produce it.
 *
 * The planted answer. The consumer's line is the bottleneck: 25 % faster there is 25 % faster in all, and 50
 * % or more gives 33 %, for then the producer is the slower one. The producer's line does nothing. The thread
 * that has to wait waits on a condition variable, so this is also a test of how a profiler treats waiting.
 *
 *     producer_consumer --cut-consumer 25      producer_consumer --cut-producer 25
 */
#include "example.h"

#include <coz.h>

enum { PRODUCE_STEPS = 300000, CONSUME_STEPS = 450000, CAPACITY = 8 };

static unsigned produce_steps, consume_steps;
static volatile unsigned sink;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static unsigned items[CAPACITY];
static unsigned put_count, got_count; /* the queue holds the difference; both under the lock */
static int finished;

static void put(unsigned item)
{
    pthread_mutex_lock(&lock);
    while (put_count - got_count == CAPACITY)
        pthread_cond_wait(&not_full, &lock);
    items[put_count++ % CAPACITY] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

/* 0 when the producer has finished and the queue is empty. */
static int get(unsigned *item)
{
    int got;

    pthread_mutex_lock(&lock);
    while (put_count == got_count && !finished)
        pthread_cond_wait(&not_empty, &lock);
    got = put_count != got_count;
    if (got)
        *item = items[got_count++ % CAPACITY];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return got;
}

static void *produce(void *end)
{
    unsigned x = 1;

    while (now_seconds() < *(double *)end) {
        for (unsigned i = 0; i < produce_steps; x = MIX(x, 3266489917u), i++) /* waits for the consumer */
            continue;
        put(x);
    }
    pthread_mutex_lock(&lock);
    finished = 1;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *consume(void *count)
{
    unsigned x;

    while (get(&x)) {
        for (unsigned i = 0; i < consume_steps; x = MIX(x, 2246822519u), i++) /* the bottleneck */
            continue;
        sink = x;
        ++*(unsigned *)count;
        COZ_PROGRESS_NAMED("item");
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct option_number options[] = {{"--seconds", 30}, {"--cut-consumer", 0}, {"--cut-producer", 0}};
    unsigned count = 0;

    parse_options(argc, argv, options, 3);
    consume_steps = cut(CONSUME_STEPS, options[1].value);
    produce_steps = cut(PRODUCE_STEPS, options[2].value);

    double start = now_seconds(), end = start + options[0].value;
    pthread_t producer = start_thread(produce, &end);
    pthread_t consumer = start_thread(consume, &count);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);

    double elapsed = now_seconds() - start;
    printf("%u items in %.2f s: %.1f items/s\n", count, elapsed, count / elapsed);
    return 0;
}
