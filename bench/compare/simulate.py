"""A profile as `coz run` might have written it in half a minute, of a program whose truth is known.

The noise is that of a machine: runs differ (1 %), the machine's mood wanders from block to block, windows are alike
their neighbours, some are interrupted, and how much a line is worth differs from block to block."""
import json
import math
import random
from dataclasses import dataclass, field

SPEEDUPS = [0.25, 0.5, 0.75, 1.0]
WINDOW_NS, SETTLED_NS, RUN_NS = 100_000_000, 20_000_000, 30_000_000_000


@dataclass
class Truth:
    """Of each line its number, text, share of the samples and impact; rate in visits a second."""
    lines: list
    rate: float = 2000.0
    function: str = "work(int)"


@dataclass
class Noise:
    window: float = 0.05       # standard deviation of a window's log time per visit
    alike: float = 0.5         # correlation of neighbouring windows
    mood: float = 0.03         # of a block
    mood_alike: float = 0.6    # correlation of neighbouring blocks
    run: float = 0.01          # of a run
    interrupted: float = 0.03  # share of windows
    impact: float = 0.05       # of an impact, from block to block


@dataclass
class Wander:
    """Normal numbers, each like the one before."""
    deviation: float
    alike: float
    chance: random.Random
    last: float = field(default=None)

    def next(self):
        fresh = self.chance.gauss(0, 1)
        self.last = fresh if self.last is None else self.alike * self.last + math.sqrt(1 - self.alike**2) * fresh
        return self.deviation * self.last


def window(number, place, line, speedup, effect, log_time, chance, rate):
    """One window and what was visited in it. From visit to visit: elapsed is a whole number of them."""
    time = math.exp(log_time) * (1 - effect) / rate * 1e9
    visits = max(1, round(WINDOW_NS / time))
    elapsed = round(visits * time)
    busy = round(WINDOW_NS * line["share"])
    delay = round(busy * speedup)
    experiment = {
        "type": "experiment", "selected": f"/src/app/worker.c:{line['line']}", "speedup": speedup, "duration": WINDOW_NS,
        "selected_samples": max(0, round(chance.gauss(busy / 5e5, math.sqrt(busy / 5e5)))), "block": number, "window": place,
        "selected_ns": busy, "sampled_ns": 2 * WINDOW_NS, "delay": delay, "paused": round(0.3 * delay), "settled": SETTLED_NS}
    return [experiment, {"type": "throughput-point", "name": "round", "delta": visits, "elapsed": elapsed}]


def block(number, line, mood, wander, noise, chance, truth):
    impact = line["impact"] + (chance.gauss(0, noise.impact) if line["impact"] else 0)
    plan = [0.0]
    for speedup in chance.sample(SPEEDUPS, 4):
        plan += [speedup, 0.0]
    records = []
    for place, speedup in enumerate(plan, 1):
        log_time = mood + wander.next()
        if chance.random() < noise.interrupted:
            log_time += math.log(1 + chance.expovariate(2))
        records += window(number, place, line, speedup, impact * speedup, log_time, chance, truth.rate)
    return records


def end(truth, texts):
    total = round(RUN_NS / 5e5)
    records = [{"type": "runtime", "time": RUN_NS, "samples": total}]
    for line in truth.lines:
        sample = {"type": "samples", "location": f"/src/app/worker.c:{line['line']}", "count": round(total * line["share"]),
                  "cpu_ns": round(RUN_NS * line["share"])}
        if texts:
            sample |= {"function": truth.function, "text": line["text"]}
        records.append(sample)
    return records


def simulate(truth, noise, seed, texts=True):
    """The lines of a profile."""
    chance = random.Random(seed)
    of_run = chance.gauss(0, noise.run)
    moods, windows = Wander(noise.mood, noise.mood_alike, chance), Wander(noise.window, noise.alike, chance)
    records = [{"type": "startup", "time": 1700000000000000000 + seed, "program": "/usr/bin/app"}]
    blocks = RUN_NS // (9 * WINDOW_NS + 9 * SETTLED_NS)
    for number in range(blocks):
        # Each is tried in turn, and then the ones that run most.
        line = truth.lines[number % len(truth.lines)] if number < 3 * len(truth.lines) else \
            chance.choices(truth.lines, [line["share"] for line in truth.lines])[0]
        records += block(number, line, of_run + moods.next(), windows, noise, chance, truth)
    return "".join(json.dumps(record) + "\n" for record in records + end(truth, texts))
