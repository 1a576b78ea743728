#!/usr/bin/env python3
"""Three hundred processes and two thousand objects on one machine, as the launcher starts them: start until
all run, memory, idle CPU, `vw get`, and kill -9 of the agent until all processes are adopted.

Needs: python3, and a built clone (./verwalter --version). Prints a Markdown table. Ends only what it started.

    python3 bench/many.py [--processes 300] [--objects 2000] [--idle 30] [--profile]

With --profile each agent writes a recording of Java Flight Recorder into the directory, which is kept.
"""
import argparse
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from agent import RECIPE, milliseconds, save
from figures import Figure, at_most, show
from processes import StartPipe, cpu_seconds, free_port, median, pss_mib, rss_mib, with_argument

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KILLS = 3
QUESTIONS = 9

SCHEDULER = """
local json = require "verwalter/json"
return {scheduler = function(input)
    local roles, mine = {}, {}
    for name, versions in pairs(input.runtime) do
        if versions.v1 and versions.v1.image then
            roles[name] = json.object{}
            mine[name] = {version = "v1", template = "bench/v1", image = versions.v1.image}
        end
    end
    return json.encode{roles = roles, state = json.object{}, nodes = {[input.current_host] = {roles = mine}}}, "bench"
end}
"""


class Site:
    def __init__(self, root, processes, objects, profile):
        self.root, self.processes, self.profile = root, processes, profile
        self.starts, self.config, self.port = StartPipe(root), root + "/config", free_port()
        os.makedirs(self.config + "/sandbox")
        save(self.config + "/scheduler/v1/main.lua", SCHEDULER)
        save(self.config + "/templates/bench/v1/bench.render.yaml", RECIPE % (root + "/{{ role }}"))
        save(self.config + "/templates/bench/v1/settings.txt.j2", "role = {{ role }}\nversion = {{ version }}\n")
        save(self.config + "/templates/bench/v1/processes.yaml.j2",
             "p: {kind: Daemon, image: '{{ image }}', config: /config/c.yaml, instances: 1}\n")
        save(self.config + "/lithos/images/bench/config/c.yaml",
             "kind: Daemon\nexecutable: /bin/sh\narguments: [-c, \"%s\"]\nkill-timeout: 2\n" % self.starts.script(86400))
        # Each role has a RoleConfig, a RoleInstance, a TemplateOutput and a ProcessGroup; roles that are not
        # scheduled, only the first.
        for number in range(max(processes, objects - 3 * processes - 3)):
            role = "role%04d" % number
            if number < processes:
                save("%s/runtime/%s/v1.yaml" % (self.config, role), "image: bench\n")
                os.makedirs(root + "/" + role)
                save("%s/lithos/sandboxes/%s.yaml" % (self.config, role),
                     "image-dir: %s/lithos/images\nallow-users: [0-65534]\nallow-groups: [0-65534]\ndefault-user: 0\n" % self.config)
            else:
                save("%s/runtime/%s/v1.yaml" % (self.config, role), "spare: true\n")

    def start(self, name):
        environment = dict(os.environ)
        if self.profile:
            options = "-XX:StartFlightRecording=filename=%s/%s.jfr,settings=profile" % (self.root, name)
            environment["VERWALTER_JAVA_OPTS"] = environment.get("VERWALTER_JAVA_OPTS", "") + " " + options
        log = open(self.root + "/agent.log", "a")
        self.agent = subprocess.Popen(
            [ROOT + "/verwalter", "--config-dir=" + self.config, "--storage-dir=" + self.root + "/storage",
             "--log-dir=" + self.root + "/log", "--port=%d" % self.port], stdout=log, stderr=log, env=environment)
        self.started = time.monotonic()

    def get(self, path):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.read().decode() if answer.status == 200 else None
        except OSError:
            return None

    def objects(self, plural):
        return json.loads(self.get("/apis/verwalter.io/v1/" + plural) or '{"items": []}')["items"]

    def await_all(self, what, done, limit=120):
        end = time.monotonic() + limit
        while not done():
            if time.monotonic() > end or self.agent.poll() is not None:
                raise SystemExit("not in %d s: %s; see %s/agent.log" % (limit, what, self.root))
            time.sleep(0.02)
        return time.monotonic()

    def running(self):
        states = [each.get("status", {}).get("state") for each in self.objects("roleinstances")]
        return states.count("RUNNING") == self.processes

    def pids(self):
        return {slot["name"]: slot["pid"] for group in self.objects("processgroups")
                for slot in group["status"]["processes"] if slot["state"] == "RUNNING"}

    def compared(self):
        """Whether this agent has compared each process group with what its supervisor found running."""
        text = self.get("/metrics") or ""
        figure = lambda name: re.search(name + r'\{controller="process"\} (\d+)', text)
        runs, depth, busy = (figure("verwalter_controller_" + each) for each in ("reconciles_total", "queue_depth", "busy"))
        return bool(runs) and int(runs[1]) >= self.processes and int(depth[1]) == 0 and int(busy[1]) == 0


