/* What the program's time goes into, other than work: sleep, waits, and loops that wait. */
#include "diagnosis/rules.h"
#include "diagnosis/words.h"

/* An experiment makes lines seem faster; a program that waits for something else most of its time gains
 * little by that. Of so many looks, the share is known to 15 points or so. */
enum { ENOUGH_LOOKS = 40, ENOUGH_SAMPLES = 500 };
static const double mostly = 0.75, part_of_idle = 0.5;

static bool is_idle(const struct facts *facts)
{
    const struct look_facts *looks = &facts->run.looks;
    return looks->count >= ENOUGH_LOOKS && looks->idle >= mostly * looks->count;
}

static double idle_percent(const struct facts *facts)
{
    return 100.0 * facts->run.looks.idle / facts->run.looks.count;
}

/* Of those moments at which nobody ran, so many are for that reason. Where latencies are asked for it does not
 * matter how much is done, and requests that come by the clock are as good as any. */
static bool is_for(const struct facts *facts, unsigned looks)
{
    return is_idle(facts) && !facts->run.points.of_latency && looks > part_of_idle * facts->run.looks.idle;
}

bool rule_sleeps(const struct facts *facts, struct finding *finding)
{
    if (!is_for(facts, facts->run.looks.clock))
        return false;
    say(finding->what,
        "The program sleeps by the clock %.0f %% of its time (a limit of frames or requests a second, a ticker?): how often it does its work is the clock's affair, and no faster line will show.",
        idle_percent(facts));
    say(finding->remedy,
        "Take the limit or the sleep out for the profile; or measure how long the work itself takes: COZ_BEGIN(\"work\") and COZ_END(\"work\") around it.");
    return true;
}

bool rule_waits(const struct facts *facts, struct finding *finding)
{
    if (!is_for(facts, facts->run.looks.outside))
        return false;
    say(finding->what,
        "The program waits for something outside of it (a client, a server, input) %.0f %% of its time, and no faster line will show.",
        idle_percent(facts));
    say(finding->remedy,
        "Give it so much to do that it is busy: more clients, or input that is there at once.");
    return true;
}

bool rule_waits_for_disk(const struct facts *facts, struct finding *finding)
{
    if (!is_for(facts, facts->run.looks.disk))
        return false;
    say(finding->what, "The program waits for a disk %.0f %% of its time, and no faster line will show.",
        idle_percent(facts));
    say(finding->remedy,
        "Read less, ahead, or from memory (a second run finds files there); it is not its code that is slow.");
    return true;
}

/* A loop that is meant to be short goes on for as long as the thread that it waits for has no core. */
static bool is_much(const struct facts *facts, uint64_t part)
{
    static const double much = 0.4, much_on_few_cores = 0.5, waits = 0.5;
    uint64_t samples = facts->run.code.samples;
    double least = facts->machine.queued < waits ? much : much_on_few_cores;
    return samples >= ENOUGH_SAMPLES && (double)part >= least * (double)samples;
}

bool rule_spins(const struct facts *facts, struct finding *finding)
{
    const struct code_facts *code = &facts->run.code;
    if (!is_much(facts, code->spins))
        return false;
    int percent = (int)(100.0 * (double)code->spins / (double)code->samples);
    if (code->spinner && 2 * code->spinner_samples > code->spins)
        say(finding->what,
            "%d %% of the samples are of threads that spin, most at %s: they wait there for another thread, which to coz looks like work.",
            percent, code->spinner);
    else
        say(finding->what,
            "%d %% of the samples are of threads that spin: they wait for another thread, which to coz looks like work.",
            percent);
    say(finding->remedy,
        "Wait by a condition, a semaphore or a futex there; or put COZ_PRE_BLOCK before the loop and COZ_POST_BLOCK(1) behind it.");
    return true;
}

bool rule_asks_clock(const struct facts *facts, struct finding *finding)
{
    const struct code_facts *code = &facts->run.code;
    if (!is_much(facts, code->clock_samples))
        return false;
    say(finding->what,
        "%.0f %% of the samples are of threads that ask for the time: does a loop wait for a moment? To coz that looks like work.",
        100.0 * (double)code->clock_samples / (double)code->samples);
    say(finding->remedy, "Sleep until then, or take the wait out for the profile.");
    return true;
}
