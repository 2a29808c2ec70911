/* Two threads sum what a straight line through many points needs, each of its own points, and add it to the common sums
 * under a lock. A unit is a piece of points. */
#include "shape.h"

enum { POINTS = 1 << 22, PIECE = 1 << 16, THREADS = 2 };

struct sums {
    double x, y, xx, xy, yy;
};

static struct point {
    int8_t x, y;
} points[POINTS];
/* Not static: nobody reads it, and it is to be computed all the same. */
struct sums all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct sums sum_piece(const struct point *piece) STEP;

static struct sums sum_piece(const struct point *piece)
{
    struct sums sums = {0};
    for (int i = 0; i < PIECE; i++) {
        double x = piece[i].x, y = piece[i].y;
        sums.x += x;
        sums.y += y;
        sums.xx += x * x;
        sums.xy += x * y;
        sums.yy += y * y;
    }
    return sums;
}

static void *sum_points(void *number)
{
    int half = (int)(intptr_t)number * (POINTS / THREADS);
    for (int i = 0;; i = (i + PIECE) % (POINTS / THREADS)) {
        struct sums sums = sum_piece(points + half + i);
        pthread_mutex_lock(&lock);
        all.x += sums.x;
        all.y += sums.y;
        all.xx += sums.xx;
        all.xy += sums.xy;
        all.yy += sums.yy;
        pthread_mutex_unlock(&lock);
        UNIT("piece");
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 5;
    for (int i = 0; i < POINTS; i++) {
        points[i].x = (int8_t)random_next(&random);
        points[i].y = (int8_t)(points[i].x / 2 + (int)(random_next(&random) % 16));
    }
    return run_threads(sum_points, THREADS, argc, argv);
}
