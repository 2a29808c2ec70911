#!/usr/bin/env python3
"""Times the starts of one program: measure.py COZ NAME PROGRAM [ARGUMENT...]

From the moment that `coz run` is executed to the moment before the program's main. Natively, cold (nothing in coz's
cache, the files in the system's) and warm; medians and the range. With ORIGINAL set COZ is the original, which has no
cache and no controller.

Then the controller's peak memory over a whole run, with the arguments of LONG, which make the program busy for some
seconds, so that there are lines to be named at the end. It is compared with the tables: what the cache holds of the
program and its libraries, which is what the program maps. Two peaks are told. "Its own" is anonymous and shared memory,
the shared segment included: what the system cannot have back before coz ends. "All resident" is VmHWM: that, and the
pages of files that happen to be mapped, of coz's libraries and of the program that is read, which belong to the page
cache. /proc has no peak of the first, it is looked at some thousand times a second. EMPTY is a program that does nothing:
what the controller takes anyway. With AWAKE set a virtual machine's cores are kept from sleeping meanwhile (../../accuracy/awake)."""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "accuracy/awake"))
from awake import awake  # noqa: E402

FIELDS = ("VmHWM", "RssAnon", "RssShmem")

coz, name, program = sys.argv[1], sys.argv[2], sys.argv[3:]
rounds = int(os.environ.get("ROUNDS", "9"))


def start(command, environment, wait_ms=0):
    """Returns the milliseconds to main."""
    stamp = pathlib.Path(environment["STAMP"])
    stamp.unlink(missing_ok=True)
    if wait_ms:
        environment = dict(environment, STAMP_WAIT=str(wait_ms))
    begun = time.clock_gettime(time.CLOCK_MONOTONIC)
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        process.wait()
    if not stamp.exists():
        sys.exit(f"{name}: {' '.join(command)} did not reach main")
    return 1e3 * (float(stamp.read_text()) - begun)


def peaks(command, environment):
    """Returns a run's highest own and resident memory, in MB."""
    own = resident = 0
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        status = os.open(f"/proc/{process.pid}/status", os.O_RDONLY)
        while process.poll() is None:
            text = os.pread(status, 4096, 0).decode()
            found = dict(re.findall(r"^(\w+):\s+(\d+) kB", text, re.MULTILINE))
            if not all(field in found for field in FIELDS):
                continue  # it has just ended
            own = max(own, int(found["RssAnon"]) + int(found["RssShmem"]))
            resident = max(resident, int(found["VmHWM"]))
        os.close(status)
    return own * 1.024e-3, resident * 1.024e-3


def describe(times):
    return f"{statistics.median(times):8.1f} ms  ({min(times):.1f} to {max(times):.1f}, {len(times)} starts)"


with tempfile.TemporaryDirectory() as folder, awake("AWAKE" in os.environ):
    cache = pathlib.Path(folder, "cache")
    environment = dict(os.environ, STAMP=f"{folder}/stamp", XDG_CACHE_HOME=str(cache))
    environment.pop("DEBUGINFOD_URLS", None)
    profiled = [coz, "run", "-o", f"{folder}/profile.jsonl", "---"] + program

    if "ORIGINAL" in os.environ:
        times = [start(profiled, environment) for _ in range(3)]
        print(f"{name}: {describe(times)}")
        sys.exit()

    native, cold, warm = [], [], []
    for _ in range(rounds):
        native.append(start(program, environment))
        pathlib.Path(folder, "profile.jsonl").unlink(missing_ok=True)
        if len(cold) < max(3, rounds // 3):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(start(profiled, environment))
            # The program may have ended before its libraries were read.
            start(profiled, environment, 400)
        warm.append(start(profiled, environment))
    print(f"{name}: native {describe(native)}")
    print(f"{name}: cold   {describe(cold)}")
    print(f"{name}: warm   {describe(warm)}")
    print(f"{name}: warm is {statistics.median(warm) - statistics.median(native):.1f} ms more than native")

    own, resident = peaks([coz, "run", "-o", f"{folder}/empty.jsonl", "---", os.environ["EMPTY"]], environment)
    print(f"{name}: of a program that does nothing, the controller's peak is {own:.1f} MB of its own, {resident:.1f} all "
          "resident")
    busy = profiled[:-len(program)] + program[:1] + os.environ["LONG"].split()
    for kind in ("cold", "warm"):
        if kind == "cold":
            shutil.rmtree(cache, ignore_errors=True)
        pathlib.Path(folder, "profile.jsonl").unlink(missing_ok=True)
        own, resident = peaks(busy, environment)
        table = sum(file.stat().st_size for file in (cache / "coz").iterdir()) / 1e6
        print(f"{name}: {kind}: the tables of all modules are {table:.1f} MB; the controller's peak is {own:.1f} MB of its "
              f"own, {own / table:.1f} times, {resident:.1f} all resident, {resident / table:.1f} times")
