/* Points are put to the nearest of some centres, by two threads that meet at a barrier; then one of them moves the
 * centres. A unit is a round.
 *
 * The change: the exponent of the distance is always 2, so that its power is a product, and distances are compared
 * without their root. */
#include "shape.h"

#include <math.h>

enum { POINTS = 4000, DIMENSIONS = 24, CENTRES = 12, THREADS = 2 };

static float points[POINTS][DIMENSIONS], centres[CENTRES][DIMENSIONS];
static int nearest[POINTS];
#ifndef CHANGED
static volatile float exponent = 2;
#endif
static pthread_barrier_t barrier;

static int find_nearest(const float *point) STEP;
static void move_centres(uint64_t *random) STEP;

static int find_nearest(const float *point)
{
    int best = 0;
    double least = INFINITY;
    for (int centre = 0; centre < CENTRES; centre++) {
        double sum = 0;
#ifdef CHANGED
        for (int i = 0; i < DIMENSIONS; i++)
            sum += (point[i] - centres[centre][i]) * (point[i] - centres[centre][i]);
        double distance = sum;
#else
        for (int i = 0; i < DIMENSIONS; i++)
            sum += powf(fabsf(point[i] - centres[centre][i]), exponent);
        double distance = powf((float)sum, 1 / exponent);
#endif
        if (distance < least) {
            least = distance;
            best = centre;
        }
    }
    return best;
}

/* To the middle of their points, but for a little noise. */
static void move_centres(uint64_t *random)
{
    static double sums[CENTRES][DIMENSIONS];
    int counts[CENTRES] = {0};
    memset(sums, 0, sizeof sums);
    for (int times = 0; times < 4; times++)
        for (int i = 0; i < POINTS; i++) {
            counts[nearest[i]]++;
            for (int k = 0; k < DIMENSIONS; k++)
                sums[nearest[i]][k] += points[i][k] * random_unit(random);
        }
    for (int centre = 0; centre < CENTRES; centre++)
        for (int k = 0; k < DIMENSIONS && counts[centre]; k++)
            centres[centre][k] = (float)(2 * sums[centre][k] / counts[centre]);
}

static void *cluster(void *number)
{
    uint64_t random = 1;
    int first = (int)(intptr_t)number * (POINTS / THREADS);
    for (;;) {
        for (int i = first; i < first + POINTS / THREADS; i++)
            nearest[i] = find_nearest(points[i]);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            UNIT("round");
        if (number == NULL)
            move_centres(&random);
        pthread_barrier_wait(&barrier);
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 7;
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < DIMENSIONS; k++)
            points[i][k] = (float)random_unit(&random);
    for (int centre = 0; centre < CENTRES; centre++)
        memcpy(centres[centre], points[centre * 7], sizeof centres[centre]);
    pthread_barrier_init(&barrier, NULL, THREADS);
    return run_threads(cluster, THREADS, argc, argv);
}
