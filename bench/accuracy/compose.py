"""Programs that nobody drew: composed at random from the parts in parts/, one file a part.

A program has one shape (who does what when, and what a visit is), bodies made of steps (what a thread does for a visit),
and company (threads and processes that are only there). A part is C and C++ with some words that are replaced:

    $NAME        what was chosen for `@setting NAME one two three`; a word that is there twice is chosen twice as often
    $ID          a number of the part's own
    $WORK        work on one line, which may become a target; $WORK3 a third of it
    $BODIES      of a shape: how many bodies it has, `@bodies LEAST MOST`; body i is called by bodies[i](&self), and
                 pools[i], `@pools LEAST MOST`, says how many threads it should have

and sections, each after its own comment: globals, start (in main), step (in a body), visit (at each visit), main (of a
shape: the first thread's, does not come back). `@often N` in the head makes a part as likely as N others. `@fed US` has
the standard input fed a byte as often as the setting US says.
"""
import math
import os
import random
import re
import string
from dataclasses import dataclass, field

PARTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "parts")
TARGETS = 2
SHORTEST_US, LONGEST_US = 20, 50000  # a piece of work
LENGTHS = ("constant", "uniform", "long_tailed")


@dataclass
class Part:
    kind: str
    name: str
    settings: list  # (name, [value, ...])
    ranges: dict  # bodies, pools: (least, most)
    often: int
    fed: str  # the setting that says how often; or None
    sections: dict


@dataclass
class Work:
    us: float
    length: str
    repeats: int
    target: int = -1

    def line(self):
        return f"WORK({self.target}, {self.length}(self, {self.us:.4g}));"


@dataclass
class Program:
    seed: int
    source: str
    is_cpp: bool
    optimisation: str
    is_bare: bool  # counts visits as the original's header does
    fed_us: int  # the standard input is fed a byte so often; 0: never
    summary: str
    lines: list = field(default_factory=list)  # of the targets, in the source

    def suffix(self):
        return ".cpp" if self.is_cpp else ".c"


def read_part(kind, path):
    with open(path, encoding="utf-8") as file:
        pieces = re.split(r"^/\* @(globals|start|step|visit|main) \*/\n", file.read(), flags=re.M)
    head, sections = pieces[0], dict(zip(pieces[1::2], pieces[2::2]))
    settings = [(name, values.split()) for name, values in re.findall(r"@setting (\w+) (.*?)(?: \*/)?$", head, re.M)]
    ranges = {name: (int(least), int(most)) for name, least, most in re.findall(r"@(bodies|pools) (\d+) (\d+)", head)}
    often, fed = re.search(r"@often (\d+)", head), re.search(r"@fed (\w+)", head)
    return Part(kind, os.path.basename(path).split(".")[0], settings, ranges, int(often[1]) if often else 1,
                fed[1] if fed else None, sections)


def read_parts(kind):
    folder = os.path.join(PARTS, kind)
    return [read_part(kind, os.path.join(folder, name)) for name in sorted(os.listdir(folder))]


def log_uniform(chance, least, most):
    return math.exp(chance.uniform(math.log(least), math.log(most)))


