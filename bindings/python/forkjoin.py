#!/usr/bin/env python3
"""Each round has two threads compress, and waits for both. The planted answer: only the long one is worth anything.

    coz run -b '%libz%' --- python3 forkjoin.py 30

What is compressed runs in zlib, which gives up the interpreter's lock meanwhile.
"""
import hashlib
import sys
import threading
import time
import zlib

import coz


def long_work(data):
    return zlib.compress(data, 6)


def short_work(data):
    return hashlib.sha256(data).digest()


def main():
    coz.names()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    data = bytes(range(256)) * 1000
    end = time.monotonic() + seconds
    rounds = 0
    while time.monotonic() < end:
        with coz.scope("a round"):
            threads = [threading.Thread(target=work, args=(data,)) for work in (long_work, short_work)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        coz.progress("round")
        rounds += 1
    print(f"{rounds} rounds, {'profiled' if coz.is_profiled() else 'not profiled'}")


if __name__ == "__main__":
    main()