def measure(site, idle):
    rows = []

    def add(what, unit, value, *aims):
        rows.append(Figure("%d processes: %s" % (site.processes, what), unit, value, aims=aims))

    site.start("start")
    ready = site.await_all("ready", lambda: site.get("/readyz")) - site.started
    programs, last = site.starts.wait(site.processes)
    add("start to ready", "s", ready)
    add("start until all run", "s", last - site.started, at_most(3))
    try:
        reported = site.await_all("all reported", site.running) - site.started
        add("start until all are reported as running", "s", reported)
        time.sleep(10)
        own = [site.agent.pid]
        shims = [pid for pid in with_argument("keeper.sh") if pid in with_argument(site.root)]
        add("memory (PSS) of the agent", "MiB", pss_mib(own), at_most(120))
        add("memory (PSS) of its %d shims" % len(shims), "MiB", pss_mib(shims))
        before = cpu_seconds(own)
        time.sleep(idle)
        add("idle CPU, %d s" % idle, "%", (cpu_seconds(own) - before) / idle * 100, at_most(0.1))
        vw = [ROOT + "/vw", "--server", "http://127.0.0.1:%d" % site.port, "get"]
        for kind in ("no", "ri", "pg", "rcfg"):
            add("`vw get %s`" % kind, "ms", milliseconds(vw + [kind], QUESTIONS), at_most(100))
        pids = site.pids()
        spent = []
        for number in range(KILLS):
            site.agent.send_signal(signal.SIGKILL)
            site.agent.wait()
            site.start("adoption%d" % number)
            adopted = site.await_all("adopted", lambda: site.compared() and site.running())
            spent.append(adopted - site.started)
            if site.pids() != pids:
                raise SystemExit("other processes after kill -9")
            time.sleep(2)
        add("start of the agent after its kill -9 until all are adopted, median of %d" % KILLS, "s", median(spent), at_most(1))
        return rows
    finally:
        site.programs = programs


def figures(arguments=()):
    flags = argparse.ArgumentParser()
    flags.add_argument("--processes", type=int, default=300)
    flags.add_argument("--objects", type=int, default=2000)
    flags.add_argument("--idle", type=int, default=30)
    flags.add_argument("--profile", action="store_true")
    chosen = flags.parse_args(arguments)
    root = tempfile.mkdtemp(prefix="vw-many-")
    site = Site(root, chosen.processes, chosen.objects, chosen.profile)
    site.programs = []
    try:
        return measure(site, chosen.idle)
    finally:
        site.agent.terminate()
        site.agent.wait()
        for pid in [pid for pid in with_argument(root) if pid != os.getpid()] + site.programs:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        if chosen.profile or sys.exc_info()[0]:
            print("see " + root, file=sys.stderr)
        else:
            shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    show(figures(sys.argv[1:]))
