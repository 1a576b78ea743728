#!/usr/bin/env python3
"""Runs all measurements, peers included, one after the other, and prints one table.

Usage: bench/all.py [--to FILE] [NAME...]. NAME is that of a script here, without ".py"; none means
all. Needs the packages of all peers and a built clone: see README.md. Takes about half an hour on 2
cores. Each part is also printed when it ends, on standard error. Exits with 1 if a measurement
fails or is interrupted; a missed aim is no failure.
"""
import argparse
import importlib
import os
import signal
import sys
import time
import traceback

import figures

TITLE = """# Figures

`bench/all.py --to bench/figures.md` wrote this table, in one run on a machine with %d cores. [README.md](README.md) explains it.

"""
SCRIPTS = ["store", "supervisors", "agent", "many", "scheduler", "render", "thousand"]


def interrupt(number, frame):
    """Ends the running measurement, which then ends what it has started."""
    raise KeyboardInterrupt


def run(name, found, failed):
    began = time.monotonic()
    print("%s ... (load %.1f)" % (name, os.getloadavg()[0]), file=sys.stderr, flush=True)
    try:
        rows = importlib.import_module(name).figures()
        print(figures.table(rows), file=sys.stderr)
        found += rows
    except (Exception, SystemExit):
        failed.append(name)
        traceback.print_exc()
    print("%s: %.0f s" % (name, time.monotonic() - began), file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", metavar="FILE", help="also write the table to a file")
    parser.add_argument("names", metavar="NAME", nargs="*", help="one of: " + ", ".join(SCRIPTS))
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in SCRIPTS]
    if unknown:
        parser.error("no script %s; there are: %s" % (unknown[0], ", ".join(SCRIPTS)))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    found, failed = [], []
    try:
        for name in options.names or SCRIPTS:
            run(name, found, failed)
    except KeyboardInterrupt:
        failed.append("interrupted")
    text = figures.table(found)
    print(text)
    print("\n%d of %d aims are met." % (sum(1 for each in found if each.aims and not each.misses()),
                                        sum(1 for each in found if each.aims)))
    if options.to:
        with open(options.to + ".new", "w") as file:
            file.write(TITLE % os.cpu_count() + text + "\n")
        os.rename(options.to + ".new", options.to)
    if failed:
        raise SystemExit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
