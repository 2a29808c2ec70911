/* What the machine, or its owner, keeps from the program. */
#include "diagnosis/rules.h"
#include "diagnosis/words.h"

#include <string.h>

static const double watched_least_s = 2, others_watched_s = 4;

static bool was_watched(const struct machine_facts *machine)
{
    return machine->watched_s >= watched_least_s;
}

/* Before a run the limit itself is all that is known. */
bool rule_capped(const struct facts *facts, struct finding *finding)
{
    static const double often = 0.1;
    const struct machine_facts *machine = &facts->machine;
    bool is_less = machine->quota > 0 && machine->quota < machine->cores;
    bool has_begun = facts->run.elapsed_s > 0;
    if (!is_less || (has_begun && (!was_watched(machine) || machine->throttled < often)))
        return false;
    if (has_begun)
        say(finding->what,
            "The control group's limit of %.3g of %u cores stopped the program in %.0f %% of all periods: all its threads stand still then, whatever they do.",
            machine->quota, machine->cores, 100 * machine->throttled);
    else
        say(finding->what,
            "The control group lets programs use %.3g of %u cores: who needs more is stopped again and again.",
            machine->quota, machine->cores);
    say(finding->remedy,
        "Lift the limit (cpu.max, cpu.cfs_quota_us, `--cpus` of a container), or give whole cores instead (cpuset, taskset).");
    return true;
}

bool rule_stolen(const struct facts *facts, struct finding *finding)
{
    static const double much = 0.2;
    const struct machine_facts *machine = &facts->machine;
    if (!was_watched(machine) || machine->stolen < much)
        return false;
    say(finding->what, "The host of this virtual machine takes %.0f %% of its processors' time.",
        100 * machine->stolen);
    say(finding->remedy, "Profile at a calmer time, or on another machine: intervals are wide here.");
    return true;
}

/* Others are in the way only where the program's threads wait for a core meanwhile. */
bool rule_others(const struct facts *facts, struct finding *finding)
{
    static const double much = 0.3, waits = 0.5;
    const struct machine_facts *machine = &facts->machine;
    if (machine->watched_s < others_watched_s || machine->others < much || machine->queued < waits)
        return false;
    say(finding->what,
        "Other programs use %.0f %% of the processors, and this one's threads wait for a core %.1f s for each second that they run.",
        100 * machine->others, machine->queued);
    say(finding->remedy, "End what need not run beside it.");
    return true;
}

bool rule_swaps(const struct facts *facts, struct finding *finding)
{
    static const double many_pages = 200;
    const struct machine_facts *machine = &facts->machine;
    if (!was_watched(machine) || !machine->swaps || machine->swapped_s < many_pages)
        return false;
    say(finding->what,
        "The program's memory is partly in swap: %.0f pages a second come back from there, and threads stand still for each.",
        machine->swapped_s);
    say(finding->remedy, "Give it less data, or the machine more memory.");
    return true;
}

bool rule_no_perf(const struct facts *facts, struct finding *finding)
{
    const struct machine_facts *machine = &facts->machine;
    if (!machine->perf_was_asked || !machine->perf_errno)
        return false;
    say(finding->what, "perf events are not permitted (%s): sampled by timer, which needs no privilege.",
        strerror(machine->perf_errno));
    say(finding->remedy, "To allow them: sysctl kernel.perf_event_paranoid=2");
    return true;
}
