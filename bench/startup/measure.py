#!/usr/bin/env python3
"""Times the starts of one program: measure.py COZ NAME PROGRAM [ARGUMENT...]

From the moment that `coz run` is executed to the moment before the program's main. Natively, cold (nothing in coz's
cache, the files in the system's) and warm; medians and the range. Then the controller's peak memory. With ORIGINAL set
COZ is the original, which has no cache and no controller."""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

coz, name, program = sys.argv[1], sys.argv[2], sys.argv[3:]
rounds = int(os.environ.get("ROUNDS", "9"))


def start(command, environment, wait_ms=0):
    """Returns the milliseconds to main, and what /proc says of the started process a little later."""
    stamp = pathlib.Path(environment["STAMP"])
    stamp.unlink(missing_ok=True)
    if wait_ms:
        environment = dict(environment, STAMP_WAIT=str(wait_ms))
    begun = time.clock_gettime(time.CLOCK_MONOTONIC)
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        status = ""
        if wait_ms:
            while not (stamp.exists() and stamp.read_text().endswith("\n")):
                if process.poll() is not None:
                    break
                time.sleep(0.01)
            time.sleep(wait_ms / 2000)
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        process.wait()
    if not stamp.exists():
        sys.exit(f"{name}: {' '.join(command)} did not reach main")
    return 1e3 * (float(stamp.read_text()) - begun), status


def describe(times):
    return f"{statistics.median(times):8.1f} ms  ({min(times):.1f} to {max(times):.1f}, {len(times)} starts)"


def kilobytes(status, field):
    return int(re.search(rf"^{field}:\s+(\d+) kB", status, re.MULTILINE)[1])


with tempfile.TemporaryDirectory() as folder:
    cache = pathlib.Path(folder, "cache")
    environment = dict(os.environ, STAMP=f"{folder}/stamp", XDG_CACHE_HOME=str(cache))
    environment.pop("DEBUGINFOD_URLS", None)
    profiled = [coz, "run", "-o", f"{folder}/profile.jsonl", "---"] + program

    if "ORIGINAL" in os.environ:
        times = [start(profiled, environment)[0] for _ in range(3)]
        print(f"{name}: {describe(times)}")
        sys.exit()

    native, cold, warm = [], [], []
    for _ in range(rounds):
        native.append(start(program, environment)[0])
        pathlib.Path(folder, "profile.jsonl").unlink(missing_ok=True)
        if len(cold) < max(3, rounds // 3):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(start(profiled, environment, 0)[0])
            # The program may have ended before its libraries were read.
            start(profiled, environment, 400)
        warm.append(start(profiled, environment)[0])
    print(f"{name}: native {describe(native)}")
    print(f"{name}: cold   {describe(cold)}")
    print(f"{name}: warm   {describe(warm)}")
    print(f"{name}: warm is {statistics.median(warm) - statistics.median(native):.1f} ms more than native")

    for kind in ("cold", "warm"):
        if kind == "cold":
            shutil.rmtree(cache, ignore_errors=True)
        status = start(profiled, environment, 600)[1]
        table = sum(file.stat().st_size for file in (cache / "coz").iterdir()) / 1e3
        peak = kilobytes(status, "VmHWM") * 1.024
        print(f"{name}: {kind}: the controller's peak memory is {peak / 1e3:.1f} MB, the tables of all modules are "
              f"{table / 1e3:.1f} MB: {peak / table:.1f} times")
