#!/usr/bin/env python3
"""Runs all measurements, peers included, one after the other, and prints one table.

Usage: bench/all.py [--to FILE] [NAME...]. NAME is that of a script here, without ".py"; none means
all. Needs the packages of all peers and a built clone: see README.md. Takes about 25 minutes on 2
cores, most of which ansible needs. Exits with 1 if a measurement fails; a missed aim is no failure.
"""
import argparse
import importlib
import os
import sys
import time
import traceback

import figures

SCRIPTS = ["store", "supervisors", "agent", "many", "scheduler", "render"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", metavar="FILE", help="also write the table to a file")
    parser.add_argument("names", metavar="NAME", nargs="*", help="one of: " + ", ".join(SCRIPTS))
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in SCRIPTS]
    if unknown:
        parser.error("no script %s; there are: %s" % (unknown[0], ", ".join(SCRIPTS)))
    found, failed = [], []
    for name in options.names or SCRIPTS:
        began = time.monotonic()
        print("%s ... (load %.1f)" % (name, os.getloadavg()[0]), file=sys.stderr, flush=True)
        try:
            found += importlib.import_module(name).figures()
        except (Exception, SystemExit):
            failed.append(name)
            traceback.print_exc()
        print("%s: %.0f s" % (name, time.monotonic() - began), file=sys.stderr, flush=True)
    text = figures.table(found)
    print(text)
    print("\n%d of %d aims are met." % (sum(1 for each in found if each.aims and not each.misses()),
                                        sum(1 for each in found if each.aims)))
    if options.to:
        with open(options.to + ".new", "w") as file:
            file.write(text + "\n")
        os.rename(options.to + ".new", options.to)
    if failed:
        raise SystemExit("failed: " + ", ".join(failed))


if __name__ == "__main__":
    main()
