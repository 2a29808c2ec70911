/* Two threads multiply two matrices, each every second row of the product; the second matrix is turned round, so that
 * both are read along their rows. A unit is a row. */
#include "shape.h"

enum { SIZE = 512, THREADS = 2 };

static float first[SIZE][SIZE], second[SIZE][SIZE];
/* Not static: nobody reads it, and it is to be computed all the same. */
float product[SIZE][SIZE];

static void multiply_row(int row) STEP;

static void multiply_row(int row)
{
    for (int column = 0; column < SIZE; column++) {
        float sum = 0;
        for (int i = 0; i < SIZE; i++)
            sum += first[row][i] * second[column][i];
        product[row][column] = sum;
    }
}

static void *multiply(void *number)
{
    for (int row = (int)(intptr_t)number;; row = (row + THREADS) % SIZE) {
        multiply_row(row);
        UNIT("row");
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 9;
    for (int row = 0; row < SIZE; row++)
        for (int column = 0; column < SIZE; column++) {
            first[row][column] = (float)random_unit(&random);
            second[row][column] = (float)random_unit(&random);
        }
    return run_threads(multiply, THREADS, argc, argv);
}
