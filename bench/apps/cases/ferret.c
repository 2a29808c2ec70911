/* Pictures that look like a given one are searched: a pipeline whose stages have unequal pools of threads. One thread loads
 * pictures, one finds out what is in them, and two compare them with all that are known. A unit is a search.
 *
 * The change: two pictures are compared no further once they differ more than the ten that were nearest so far. */
#include "shape.h"

enum { PIXELS = 16384, COLOURS = 64, KNOWN = 4096, KINDS = 64, NEAREST = 10, SEARCHES = 8 };

struct search {
    unsigned char pixels[PIXELS];
    float colours[COLOURS];   /* how often each occurs */
    float distances[NEAREST]; /* of the nearest, the farthest of them last */
};

static float known[KNOWN][COLOURS];
static struct queue loaded = QUEUE_EMPTY, seen = QUEUE_EMPTY, empty = QUEUE_EMPTY;

static void load_picture(struct search *search, uint64_t *random) STEP;
static void count_colours(struct search *search) STEP;
static float distance_to(const float *colours, const float *other, float enough) STEP;
static void find_nearest(struct search *search) STEP;

/* One of few kinds, of which each has colours of its own. */
static void load_picture(struct search *search, uint64_t *random)
{
    uint64_t kind = random_next(random) % KINDS, mixed = random_next(random);
    for (int i = 0; i < PIXELS; i++) {
        uint32_t bits = random_next(&mixed);
        search->pixels[i] = (unsigned char)((kind + (bits >> 1 & bits >> 7 & bits >> 13)) % COLOURS);
    }
}

static void count_colours(struct search *search)
{
    memset(search->colours, 0, sizeof search->colours);
    for (int i = 0; i < PIXELS; i++)
        search->colours[search->pixels[i]] += 1.0f / PIXELS;
}

/* More than `enough` may be less than it is. */
static float distance_to(const float *colours, const float *other, float enough)
{
    float sum = 0;
    for (int i = 0; i < COLOURS; i++) {
        float difference = colours[i] - other[i];
        sum += difference * difference;
#ifdef CHANGED
        if (i % 8 == 7 && sum > enough)
            break;
#else
        (void)enough;
#endif
    }
    return sum;
}

static void find_nearest(struct search *search)
{
    float *nearest = search->distances;
    for (int i = 0; i < NEAREST; i++)
        nearest[i] = 1e9f;
    for (int k = 0; k < KNOWN; k++) {
        float distance = distance_to(search->colours, known[k], nearest[NEAREST - 1]);
        int place = NEAREST;
        while (place > 0 && nearest[place - 1] > distance)
            place--;
        if (place == NEAREST)
            continue;
        memmove(&nearest[place + 1], &nearest[place], (size_t)(NEAREST - 1 - place) * sizeof *nearest);
        nearest[place] = distance;
    }
}

static void *stage(void *number)
{
    uint64_t random = 1;
    for (;;) {
        struct search *search;
        switch ((intptr_t)number) {
        case 0:
            search = queue_take(&empty);
            load_picture(search, &random);
            queue_put(&loaded, search);
            break;
        case 1:
            search = queue_take(&loaded);
            count_colours(search);
            queue_put(&seen, search);
            break;
        default:
            search = queue_take(&seen);
            find_nearest(search);
            UNIT("search");
            queue_put(&empty, search);
        }
    }
}

int main(int argc, char **argv)
{
    static struct search searches[SEARCHES], sample;
    uint64_t random = 2;
    for (int k = 0; k < KNOWN; k++) {
        load_picture(&sample, &random);
        count_colours(&sample);
        memcpy(known[k], sample.colours, sizeof sample.colours);
    }
    for (int i = 0; i < SEARCHES; i++)
        queue_put(&empty, &searches[i]);
    return run_threads(stage, 4, argc, argv);
}
