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

CUTS = (25, 50, 75)
RESAMPLES = 4000
LEAST_ROUNDS = 5
MOST_STOLEN = 0.1  # of the cores' time, by the machine that this virtual one runs on: then the round is not used
TRIES = 2  # for each round that is wanted
CACHE = os.path.join(cases.WORK, "truth.json")


class Failed(Exception):
    """A program did not do what every case does: end, and say how fast it was."""


def time_per_visit(output):
    """What a case says at its end, as seconds per visit, or as the mean latency in seconds; None: nothing."""
    match = re.search(r"^(RATE|LATENCY) (\S+)$", output, re.M)
    if not match or float(match[2]) <= 0:
        return None
    return 1 / float(match[2]) if match[1] == "RATE" else float(match[2]) / 1e9


def timed_run(case, seconds, seed, target=None, cut=0):
    extra = case.timed_arguments + ["--seed", str(seed)] + (["--cut", f"{target.name}={cut}"] if cut else [])
    command = case.command(seconds, extra=extra)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10 * seconds + 20, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{' '.join(command)}: does not end") from None
    per_visit = time_per_visit(done.stdout)
    if done.returncode != 0 or per_visit is None:
        raise Failed(f"{' '.join(command)}: exit status {done.returncode} {done.stderr.strip()}")
    return per_visit


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


def run_round(case, target, seconds, seed, chance):
    """The original and each cut, shuffled. {cut: seconds per visit}, and the share of time that was stolen."""
    order = [0, *CUTS]
    chance.shuffle(order)
    began, stolen = time.monotonic(), stolen_seconds()
    times = {cut: timed_run(case, seconds, seed, target, cut) for cut in order}
    return times, (stolen_seconds() - stolen) / (time.monotonic() - began) / os.cpu_count()


def measure_target(case, target, seconds, rounds):
    """Each cut is paired with the original of its round."""
    chance = random.Random(case.name + target.name)
    ratios = {cut: [] for cut in CUTS}
    for seed in range(1, TRIES * rounds + 1):
        times, stolen = run_round(case, target, seconds, seed, chance)
        if stolen > MOST_STOLEN:
            continue
        for cut in CUTS:
            ratios[cut].append(times[cut] / times[0])
        if len(ratios[CUTS[0]]) == rounds:
            break
    else:
        raise Failed(f"of {TRIES * rounds} rounds, {TRIES * rounds - len(ratios[CUTS[0]])} were disturbed by what "
                     "else runs on the machine that this virtual one runs on")
    answers = {}
    for cut in CUTS:
        middle, low, high = median_interval(ratios[cut])
        answers[str(cut)] = {"effect": 1 - middle, "low": 1 - high, "high": 1 - low}
    return answers


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


def truth_of(case, seconds, rounds, fresh=False):
    """{target: {"25": {effect, low, high}, ...}}; measured once for each state of the sources, unless fresh or
    with more care (seconds times rounds) than it was then."""
    cache = load_cache()
    care = seconds * rounds
    if case.least_seconds > seconds:
        seconds, rounds = case.least_seconds, max(LEAST_ROUNDS, math.ceil(care / case.least_seconds))
    known, key = cache.get(case.name), cases.source_hash(case)
    if known and not fresh and known["key"] == key and known["seconds"] * known["rounds"] >= 0.999 * care:
        return known["targets"]
    targets = {target.name: measure_target(case, target, seconds, rounds) for target in case.targets}
    cache = load_cache()
    cache[case.name] = {"key": key, "seconds": seconds, "rounds": rounds, "targets": targets}
    save_cache(cache)
    return targets
