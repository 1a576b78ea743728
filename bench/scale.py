#!/usr/bin/env python3
"""The cost of a change in a cluster of 100 nodes and in one of 1,000, with 50 roles on each node.

Everything is in one process and one thread, under virtual time: a leader and two more agents with
the real controllers and a real store on disk, and the objects of all other nodes, which are copies
of those that an agent made. Printed for each change: bytes written to disk, processor time, objects
written, and objects touched (read, listed, reported to a watcher, or written).

Needs a built clone (./verwalter --version, then mvn -q -DskipTests package).
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROLES = 50
SIZES = [int(size) for size in sys.argv[1:]] or [100, 1000]
CHANGES = [("nothing", "nothing changes"), ("role", "one role changes on one node"), ("process", "one process dies")]


def class_path():
    """The libraries of the current build, and the classes of the test kits and of this measurement."""
    kits = ["concurrent/testkit", "cluster/testkit", "cluster/single", "supervisor/testkit", "bench"]
    jars = [jar for kit in kits for jar in glob.glob(ROOT + "/" + kit + "/target/*-[0-9]*.[0-9].jar")]
    return ":".join(jars + glob.glob(os.path.realpath(ROOT + "/.dist/lib") + "/agent/*.jar"))


def measure(nodes):
    path = os.environ.get("SCALE_CLASS_PATH") or class_path()
    with tempfile.TemporaryDirectory() as directory:
        command = ["java", "-XX:+UseSerialGC", "-Xmx3g", "-cp", path, "verwalter.bench.ScaleAlone",
                   str(nodes), str(ROLES), directory]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output.strip().splitlines()[-1])


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main():
    results = [measure(nodes) for nodes in SIZES]
    small, large = results[0], results[-1]
    row("%d roles on each node" % ROLES, *["%d nodes" % it["nodes"] for it in results], "ratio", "aim")
    row(*["---"] * (len(results) + 3))
    for key, name in CHANGES:
        for figure, unit, aim in (
            ("bytes", "bytes written", "0" if key == "nothing" else "same, 65,536"),
            ("cpu_ms", "ms of processor time", "same, ± 20 %"),
            ("scheduler_ms", "of which in the scheduler", ""),
            ("written", "objects written", "0" if key == "nothing" else "same"),
            ("touched", "objects touched", "same, ± 20 %"),
        ):
            values = [it[key][figure] for it in results]
            ratio = "%.2f" % (values[-1] / values[0]) if values[0] else ""
            row(name + ": " + unit, *["{:,.0f}".format(value) for value in values], ratio, aim)
    for figure, name in (("list", "list the roles of a node, µs"), ("watch", "open a watch on them, µs")):
        row(name, *["%.0f" % it[figure] for it in results], "%.2f" % (large[figure] / small[figure]), "same")
    row("heap after a collection, MB", *["%.0f" % (it["heap"] / 1e6) for it in results], "", "150")
    print("\nObjects touched at %d nodes, if different from %d nodes:" % (large["nodes"], small["nodes"]))
    for key, name in CHANGES:
        before = small[key]["counts"]
        for what, number in sorted(large[key]["counts"].items(), key=lambda each: -each[1]):
            if number > 1.2 * before.get(what, 0) + 2:
                print("  %s: %s %d, was %d" % (name, what, number, before.get(what, 0)))


if __name__ == "__main__":
    main()
