/* Progress as coz.hpp marks it: a point, a latency, and waits that are announced. */
#include <coz.hpp>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <unistd.h>

static coz::progress turn("turn");
static coz::latency request("request");
static volatile unsigned sink;

static void work()
{
    unsigned x = 1;
    for (unsigned i = 0; i < 300000; i++)
        x = (x ^ (x >> 15)) * 2246822519u; /* its line */
    sink = x;
}

int main(int argc, char **argv)
{
    const char *until = argc > 2 && std::strcmp(argv[1], "--until") == 0 ? argv[2] : nullptr;
    int turns = 0;
    do {
        coz::latency::unit inside(request);
        work();
        {
            coz::blocking wait;
            wait.woken_by_us = false;
            std::this_thread::sleep_for(std::chrono::microseconds(1));
        }
        coz::catch_up();
        ++turn;
        turn.visit();
    } while (until && access(until, F_OK) != 0 && ++turns);
    return 0;
}
