"""Tells the causal profiler coz where a Python program makes progress.

    import coz

    for request in requests:
        with coz.scope("request"):          # latency: begin() and end()
            serve(request)
        coz.progress("served")              # throughput: one visit for each unit of work

    $ coz run --- python3 server.py

What is sped up is native code: that of extensions, and of the interpreter. So coz answers for programs whose time is
in extensions and in threads that wait for them, `-b '%zlib%'` say. From Python 3.12 on the interpreter can tell of its own
functions, too (`names()`, or `python3 -X perf`), and they are targets of `coz run --granularity function`.

Not profiled, a visit is a call that does nothing. May be called from any threads.
"""
import contextlib
import ctypes
import sys

_THROUGHPUT, _BEGIN, _END = 1, 2, 3


def _find():
    # PyDLL keeps the interpreter's lock during a visit: to give it up and take it again would cost more than the visit.
    program = ctypes.PyDLL(None)
    try:
        functions = {name: getattr(program, "_coz_" + name)
                     for name in ("get_counter", "visit", "add_delays", "pre_block", "post_block")}
    except AttributeError:
        return None
    functions["get_counter"].restype = ctypes.c_void_p
    functions["get_counter"].argtypes = (ctypes.c_int, ctypes.c_char_p)
    functions["visit"].restype = None
    functions["visit"].argtypes = (ctypes.c_void_p,)
    functions["post_block"].argtypes = (ctypes.c_int,)
    for name in ("add_delays", "pre_block", "post_block"):
        functions[name].restype = None
    return functions


_functions = _find()
_counters = {}


def is_profiled():
    """Whether this process runs under coz."""
    return _functions is not None


def _visit(kind, name):
    counter = _counters.get((kind, name), 0)
    if counter == 0:
        # None where there is no room for more points. Threads that look together find the same.
        counter = _functions["get_counter"](kind, name.encode())
        _counters[kind, name] = counter
    if counter is not None:
        _functions["visit"](counter)


if _functions is None:

    def progress(name):
        """One unit of work is done."""

    def begin(name):
        """A unit of work arrives."""

    def end(name):
        """A unit of work leaves."""

    def pre_block():
        """Before a wait that the profiler cannot see."""

    def post_block(woken_by_us=True):
        """After it."""

    def catch_up():
        """Before another thread is woken in a way that the profiler cannot see."""

else:

    def progress(name):
        """One unit of work is done."""
        _visit(_THROUGHPUT, name)

    def begin(name):
        """A unit of work arrives."""
        _visit(_BEGIN, name)

    def end(name):
        """A unit of work leaves."""
        _visit(_END, name)

    def pre_block():
        """Before a wait that the profiler cannot see."""
        _functions["pre_block"]()

    def post_block(woken_by_us=True):
        """After it: whether a thread of this program ended it, or else time, a device, another program."""
        _functions["post_block"](1 if woken_by_us else 0)

    def catch_up():
        """Before another thread is woken in a way that the profiler cannot see."""
        _functions["add_delays"]()


@contextlib.contextmanager
def scope(name):
    """A unit of work from here to the end of the block, however that is left."""
    begin(name)
    try:
        yield
    finally:
        end(name)


def names():
    """Has the interpreter tell of its functions in /tmp/perf-PID.map, from here on. False where it cannot (before 3.12)."""
    activate = getattr(sys, "activate_stack_trampoline", None)
    if activate is None:
        return False
    try:
        activate("perf")
    except ValueError:  # it was built without
        return False
    return True
