"""The shapes of bench/apps/cases and the kernels here: programs that are asked for so many units of work, and for no more."""
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BUILD", ROOT / "build")).resolve()
SHAPES = ROOT / "bench/apps/cases"
COZ = BUILD / "bin/coz"
WORK = BUILD / "cost"
KERNELS = ROOT / "bench/cost/kernels"
SOURCES = {path.stem: path for folder in (SHAPES, KERNELS) for path in sorted(folder.glob("*.c"))}
NAMES = list(SOURCES)


def build(name):
    """The program, with debug information that every coz can read."""
    WORK.mkdir(parents=True, exist_ok=True)
    program = WORK / name
    subprocess.run(["cc", "-gdwarf-4", "-O2", f"-I{ROOT / 'include'}", f"-I{SHAPES}", SOURCES[name], "-o", program,
                    "-pthread", "-lm"], check=True)
    return program


def run(command, **environment):
    """Seconds, and the largest resident set of the programs in it, in MB."""
    began = time.monotonic()
    pid = os.posix_spawn("/usr/bin/env", ["env", *map(str, command)], dict(os.environ, **environment),
                         file_actions=[(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_WRONLY, 0) for fd in (1, 2)])
    _, status, usage = os.wait4(pid, 0)
    took = time.monotonic() - began
    if status:
        sys.exit(f"{' '.join(map(str, command))}: status {os.waitstatus_to_exitcode(status)}")
    return took, usage.ru_maxrss / 1024


def units_for(program, seconds):
    """So many that it takes about that long."""
    units = 100
    while True:
        took, _ = run([program, units])
        if took > 0.5:
            return max(1, round(units * seconds / took))
        units *= 4


def add_names(parser):
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))


def chosen(parser, options):
    for name in options.names:
        if name not in NAMES:
            parser.error(f"there is no program {name}")
    return options.names or NAMES
