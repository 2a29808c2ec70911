/* Principal components begin with the means of a matrix's rows, and with how every two rows vary together. Two threads
 * take the next row from a common counter in both steps, and meet at a barrier between them. A unit is a row of the
 * covariances. */
#include "shape.h"

enum { ROWS = 256, COLUMNS = 1024, THREADS = 2 };

static int matrix[ROWS][COLUMNS];
static double means[ROWS];
/* Not static: nobody reads it, and it is to be computed all the same. */
double covariances[ROWS][ROWS];
static _Atomic int next_mean, next_covariance;
static pthread_barrier_t barrier;

static void find_mean(int row) STEP;
static void find_covariances(int row) STEP;

static void find_mean(int row)
{
    long sum = 0;
    for (int i = 0; i < COLUMNS; i++)
        sum += matrix[row][i];
    means[row] = (double)sum / COLUMNS;
}

static void find_covariances(int row)
{
    for (int other = row; other < ROWS; other++) {
        double sum = 0;
        for (int i = 0; i < COLUMNS; i++)
            sum += (matrix[row][i] - means[row]) * (matrix[other][i] - means[other]);
        covariances[row][other] = covariances[other][row] = sum / (COLUMNS - 1);
    }
}

static void *find_all(void *number)
{
    for (;;) {
        for (int row; (row = atomic_fetch_add(&next_mean, 1)) < ROWS;)
            find_mean(row);
        pthread_barrier_wait(&barrier);
        if (number == NULL)
            atomic_store(&next_mean, 0);
        for (int row; (row = atomic_fetch_add(&next_covariance, 1)) < ROWS;) {
            find_covariances(row);
            UNIT("row");
        }
        pthread_barrier_wait(&barrier);
        if (number == NULL)
            atomic_store(&next_covariance, 0);
        pthread_barrier_wait(&barrier);
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 11;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            matrix[row][column] = (int)(random_next(&random) % 1000);
    pthread_barrier_init(&barrier, NULL, THREADS);
    return run_threads(find_all, THREADS, argc, argv);
}
