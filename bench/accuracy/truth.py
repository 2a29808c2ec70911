"""The truth: what a program gains when a line's work is really cut, by timing it beside the original."""
import json
import math
import os
import random
import re
import statistics
import subprocess
import time

import cases

RESAMPLES = 4000
LEAST_ROUNDS = 7  # a median of five has no interval that holds it in 95 % of cases
MOST_STOLEN = 0.1  # of the cores' time, by the machine that this virtual one runs on: then the round is not used
TRIES = 2  # for each round that is wanted
WARM_S = 0.15  # what each timed run takes besides (cases/case.h)
WIDE = 0.04  # an interval wider than that is measured on,
LONGEST = 45  # until the target's timed runs have taken so many seconds in all
CACHE = os.path.join(cases.WORK, "truth.json")


class Failed(Exception):
    """A program did not do what every case does: end, and say how fast it was."""


def figure_of(output):
    """What a case says at its end, as seconds per visit, as the mean latency in seconds, or, of one that took turns, as
    the time per visit with the knob cut by that with it whole; None: nothing."""
    match = re.search(r"^(RATIO|RATE|LATENCY) (\S+)$", output, re.M)
    if not match or float(match[2]) <= 0:
        return None
    return {"RATIO": float(match[2]), "RATE": 1 / float(match[2]), "LATENCY": float(match[2]) / 1e9}[match[1]]


def kept(output):
    """What a case found out about the machine, as the arguments that spare the next run to find it out otherwise."""
    return [word for setting in re.findall(r"^KEEP (\S+)$", output, re.M) for word in ("--set", setting)]


def timed_run(case, seconds, arguments):
    """Its figure, and what it printed."""
    extra = case.timed_arguments + arguments
    command = case.command(seconds, extra=extra)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10 * seconds + 20, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)}: does not end") from None
    figure = figure_of(done.stdout)
    if done.returncode != 0 or figure is None:
        raise Failed(f"{' '.join(command)}: exit status {done.returncode} {done.stderr.strip()}")
    return figure, done.stdout


def median_interval(values, seed=1):
    """The median, and the 95 % interval of its bootstrap."""
    chance = random.Random(seed)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return statistics.median(values), medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES)]


def stolen_seconds():
    """What a virtual machine's cores had to wait for real ones, since the start; 0 where that is not known."""
    try:
        with open("/proc/stat", encoding="utf-8") as file:
            return int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0


class Stolen:
    """Starts to watch what is stolen."""

    def __init__(self):
        self.began, self.seconds = time.monotonic(), stolen_seconds()

    def share(self):
        """Of the cores' time, since the start."""
        return (stolen_seconds() - self.seconds) / (time.monotonic() - self.began) / os.cpu_count()


def runs_of(case):
    """In a round."""
    return 2 * len(case.cuts) + 1


def in_turns(case, target, seconds, seed, order):
    """{cut: its time per visit by the original's}, of one run for each cut, in which it and the original take turns."""
    ratios = {}
    for cut in order:
        arguments = ["--seed", str(seed), "--turns", f"{target.name}={cut}"]
        ratios[str(cut)], _ = timed_run(case, seconds * runs_of(case) / len(case.cuts), arguments)
    return ratios


def among_originals(case, target, seconds, seed, order):
    """{cut: its time per visit by the geometric mean of its neighbours'}, with the original before, between and after
    the cuts. All have the same seed, and what the first run found out, which the case keeps."""
    arguments, ratios = ["--seed", str(seed)], {}
    before, output = timed_run(case, seconds, arguments)
    case.found = kept(output)
    arguments += case.found
    for cut in order:
        changed, _ = timed_run(case, seconds, [*arguments, *target.cut_arguments(cut)])
        after, _ = timed_run(case, seconds, arguments)
        ratios[str(cut)] = changed / math.sqrt(before * after)
        before = after
    return ratios


