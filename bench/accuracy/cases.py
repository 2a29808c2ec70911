"""The cases: what their sources say about themselves, and how they are built.

A source names its cases and targets in comments:

    @case NAME [ARGUMENTS]       one line a case; the arguments are the program's
    @least NAME SECONDS          a timed run of it takes at least that long
    @drifts NAME                 its truth changes from minute to minute: it is measured beside each profile, by visits
                                 that take turns, which must be one thread's
    @truth NAME ARGUMENTS        more arguments for timed runs only
    @cuts NAME PERCENT...        what is cut off a target's work, and asked about; 25, 50 and 75 unless said. Below zero
                                 it has more to do: by the knob TARGET-slower, in percent
    @quantile NAME PERCENT       what is measured is that quantile of the latency, and not its mean
    @target KNOB PLACE           a target that is no line, as coz run --target takes it
    ...; /* TARGET knob */       this line is a target, and `--cut knob=PERCENT` really makes it cheaper
    ...; /* TARGET knob WAIT */  the target is the wait at this line, which that makes shorter
"""
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(TOP, "build")))
WORK = os.path.join(BUILD, "bench", "accuracy")
SOURCES = os.path.join(HERE, "cases")

COMPILERS = {
    ".c": [os.environ.get("CC", "gcc"), "-std=gnu11"],
    ".cpp": [os.environ.get("CXX", "g++"), "-std=c++20"],
}
RUST = ["rustc", "--edition", "2021", "-O", "-g"]  # its debug information is DWARF 4
FLAGS = ["-g", "-O2", "-Wall", "-Wextra", "-pthread", "-I" + os.path.join(TOP, "include"), "-I" + SOURCES]
DWARF4 = ["-gdwarf-4", "-gstrict-dwarf"]  # strict: Debian's coz drops every line over one GNU attribute
LIBRARIES = ["-lm"]


CUTS = (25, 50, 75)


@dataclass
class Target:
    name: str  # also the knob's
    place: str  # file.c:LINE, or what is no line, as coz run --target takes it

    def is_line(self):
        return not self.place.startswith(("thread:", "wait:"))

    def cut_arguments(self, cut):
        """Of a timed run."""
        return ["--cut", f"{self.name}={cut}"] if cut > 0 else ["--set", f"{self.name}-slower={-cut}"]


@dataclass
class Case:
    name: str
    source: str
    arguments: list
    least_seconds: float = 0
    drifts: bool = False
    timed_arguments: list = field(default_factory=list)
    found: list = field(default_factory=list)  # by the truth's runs about the machine: its profiles are told, too
    targets: list = field(default_factory=list)
    metric: str = "throughput"
    cuts: tuple = CUTS
    quantile: float = 0  # 0.9: of the latency; 0: its mean

    def program(self, dwarf4=False):
        stem = os.path.splitext(os.path.basename(self.source))[0]
        return os.path.join(WORK, "dwarf4" if dwarf4 else "bin", stem)

    def command(self, seconds, dwarf4=False, extra=()):
        return [self.program(dwarf4), *self.arguments, *extra, "--seconds", f"{seconds:g}"]


def read_source(path):
    """All cases of one source."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    text = "\n".join(lines)
    base = os.path.basename(path)
    targets = [Target(match[1], f"{'wait:' if match[2] else ''}{base}:{number}") for number, line in enumerate(lines, 1)
               if (match := re.search(r"/\* TARGET (\S+)( WAIT)? \*/", line))]
    targets += [Target(*pair) for pair in re.findall(r"^ \* @target (\S+) (\S+)$", text, re.M)]
    cuts = {name: tuple(int(cut) for cut in rest.split()) for name, rest in re.findall(r"^ \* @cuts (\S+) (.*)$", text, re.M)}
    timed = {name: shlex.split(arguments) for name, arguments in re.findall(r"^ \* @truth (\S+) (.*)$", text, re.M)}
    least = {name: float(seconds) for name, seconds in re.findall(r"^ \* @least (\S+) (\S+)$", text, re.M)}
    drifts = set(re.findall(r"^ \* @drifts (\S+)$", text, re.M))
    quantiles = {name: float(percent) / 100 for name, percent in re.findall(r"^ \* @quantile (\S+) (\S+)$", text, re.M)}
    metric = "latency" if 'COZ_BEGIN_ID("visit"' in text else "throughput"
    return [Case(name, path, shlex.split(arguments), least.get(name, 0), name in drifts, timed.get(name, []),
                 targets=targets, metric=metric, cuts=cuts.get(name, CUTS), quantile=quantiles.get(name, 0))
            for name, arguments in re.findall(r"^ \* @case (\S+)(.*)$", text, re.M)]


def all_cases():
    endings = (".c", ".cpp", ".rs") if shutil.which(RUST[0]) else (".c", ".cpp")
    paths = [os.path.join(folder, name) for folder, _, names in os.walk(SOURCES) for name in names
             if name.endswith(endings)]
    return [case for path in sorted(paths, key=os.path.basename) for case in read_source(path)]


def chosen_cases(names):
    """Those of the names, with commas between them; all when there is none. Ends the runner at one that is not known."""
    known = all_cases()
    if not names:
        return known
    wanted = names.split(",")
    missing = set(wanted) - {case.name for case in known}
    if missing:
        sys.exit(f"no such case: {', '.join(sorted(missing))} (bench/accuracy/run --list lists them)")
    return [case for case in known if case.name in wanted]


def included(path):
    """The file, and the headers that it includes, beside it or above."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r'^#include "([^"/]+)"', file.read(), re.M)
    beside = [os.path.join(os.path.dirname(path), name) for name in names]
    found = [near if os.path.exists(near) else os.path.join(SOURCES, name) for near, name in zip(beside, names)]
    return [path, *(header for other in found for header in included(other))]


def inputs(case):
    """The files that the case's program is made of."""
    if case.source.endswith(".rs"):
        return [case.source, os.path.join(TOP, "bindings", "rust", "src", "lib.rs")]
    return [*dict.fromkeys(included(case.source)), os.path.join(TOP, "include", "coz.h")]


def source_hash(case):
    """Changes when the truth may: with the sources, the arguments or the compiler's."""
    digest = hashlib.sha256(repr((case.arguments, case.timed_arguments, compile_command(case, "", False))).encode())
    for path in inputs(case):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def compile_command(case, output, dwarf4):
    if case.source.endswith(".rs"):
        return [*RUST, "-o", output, case.source]
    flags = FLAGS + (DWARF4 if dwarf4 else [])
    return COMPILERS[os.path.splitext(case.source)[1]] + flags + ["-o", output, case.source, *LIBRARIES]


def build(case, dwarf4=False):
    """Compiles the program if its inputs, or the flags here, are newer. Ends the runner when it cannot."""
    output = case.program(dwarf4)
    newest = max(os.path.getmtime(path) for path in [*inputs(case), __file__])
    if os.path.exists(output) and os.path.getmtime(output) > newest:
        return
    os.makedirs(os.path.dirname(output), exist_ok=True)
    if subprocess.run(compile_command(case, output, dwarf4), check=False).returncode != 0:
        sys.exit(f"{case.name}: does not compile")