class Composer:
    """Makes one program. The same seed and the same parts make the same program."""

    def __init__(self, seed):
        self.seed, self.chance = seed, random.Random(seed)
        self.base_us = log_uniform(self.chance, 40, 1500) * self.chance.choice((1, 1, 1, 1, 1, 1, 1, 1, 1, 10))
        self.works, self.globals, self.starts, self.visits, self.words = [], [], [], [], []
        self.ids, self.fed_us = 0, 0

    def choose(self, parts):
        return self.chance.choices(parts, weights=[part.often for part in parts])[0]

    def work(self, repeats):
        """A placeholder: which ones are targets is known when all are there."""
        us = self.base_us * log_uniform(self.chance, 0.4, 2.5) / repeats
        self.works.append(Work(min(max(us, SHORTEST_US), LONGEST_US), self.chance.choice(LENGTHS), repeats))
        return f"@work {len(self.works) - 1}@"

    def fill(self, text, values):
        text = re.sub(r"\$WORK(3?)\b", lambda match: self.work(3 if match[1] else 1), text)
        return string.Template(text).substitute(values)

    def use(self, part, more=()):
        """Adds what the part has outside of bodies and main; returns its values."""
        self.ids += 1
        values = {name: self.chance.choice(choices) for name, choices in part.settings}
        self.words.append(" ".join([part.name, *(f"{name.lower()}={value}" for name, value in values.items())]))
        values.update(more, ID=self.ids)
        for section, texts in (("globals", self.globals), ("start", self.starts), ("visit", self.visits)):
            if section in part.sections:
                texts.append(self.fill(part.sections[section], values))
        if part.fed:
            self.fed_us = int(values[part.fed])
        return values

    def body(self, number, steps):
        """A function of one to three steps, one of which works."""
        working = [part for part in steps if "$WORK" in part.sections["step"]]
        chosen = [self.choose(working), *(self.choose(steps) for _ in range(self.chance.choice((0, 1, 1, 2))))]
        self.chance.shuffle(chosen)
        lines = "".join(self.fill(part.sections["step"], self.use(part)) for part in chosen)
        return (f"static void body_{number}(struct self *self)\n{{\n    unsigned long x = self->number + 1;\n\n"
                f"{lines}    self->chance += x & 1;\n}}\n")

    def choose_targets(self):
        """Two of the lines that take enough of the time to be found."""
        most = max(work.us * work.repeats for work in self.works)
        heavy = [work for work in self.works if work.us * work.repeats >= 0.25 * most]
        light = sorted((work for work in self.works if work not in heavy), key=lambda work: -work.us * work.repeats)
        self.chance.shuffle(heavy)
        for target, work in enumerate((heavy + light)[:TARGETS]):
            work.target = target

    def compose(self):
        shape, steps, companies = self.choose(read_parts("shapes")), read_parts("steps"), read_parts("company")
        count = self.chance.randint(*shape.ranges["bodies"])
        least, most = shape.ranges.get("pools", (1, 1))
        pools = [self.chance.randint(least, most) for _ in range(count)]
        values = self.use(shape, {"BODIES": count}.items())
        shape_globals = self.globals.pop()
        self.words[0] += f" bodies={count}" + (f" pools={'/'.join(map(str, pools))}" if "pools" in shape.ranges else "")
        bodies = []
        while len(bodies) < count or len(self.works) < TARGETS:
            if len(bodies) == count:  # too little work for two targets: once more
                bodies, self.works, self.globals, self.starts, self.words = [], [], [], [], self.words[:1]
            bodies.append(self.body(len(bodies), steps))
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            self.use(self.choose(companies))
        self.choose_targets()
        main = self.fill(shape.sections["main"], values)
        return self.program(bodies, pools, shape_globals, main)

    def program(self, bodies, pools, shape_globals, main):
        is_bare, is_cpp = self.chance.random() < 0.3, self.chance.random() < 0.4
        names = ", ".join(f"body_{number}" for number in range(len(bodies)))
        source = "\n".join([
            f"/* Composed with seed {self.seed}: {'; '.join(self.words)} */",
            f"#define TARGETS {TARGETS}", *(["#define BARE_COUNTER"] if is_bare else []), '#include "program.h"\n',
            *self.globals, *bodies,
            f"static void (*const bodies[])(struct self *) = {{{names}}};",
            f"static const unsigned pools[] = {{{', '.join(map(str, pools))}}};\n", shape_globals,
            "static void company_visit(struct self *self)\n{\n    (void)self;\n" + "".join(self.visits) + "}\n",
            "int main(int argc, char **argv)\n{\n    program_start(argc, argv);\n    (void)bodies;\n    (void)pools;\n"
            + "".join(self.starts) + main + "}\n"])
        source = re.sub(r"@work (\d+)@", lambda match: self.works[int(match[1])].line(), source)
        lines = [1 + source[:source.index(f"WORK({target}, ")].count("\n") for target in range(TARGETS)]
        summary = "; ".join(self.words) + ("; bare" if is_bare else "") + ("; C++" if is_cpp else "")
        return Program(self.seed, source, is_cpp, self.chance.choice(("-O1", "-O2", "-O3")), is_bare, self.fed_us,
                       summary, lines)


def compose(seed):
    return Composer(seed).compose()