def run_round(case, target, seconds, seed, chance):
    """The ratios of the cuts, shuffled, and the share of time that was stolen."""
    order, watch = list(case.cuts), Stolen()
    chance.shuffle(order)
    ratios = (in_turns if case.drifts else among_originals)(case, target, seconds, seed, order)
    return ratios, watch.share()


def measure_target(case, target, seconds, rounds, ratios, most_stolen=MOST_STOLEN):
    """Adds so many rounds to ratios, {cut: [its time by that of the original beside it, ...]}."""
    chance = random.Random(case.name + target.name)
    wanted, spoilt = len(next(iter(ratios.values()))) + rounds, 0
    while len(next(iter(ratios.values()))) < wanted:
        seed = len(next(iter(ratios.values()))) + spoilt + 1
        done, stolen = run_round(case, target, seconds, seed, chance)
        if stolen > most_stolen:
            spoilt += 1
            if spoilt == TRIES * rounds:
                raise Failed(f"{spoilt} rounds were disturbed by what else runs on the machine that this virtual one "
                             "runs on")
            continue
        for cut, ratio in done.items():
            ratios[cut].append(ratio)


def effects_of(ratios):
    """{cut: {effect, low, high}}"""
    answers = {}
    for cut, values in ratios.items():
        middle, low, high = median_interval(values)
        answers[cut] = {"effect": 1 - middle, "low": 1 - high, "high": 1 - low}
    return answers


def is_worth_more(case, ratios, seconds):
    """It is known too badly for its price."""
    spent = len(next(iter(ratios.values()))) * runs_of(case) * (seconds + WARM_S)
    return spent < LONGEST and any(answer["high"] - answer["low"] > WIDE for answer in effects_of(ratios).values())


def load_cache():
    try:
        with open(CACHE, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def save_cache(cache):
    os.makedirs(cases.WORK, exist_ok=True)
    with open(CACHE + ".new", "w", encoding="utf-8") as file:
        json.dump(cache, file, indent=1)
    os.replace(CACHE + ".new", CACHE)


def rounds_of(case, seconds, rounds):
    """The length of a timed run, and how many rounds, for this case."""
    if case.least_seconds > seconds:
        return case.least_seconds, max(LEAST_ROUNDS, math.ceil(seconds * rounds / case.least_seconds))
    return seconds, rounds


class Beside:
    """The truth as it is while something else is measured, be the machine calm or not: some rounds before, some after.
    Nothing is remembered."""

    def __init__(self, case, seconds, rounds):
        self.case = case
        self.seconds, self.rounds = rounds_of(case, seconds, rounds)
        self.ratios = {target.name: {str(cut): [] for cut in case.cuts} for target in case.targets}

    def measure(self, share):
        """That share of the rounds."""
        for target in self.case.targets:
            measure_target(self.case, target, self.seconds, math.ceil(share * self.rounds), self.ratios[target.name], 1)

    def effects(self):
        return {name: effects_of(ratios) for name, ratios in self.ratios.items()}


def truth_of(case, seconds, rounds, fresh=False, condition=""):
    """{target: {"25": {effect, low, high}, ...}}; measured once for each state of the sources, unless fresh. When more
    rounds are asked for than were measured, or they say too little, the missing ones are added to them. What was measured under another
    condition is another truth."""
    seconds, rounds = rounds_of(case, seconds, rounds)
    cache = load_cache()
    name = case.name + condition
    known, key = cache.get(name), cases.source_hash(case)
    if fresh or not known or known["key"] != key or known["seconds"] != seconds:
        known = {"key": key, "seconds": seconds, "ratios": {}}
    for target in case.targets:
        ratios = known["ratios"].setdefault(target.name, {str(cut): [] for cut in case.cuts})
        missing = rounds - len(next(iter(ratios.values())))
        while missing > 0 or is_worth_more(case, ratios, seconds):
            measure_target(case, target, seconds, missing if missing > 0 else rounds, ratios)
            missing = 0
            known["found"] = case.found
            cache = load_cache()
            cache[name] = known
            save_cache(cache)
    case.found = known.get("found", [])
    return {target.name: effects_of(known["ratios"][target.name]) for target in case.targets}
