#!/usr/bin/env python3
"""Makes the same decision for 1,000 nodes and 50 roles again and again: lua5.3 beside our two
engines, the same scheduler and the same input in one run on one machine.

Needs: apt-get install lua5.3 python3, and a built clone (./verwalter --version, then
mvn -q -DskipTests package). The lua5.3 side reads the input's JSON with the library that is shipped
with Verwalter; all sides write their JSON with it.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

NODES, ROLES, RUNS = 1000, 50, int(sys.argv[1]) if len(sys.argv) > 1 else 40
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCHEDULER = os.path.join(ROOT, "scheduler-lua/src/test/resources/fleet")
LIBRARY = os.path.join(ROOT, "scheduler-lua/src/main/resources/verwalter/lua")
NOW = 1465479290000

LUA = """
for _, name in ipairs {"json", "log"} do
  package.preload["verwalter/" .. name] = function() return dofile(LIBRARY .. "/" .. name .. ".lua") end
end
local json = require "verwalter/json"
local scheduler = dofile("main.lua").scheduler
local file = io.open(INPUT)
local text = file:read("a")
local whole, inner = {}, {}
for run = 1, RUNS do
  local start = os.clock()
  local input = json.decode(text)
  local read = os.clock()
  scheduler(input)
  local stop = os.clock()
  whole[run], inner[run] = (stop - start) * 1e3, (stop - read) * 1e3
end
table.sort(whole)
table.sort(inner)
print(string.format("%.1f %.1f", whole[RUNS // 2 + 1], inner[RUNS // 2 + 1]))
"""


def the_input():
    """A fleet whose every role has a daemon on about every second node."""
    release = {
        "ports": ["9000-9999"],
        "daemons": {
            "d%d" % i: {"image": "i", "config": "/c", "instances": 250, "port": True}
            for i in range(2)
        },
    }
    return {
        "now": NOW,
        "current_host": "node0",
        "current_id": "00",
        "parents": [],
        "actions": {},
        "metrics": {},
        "peers": {
            "%x" % i: {"hostname": "node%d" % i, "last_report_direct": NOW - 1000, "errors": 0}
            for i in range(1, NODES)
        },
        "runtime": {"role%d" % i: {"v1": release, "v2": release} for i in range(ROLES)},
    }


def ours(engine, path):
    jars = glob.glob(os.path.join(ROOT, "*/target/classes")) + glob.glob(os.path.join(ROOT, "stores/*/target/classes"))
    listed = os.path.join(ROOT, "bench/target/classpath")
    if not os.path.exists(listed):
        subprocess.check_call(
            ["mvn", "-q", "-o", "-f", ROOT, "-pl", "bench", "-am", "-DskipTests", "package",
             "org.apache.maven.plugins:maven-dependency-plugin:build-classpath",
             "-Dmdep.outputFile=" + listed])
    jars.append(open(listed).read().strip())
    return subprocess.check_output(
        ["java", "-XX:+UseSerialGC", "-Xmx1g", "-cp", ":".join(jars), "verwalter.bench.SchedulerAlone",
         engine, SCHEDULER, path, str(RUNS)])


def real(path):
    settings = "LIBRARY, INPUT, RUNS = %s, %s, %d" % (json.dumps(LIBRARY), json.dumps(path), RUNS)
    environment = dict(os.environ, LUA_PATH="?.lua")
    return subprocess.check_output(
        ["lua5.3", "-e", settings, "-e", LUA], cwd=SCHEDULER, env=environment)


def main():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "input.json")
        with open(path, "w") as file:
            json.dump(the_input(), file)
        sides = {"lua5.3": real(path), "vm": ours("vm", path), "luaj": ours("luaj", path)}
    times = {side: [float(word) for word in text.split()] for side, text in sides.items()}
    print("| %d nodes, %d roles, median of %d | with reading the input | without |" % (NODES, ROLES, RUNS))
    print("|---|---|---|")
    for side, (whole, inner) in times.items():
        ratios = whole / times["lua5.3"][0], inner / times["lua5.3"][1]
        print("| %s | %.1f ms, %.2f x | %.1f ms, %.2f x |" % (side, whole, ratios[0], inner, ratios[1]))


main()
