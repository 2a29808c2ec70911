"""Keeps a virtual machine's cores awake while something is measured.

A virtual core that has nothing to do is given back to the host, which on a busy one does not give it again at once. A
program that sleeps and wakes then measures the host: its threads run at a third or a tenth of their speed, differently in
each minute, while one that only computes is not slowed down at all. A timer that interrupts each core every few
microseconds keeps the core from being given back for long. It takes a tenth of the time, evenly, and no thread sees it;
something that spins in the background, of whatever priority, is seen by the scheduler, which then puts new threads
elsewhere. Where none are made and wake-ups take a few microseconds, for which a timer is too seldom, spinning is better.
"""
import contextlib
import ctypes
import os
import struct
import subprocess
import sys

PERIOD_NS = 50_000
PERF_EVENT_OPEN = 298  # x86-64
SOFTWARE, CPU_CLOCK = 1, 0
ATTRIBUTE_SIZE = 64
CLOSE_ON_EXEC = 8


def open_timer(core):
    """A perf event that interrupts that core every PERIOD_NS, as long as its descriptor is open."""
    libc = ctypes.CDLL(None, use_errno=True)
    attribute = struct.pack("=IIQQ", SOFTWARE, ATTRIBUTE_SIZE, CPU_CLOCK, PERIOD_NS).ljust(ATTRIBUTE_SIZE, b"\0")
    descriptor = libc.syscall(PERF_EVENT_OPEN, attribute, -1, core, -1, CLOSE_ON_EXEC)
    if descriptor < 0:
        sys.exit(f"awake: no timer for core {core}: {os.strerror(ctypes.get_errno())} (it takes root, or a "
                 "kernel.perf_event_paranoid of 0 or less)")
    return descriptor


@contextlib.contextmanager
def awake(wanted=True):
    """All cores, by timers, if that is wanted."""
    timers = []
    try:
        for core in sorted(os.sched_getaffinity(0)) if wanted else ():
            timers.append(open_timer(core))
        yield
    finally:
        for timer in timers:
            os.close(timer)


@contextlib.contextmanager
def spinning(wanted=True):
    """Something that spins on each core, and gives way to everybody."""
    spinners = []
    try:
        for core in os.sched_getaffinity(0) if wanted else ():
            spinners.append(subprocess.Popen(["sh", "-c", "while :; do :; done"]))
            os.sched_setaffinity(spinners[-1].pid, {core})
            os.sched_setscheduler(spinners[-1].pid, os.SCHED_IDLE, os.sched_param(0))
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()
