"""The truth of a composed program: what its visits take while a target's work is cut, by turns within one run.

The program prints a line for each turn (parts/program.h): TURN cycle target percent ns visits. A cycle has every turn
once, in shuffled order, so that what drifts more slowly hits all alike.
"""
import random
import re

from truth import Failed

RESAMPLES = 1000
LEAST_CYCLES = 8
WHOLE = -1  # the target of turns in which nothing is cut
CUTS_LEFT = (75, 50, 25)  # percent of a target's work


def turns_of(output, segment):
    """[segment, cycle, target, percent left, ns, visits] of each turn that was printed."""
    found = re.findall(r"^TURN (\d+) (-?\d+) (\d+) (\d+) (\d+)$", output, re.M)
    if not found:
        raise Failed("no turns: its visits take too long for that")
    return [[segment, *map(int, turn)] for turn in found]


def cycles_of(turns, targets):
    """Of each whole cycle: {(target, percent): (ns, visits)}. None may be whole, where a visit takes a tenth of a second."""
    cycles = {}
    for segment, cycle, target, percent, ns, visits in turns:
        turn = cycles.setdefault((segment, cycle), {}).setdefault((target, percent), [0, 0])
        turn[0] += ns
        turn[1] += visits
    whole = 1 + targets * len(CUTS_LEFT)
    return [cycle for cycle in cycles.values() if len(cycle) == whole]


def time_per_visit(cycles, target, percent):
    return sum(cycle[target, percent][0] for cycle in cycles) / sum(cycle[target, percent][1] for cycle in cycles)


def effect(cycles, target, percent):
    return 1 - time_per_visit(cycles, target, percent) / time_per_visit(cycles, WHOLE, 100)


def merged(cycles, length):
    """Blocks of so many cycles that follow each other, each as one cycle. What is left over at the end goes into the last."""
    count = len(cycles) // length
    blocks = [cycles[i * length:(i + 1) * length if i + 1 < count else len(cycles)] for i in range(count)]
    return [{turn: tuple(map(sum, zip(*(cycle[turn] for cycle in block)))) for turn in block[0]} for block in blocks]


def drawn_effects(cycles, targets, chance):
    """{(target, percent): sorted effects}, of cycles that are drawn again."""
    samples = [chance.choices(cycles, k=len(cycles)) for _ in range(RESAMPLES)]
    return {(target, percent): sorted(effect(sample, target, percent) for sample in samples)
            for target in range(targets) for percent in CUTS_LEFT}


def effects_of(turns, targets, seed=1):
    """For each target {cut: {effect, low, high}}, with 95 % intervals: cycles are drawn again, one by one, by twos, by fours
    and so on, and the widest interval counts. For some programs have states that last for seconds, which cycles that follow
    each other share. Of too few cycles they say nothing, and reach from -1 to 1."""
    cycles, chance = cycles_of(turns, targets), random.Random(seed)
    if not cycles:
        nothing = {"effect": 0, "low": -1, "high": 1}
        return [{str(100 - percent): nothing for percent in CUTS_LEFT} for _ in range(targets)]
    lengths = [2**i for i in range(16) if len(cycles) >= LEAST_CYCLES * 2**i]
    drawn = [drawn_effects(merged(cycles, length), targets, chance) for length in lengths]
    answers = []
    for target in range(targets):
        answers.append({})
        for percent in CUTS_LEFT:
            bounds = [(of[target, percent][int(0.025 * RESAMPLES)], of[target, percent][int(0.975 * RESAMPLES)])
                      for of in drawn] or [(-1, 1)]
            low, high = max(bounds, key=lambda bound: bound[1] - bound[0])
            answers[-1][str(100 - percent)] = {"effect": effect(cycles, target, percent), "low": low, "high": high}
    return answers
