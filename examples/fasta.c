/*
 * The benchmark game's program that writes random DNA, in the shape of two threads that take a block each: generate
 * random numbers (one after the other, for each follows from the one before), format them as lines of letters (both
 * threads at once), and write the lines (in order). Waiting for the turn is in no region.
 *
 *     fasta --letters 1000000                         writes to standard output
 *     fasta --iterations 20                           measures the regions, by libcozregions; nothing is written
 *     fasta --iterations 20 --simple 1                by the other method
 *     fasta --calls 100                               prints how long each of so many calls took
 *     fasta --calls 100 --generate-passes 4           with really 20 % less to generate: each region makes its block
 *                                                     five times over, unless told otherwise
 *     coz regions -- fasta --letters 5000000          the same regions, by whole runs
 *     coz run --- fasta --letters 2000000000          the same beside lines, in one long run
 */
#include "example.h"

#include <coz_regions.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

enum { THREADS = 2, LINE = 60, LINES = 512, BLOCK = LINE * LINES, MODULUS = 139968, PASSES = 5 };

struct letter {
    char name;
    double share;
};

/* Those that the game calls IUB codes. */
static const struct letter letters[] = {{'a', .27}, {'c', .12}, {'g', .12}, {'t', .27}, {'B', .02},
                                        {'D', .02}, {'H', .02}, {'K', .02}, {'M', .02}, {'N', .02},
                                        {'R', .02}, {'S', .02}, {'V', .02}, {'W', .02}, {'Y', .02}};

struct work {
    unsigned blocks, generate_passes, format_passes;
    int out;
};

static uint32_t ends[sizeof letters / sizeof *letters]; /* of the random numbers that stand for a letter */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    uint32_t seed;    /* under `generator` */
    unsigned taken;   /* blocks, under `generator` */
    unsigned written; /* blocks, under `lock` */
    pthread_mutex_t generator;
    const struct work *work;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .turn = PTHREAD_COND_INITIALIZER,
           .generator = PTHREAD_MUTEX_INITIALIZER};

static __attribute__((noinline)) uint32_t generate(uint32_t seed, uint32_t *numbers)
{
    for (int i = 0; i < BLOCK; i++)
        numbers[i] = seed = (seed * 3877 + 29573) % MODULUS;
    return seed;
}

static char letter_of(uint32_t number)
{
    const uint32_t *end = ends;

    while (number >= *end)
        end++;
    return letters[end - ends].name;
}

static __attribute__((noinline)) void format(const uint32_t *numbers, char *text)
{
    for (int line = 0; line < LINES; line++) {
        for (int i = 0; i < LINE; i++)
            *text++ = letter_of(*numbers++);
        *text++ = '\n';
    }
}

/* Whether there was another block. It becomes its number. */
static int take_block(uint32_t *numbers, unsigned *block)
{
    int took;

    pthread_mutex_lock(&state.generator);
    took = state.taken < state.work->blocks;
    if (took) {
        COZ_REGION_BEGIN("generate");
        uint32_t seed = state.seed;
        for (unsigned i = 0; i < state.work->generate_passes; i++)
            state.seed = generate(seed, numbers);
        *block = state.taken++;
        COZ_REGION_END("generate");
    }
    pthread_mutex_unlock(&state.generator);
    return took;
}

static void write_all(const char *text, size_t size)
{
    while (size > 0) {
        ssize_t wrote = write(state.work->out, text, size);

        if (wrote < 0 && errno != EINTR) {
            fprintf(stderr, "fasta: cannot write: %s\n", strerror(errno));
            exit(1);
        }
        if (wrote > 0) {
            text += wrote;
            size -= (size_t)wrote;
        }
    }
}

static void write_block(const char *text, unsigned block)
{
    pthread_mutex_lock(&state.lock);
    while (state.written != block)
        pthread_cond_wait(&state.turn, &state.lock);
    pthread_mutex_unlock(&state.lock);

    COZ_REGION_BEGIN("write");
    write_all(text, BLOCK + LINES);
    COZ_REGION_END("write");

    pthread_mutex_lock(&state.lock);
    state.written++;
    COZ_PROGRESS_NAMED("block");
    pthread_cond_broadcast(&state.turn);
    pthread_mutex_unlock(&state.lock);
}

static void *make_blocks(void *unused)
{
    static _Thread_local uint32_t numbers[BLOCK];
    static _Thread_local char text[BLOCK + LINES];
    unsigned block;

    while (take_block(numbers, &block)) {
        COZ_REGION_BEGIN("format");
        for (unsigned i = 0; i < state.work->format_passes; i++)
            format(numbers, text);
        COZ_REGION_END("format");
        write_block(text, block);
    }
    return unused;
}

static void fasta(void *argument)
{
    pthread_t threads[THREADS];

    state.work = argument;
    state.seed = 42;
    state.taken = state.written = 0;
    for (int i = 0; i < THREADS; i++)
        threads[i] = start_thread(make_blocks, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void prepare_letters(void)
{
    double sum = 0;

    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        sum += letters[i].share;
        ends[i] = (uint32_t)(sum * MODULUS);
    }
    ends[sizeof letters / sizeof *letters - 1] = MODULUS;
}

int main(int argc, char **argv)
{
    struct option_number options[] = {
        {"--letters", 1500000}, {"--iterations", 0},           {"--simple", 0},
        {"--calls", 0},         {"--generate-passes", PASSES}, {"--format-passes", PASSES}};

    parse_options(argc, argv, options, 6);
    struct work work = {(unsigned)(options[0].value / BLOCK) + 1, (unsigned)options[4].value,
                        (unsigned)options[5].value, STDOUT_FILENO};
    struct coz_regions_options measure = {.iterations = (unsigned)options[1].value,
                                          .method =
                                              options[2].value > 0 ? COZ_REGIONS_SIMPLE : COZ_REGIONS_FULL};

    prepare_letters();
    if (options[1].value > 0 || options[3].value > 0)
        work.out = open("/dev/null", O_WRONLY);
    if (options[1].value > 0)
        return coz_regions_run(&measure, fasta, &work) < 0;
    if (options[3].value < 1)
        fasta(&work);
    for (int i = 0; i < (int)options[3].value; i++) {
        double start = now_seconds();

        fasta(&work);
        printf("%.9f\n", now_seconds() - start);
    }
    return 0;
}
