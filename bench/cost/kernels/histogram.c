/* Two threads count the colours of their halves of a picture, each into counters of its own. A unit is a row of it. */
#include "shape.h"

enum { ROWS = 1024, WIDTH = 4096, THREADS = 2 };

static uint8_t picture[ROWS][WIDTH][3];
/* Not static: nobody reads it, and it is to be computed all the same. */
unsigned long counts[THREADS][3][256];

static void count_row(const uint8_t (*row)[3], unsigned long (*count)[256]) STEP;

static void count_row(const uint8_t (*row)[3], unsigned long (*count)[256])
{
    for (int x = 0; x < WIDTH; x++)
        for (int colour = 0; colour < 3; colour++)
            count[colour][row[x][colour]]++;
}

static void *count_half(void *number)
{
    int half = (int)(intptr_t)number;
    for (int y = half;; y = (y + THREADS) % ROWS) {
        count_row(picture[y], counts[half]);
        UNIT("row");
    }
}

int main(int argc, char **argv)
{
    uint64_t random = 3;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int colour = 0; colour < 3; colour++)
                picture[y][x][colour] = (uint8_t)random_next(&random);
    return run_threads(count_half, THREADS, argc, argv);
}
