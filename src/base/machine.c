#include "base/machine.h"

#include <inttypes.h>
#include <stdio.h>

struct machine_ticks machine_ticks_now(void)
{
    struct machine_ticks ticks = {0, 0, 0};
    uint64_t user, nice, system, idle, wait, interrupt, soft;
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return ticks;
    if (fscanf(file,
               "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64,
               &user, &nice, &system, &idle, &wait, &interrupt, &soft, &ticks.stolen) == 8) {
        ticks.used = user + nice + system + interrupt + soft;
        ticks.all = ticks.used + idle + wait + ticks.stolen;
    } else {
        ticks.stolen = 0;
    }
    fclose(file);
    return ticks;
}
