/* Work of uneven length: with equal pieces threads fall into step, or out of it, and a hundredth more or less decides
 * which. */
#ifndef UNEVEN_H
#define UNEVEN_H

/* From half to one and a half of the steps. */
static inline unsigned uneven(unsigned steps, unsigned random)
{
    return steps / 2 + (random >> 8) % (steps + 1);
}

#endif
