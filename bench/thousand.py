#!/usr/bin/env python3
"""The leader of a cluster of 1,000 nodes: its memory, and the processor time and bytes of five cases.

Usage: bench/thousand.py [--nodes N] [--roles N]. The leader is a process of its own, with the options
of the agent. It has the real stores, mirrors, feed of the log, controllers and status page. The other
nodes are agents with all controllers in a second process; both exchange the messages of the real
protocols, encoded and compressed. Time is virtual. The log and the election are models, and there is
no network: TLS and sockets cost memory and processor time in addition.

Needs a built clone (./verwalter --version, then mvn -q -DskipTests package).
"""
import argparse
import glob
import json
import os
import subprocess
import tempfile

import flags
from figures import Figure, at_most, show

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NODES, ROLES = 1000, 10
CASES = [
    ("nothing", "nothing changes for 60 s"),
    ("one", "one role changes on one node"),
    ("all", "one role changes on all nodes"),
    ("lost", "one node is lost"),
    ("lead", "this node becomes the leader"),
]
KITS = ["concurrent/testkit", "cluster/testkit", "supervisor/testkit", "bench"]
MEMORY = 192


def class_path():
    """The libraries of the current build, and the classes of the test kits and of this measurement."""
    jars = [jar for kit in KITS for jar in glob.glob(ROOT + "/" + kit + "/target/*-[0-9]*.[0-9].jar")]
    return ":".join(jars + glob.glob(os.path.realpath(ROOT + "/.dist/lib") + "/agent/*.jar"))


def measure(nodes, roles):
    path = os.environ.get("THOUSAND_CLASS_PATH") or class_path()
    with tempfile.TemporaryDirectory() as directory:
        logging = directory + "/logback.xml"
        with open(logging, "w") as file:
            file.write("<configuration><root level='OFF'/></configuration>")
        command = ["java", *flags.of_agent(), *os.environ.get("THOUSAND_OPTIONS", "").split(),
                   "-Dlogback.configurationFile=" + logging, "-cp", path,
                   "verwalter.bench.ThousandAlone", str(nodes), str(roles), directory]
        environment = dict(os.environ, MALLOC_ARENA_MAX="2")
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    return json.loads(output.strip().splitlines()[-1])


def kib(case, *names):
    return sum(case[name] for name in names) / 1024


def rows(result):
    many = "%d nodes, %d roles each" % (result["nodes"], result["roles"])
    memory = result["after"]
    found = [
        Figure(many + ": heap of the leader after a collection", "MB", memory["heap"] / 1e6, aims=(at_most(MEMORY),)),
        Figure(many + ": memory of its process (PSS)", "MB", memory["pss"] / 1e6),
    ]
    for key, name in CASES:
        case = result[key]
        found += [
            Figure(name + ": processor time", "ms", case["cpu_ms"]),
            Figure(name + ": received", "KiB", kib(case, "mirror_up", "feed_up", "writes_up")),
            Figure(name + ": sent", "KiB", kib(case, "mirror_down", "feed_down", "writes_down")),
            Figure(name + ": of which to observers", "KiB", kib(case, "feed_down")),
            Figure(name + ": messages", "", sum(value for field, value in case.items() if field.endswith("_messages"))),
            Figure(name + ": objects written to the log", "", case["written"]),
            Figure(name + ": entries of the log", "KiB", kib(case, "log_bytes")),
            Figure(name + ": decisions", "", case["decisions"]),
        ]
    found.append(Figure("from the election to the first decision, virtual time", "ms", result["lead"]["virtual_ms"]))
    return found


def figures():
    return rows(measure(NODES, ROLES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--roles", type=int, default=ROLES)
    options = parser.parse_args()
    show(rows(measure(options.nodes, options.roles)))


if __name__ == "__main__":
    main()
