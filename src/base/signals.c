#include "base/signals.h"

void signals_catch(const int *numbers, size_t count, const struct sigaction *action)
{
    for (size_t i = 0; i < count; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], action, NULL);
    }
}
