/* All that `everything` does. */
#include "../target.h"

#include <coz.h>

enum { STEPS = 400000 };

unsigned everything(unsigned x);

unsigned everything(unsigned x)
{
    for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++) /* its line */
        continue;
    COZ_PROGRESS_NAMED("piece");
    return x;
}
