#!/usr/bin/env python3
"""Makes the same decision for 1,000 nodes and 50 roles again and again: lua5.3 beside our two
engines, the same scheduler and the same input in one run on one machine.

Each side reads the input's JSON text and writes the schedule's; ours also checks the schedule and
reads it back, as it does in an agent. The lua5.3 side reads and writes with the library that is
shipped with Verwalter. The time is that of the processor, not of the clock, so that it says
something on a busy machine too: of all threads, the just-in-time compiler's and the garbage
collector's included, and for the first decision also of the threads that decide alone. Ours run
with the options that ./verwalter gives the agent.

Needs: apt-get install lua5.3 python3, and a built clone (./verwalter --version, then
mvn -q -DskipTests package).
"""
import glob
import json
import os
import subprocess
import tempfile

import flags
from figures import Figure, ratio_at_most, show

NODES, ROLES, RUNS = 1000, 50, int(os.environ.get("BENCH_RUNS", "40"))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCHEDULER = os.path.join(ROOT, "bench/scheduler")
LIBRARY = os.path.join(ROOT, "scheduler-lua/core/src/main/resources/verwalter/lua")
NOW = 1465479290000

LUA = """
for _, name in ipairs {"json", "log"} do
  package.preload["verwalter/" .. name] = function() return dofile(LIBRARY .. "/" .. name .. ".lua") end
end
local json = require "verwalter/json"
local scheduler = dofile("main.lua").scheduler
local file = io.open(INPUT)
local text = file:read("a")
local times, size = {}, 0
for run = 1, RUNS do
  local start = os.clock()
  local schedule = scheduler(json.decode(text))
  times[run] = (os.clock() - start) * 1e3
  size = #schedule
end
local first = times[1]
table.sort(times)
print(string.format("%.1f %.1f %.1f %d", first, times[RUNS // 2 + 1], first, size))
"""


def the_input():
    """Every role wants 200 instances, 150 of which its parents have placed already; a few nodes
    have failed, and there are a few actions."""
    def release(image):
        return {"daemons": {"web": {"image": image, "config": "/cfg/web.yaml", "instances": 200, "port": True}}}

    def known(role):
        counts = {"node%d" % (place * 7 % NODES): 1 for place in range(role * 150, role * 150 + 150)}
        return {"version": "v1.9", "paused": False, "changed": NOW - 86400000 + role, "counts": {"web": counts}}

    return {
        "now": NOW,
        "current_host": "node0",
        "current_id": "00",
        "parents": [{"state": {"role%d" % i: known(i) for i in range(ROLES)}}],
        "actions": {
            str(NOW - 5000 + i): {"button": {"role": "role%d" % i, "action": "set_version", "version": "v1.10"}}
            for i in range(5)
        },
        "metrics": {},
        "peers": {
            "%x" % i: {"hostname": "node%d" % i, "last_report_direct": NOW - (1000 if i % 100 else 60000), "errors": 0}
            for i in range(1, NODES)
        },
        "runtime": {
            "role%d" % i: {"v1.9": release("role%d-1.9" % i), "v1.10": release("role%d-1.10" % i)} for i in range(ROLES)
        },
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
        ["java", *flags.of_agent(), "-cp", ":".join(jars), "verwalter.bench.SchedulerAlone",
         engine, SCHEDULER, path, str(RUNS)])


def real(path):
    settings = "LIBRARY, INPUT, RUNS = %s, %s, %d" % (json.dumps(LIBRARY), json.dumps(path), RUNS)
    environment = dict(os.environ, LUA_PATH="?.lua")
    return subprocess.check_output(
        ["lua5.3", "-e", settings, "-e", LUA], cwd=SCHEDULER, env=environment)


def figures():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "input.json")
        with open(path, "w") as file:
            json.dump(the_input(), file)
        sides = {"lua5.3": real(path), "vm": ours("vm", path), "luaj": ours("luaj", path)}
    times = {side: [float(word) for word in text.split()] for side, text in sides.items()}
    lua, vm, luaj = times["lua5.3"], times["vm"], times["luaj"]
    decision = "decision for %d nodes and %d roles" % (NODES, ROLES)
    return [
        Figure(decision + ", first", "ms", vm[0], "lua5.3", lua[0], (ratio_at_most(1.5),)),
        Figure(decision + ", median of %d" % RUNS, "ms", vm[1], "lua5.3", lua[1], (ratio_at_most(0.2),)),
        Figure(decision + ", first, with luaj", "ms", luaj[0], "lua5.3", lua[0]),
        Figure(decision + ", median of %d, with luaj" % RUNS, "ms", luaj[1], "lua5.3", lua[1]),
    ]


if __name__ == "__main__":
    show(figures())
