/* Four threads simulate a fluid in steps, and meet at a barrier after each: a barrier made by hand, which asks again and
 * again, under a lock, whether all are there. A unit is a step.
 *
 * The change: the barrier of pthreads. */
#include "shape.h"

enum { CELLS = 3000, THREADS = 4 };

static void move_cells(float *cells) STEP;
static void wait_for_all(void) STEP;

static void move_cells(float *cells)
{
    for (int i = 1; i < CELLS - 1; i++)
        cells[i] = (cells[i - 1] + 2 * cells[i] + cells[i + 1]) / 4.0001f + 0.001f;
}

#ifdef CHANGED
static pthread_barrier_t barrier;

static void wait_for_all(void)
{
    pthread_barrier_wait(&barrier);
}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived, step;

static int step_is_over(int mine)
{
    pthread_mutex_lock(&lock);
    int is_over = step != mine;
    pthread_mutex_unlock(&lock);
    return is_over;
}

static void wait_for_all(void)
{
    pthread_mutex_lock(&lock);
    int mine = step;
    if (++arrived == THREADS) {
        arrived = 0;
        step++;
    }
    pthread_mutex_unlock(&lock);
    while (!step_is_over(mine))
        ;
}
#endif

static void *simulate(void *number)
{
    static float all[THREADS][CELLS];
    float *cells = all[(intptr_t)number];
    for (;;) {
        for (int times = 0; times < 3 + (int)(intptr_t)number; times++)
            move_cells(cells);
        wait_for_all();
        if (number == NULL)
            UNIT("step");
    }
}

int main(int argc, char **argv)
{
#ifdef CHANGED
    pthread_barrier_init(&barrier, NULL, THREADS);
#endif
    return run_threads(simulate, THREADS, argc, argv);
}
