#!/usr/bin/env python3
"""The whole agent, as the launcher starts it, beside Debian's supervisor: start to ready, from saving a
version to its process running, memory and idle CPU; and a question on the command line, beside supervisorctl and
kubectl, on a quiet machine and while other programs use all processors.

Needs: apt-get install supervisor python3, kubectl on PATH (without it, its rows are left out), and a built clone
(./verwalter --version). Prints rows of a Markdown table. Ends only what it started.
"""
import contextlib
import http.client
import os
import shutil
import signal
import subprocess
import tempfile
import time

from figures import Figure, at_most, ratio_at_most, show
from processes import StartPipe, descendants, free_port, idle_percent, median, pss_mib, rss_mib, with_argument

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERSIONS = 10
QUESTIONS = 15
IDLE_SECONDS = 30

# The age at which the memory of an idle agent is measured.
SETTLED_SECONDS = 25

SCHEDULER = """
local json = require "verwalter/json"
return {scheduler = function(input)
    local newest
    for name in pairs(input.runtime.bench or {}) do
        if name:match("^v%d") and (not newest or name > newest) then newest = name end
    end
    local role = {version = newest, template = "bench/v1", image = (input.runtime.bench or {})[newest].image}
    return json.encode{roles = {bench = json.object{}}, state = json.object{},
        nodes = {[input.current_host] = {roles = {bench = role}}}}, "bench"
end}
"""

RECIPE = """
templates: {processes: processes.yaml.j2, settings: settings.txt.j2}
commands:
- !Copy {src: "{{ files.settings }}", dest: "%s/settings.txt", mode: 0o644}
- !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
"""


def save(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w") as f:
        f.write(text)
    os.rename(path + ".new", path)


def milliseconds(command, times):
    spent = []
    for _ in range(times):
        began = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        spent.append((time.monotonic() - began) * 1000)
    return median(spent)


@contextlib.contextmanager
def busy():
    """Two programs for each processor that do nothing but compute."""
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * os.cpu_count())]
    try:
        yield
    finally:
        for each in load:
            each.kill()
            each.wait()


class Verwalter:
    name = "verwalter"

    def __init__(self, root, starts):
        self.root, self.starts, self.config = root, starts, root + "/config"
        self.port = free_port()
        os.makedirs(self.config + "/sandbox")
        save(self.config + "/scheduler/v1/main.lua", SCHEDULER)
        save(self.config + "/templates/bench/v1/bench.render.yaml", RECIPE % root)
        save(self.config + "/templates/bench/v1/settings.txt.j2", "version = {{ version }}\n")
        save(self.config + "/templates/bench/v1/processes.yaml.j2",
             "p: {kind: Daemon, image: '{{ image }}', config: /config/c.yaml, instances: 1}\n")
        save(self.config + "/lithos/sandboxes/bench.yaml",
             "image-dir: %s/lithos/images\nallow-users: [0-65534]\nallow-groups: [0-65534]\ndefault-user: 0\n" % self.config)

    def save_version(self, number):
        version = "v%04d" % number
        save("%s/lithos/images/bench-%s/config/c.yaml" % (self.config, version),
             "kind: Daemon\nexecutable: /bin/sh\narguments: [-c, \"%s\"]\nkill-timeout: 2\n" % self.starts.script(86400))
        began = time.monotonic()
        save("%s/runtime/bench/%s.yaml" % (self.config, version), "image: bench-%s\n" % version)
        return began

    def start(self):
        self.process = subprocess.Popen(
            [ROOT + "/verwalter", "--config-dir=" + self.config, "--storage-dir=" + self.root + "/storage",
             "--log-dir=" + self.root + "/log", "--port=%d" % self.port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ready(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def questions(self):
        server = "http://127.0.0.1:%d" % self.port
        asked = {"vw": [ROOT + "/vw", "--server", server, "get", "pg"]}
        if shutil.which("kubectl"):
            asked["kubectl"] = ["kubectl", "--server", server, "--cache-dir", self.root + "/kubectl", "get",
                                "processgroups"]
        return asked

    def family(self):
        return sorted(set([self.process.pid] + [each for pid in with_argument(self.root) for each in descendants(pid)]))


class Supervisord:
    name = "supervisor"

    def __init__(self, root, starts):
        self.root, self.starts = root, starts
        self.config = root + "/supervisord.conf"

    def save_version(self, number):
        began = time.monotonic()
        save(self.config, """
[supervisord]
nodaemon=true
logfile={0}/s.log
pidfile={0}/s.pid
[unix_http_server]
file={0}/sock
[supervisorctl]
serverurl=unix://{0}/sock
[rpcinterface:supervisor]
supervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface
[program:p]
command=/bin/sh -c "{1}"
environment=VERSION="v{2}"
startsecs=0
""".format(self.root, self.starts.script(86400), number))
        if os.path.exists(self.root + "/sock"):
            subprocess.Popen(["/usr/bin/supervisorctl", "-c", self.config, "update"], stdout=subprocess.DEVNULL)
        return began

    def start(self):
        self.process = subprocess.Popen(["/usr/bin/supervisord", "-c", self.config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ready(self):
        return os.path.exists(self.root + "/sock")

    def questions(self):
        return {"supervisorctl": ["/usr/bin/supervisorctl", "-c", self.config, "status"]}

    def family(self):
        return descendants(self.process.pid)


def measure(kind):
    root = tempfile.mkdtemp(prefix="vw-bench-")
    starts = StartPipe(root)
    peer, programs = kind(root, starts), []

    def own():
        return [pid for pid in peer.family() if pid not in programs]

    try:
        peer.save_version(0)
        began = time.monotonic()
        peer.start()
        while not peer.ready():
            time.sleep(0.005)
        results = {"ready": time.monotonic() - began}
        programs, running = starts.wait(1)
        results["running"] = running - began
        time.sleep(max(0, began + SETTLED_SECONDS - time.monotonic()))
        results["memory"] = pss_mib(own())
        results["idle"] = idle_percent(own(), IDLE_SECONDS)
        saved = []
        for number in range(1, VERSIONS + 1):
            before = peer.save_version(number)
            programs, after = starts.wait(1)
            saved.append(after - before)
            time.sleep(2.5)
        results["first"], results["saved"] = saved[0], median(saved)
        questions = peer.questions()
        for who, command in questions.items():
            results[who] = milliseconds(command, QUESTIONS)
        with busy():
            for who, command in questions.items():
                results[who + " loaded"] = milliseconds(command, QUESTIONS)
        time.sleep(5)
        results["memory later"] = pss_mib(own())
        return results
    finally:
        peer.process.terminate()
        peer.process.wait()
        for pid in [pid for pid in with_argument(root) if pid != os.getpid()] + programs:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(root, ignore_errors=True)


def figures():
    theirs, ours = measure(Supervisord), measure(Verwalter)

    def beside(what, key, unit, *aims):
        return Figure(what, unit, ours[key], "supervisor", theirs[key], aims)

    found = [
        beside("start of the agent to ready", "ready", "s", at_most(0.5)),
        beside("start of the agent to its process running", "running", "s"),
        beside("from saving a version to its process running, first", "first", "s"),
        beside("from saving a version to its process running, median", "saved", "s", at_most(0.2)),
        beside("memory (PSS) of the idle agent, %d s after its start" % SETTLED_SECONDS, "memory", "MiB", at_most(80)),
        beside("memory (PSS) of the agent after %d versions" % VERSIONS, "memory later", "MiB"),
        beside("idle CPU of the agent", "idle", "%", at_most(0.1)),
    ]
    for state, name in ("", "quiet machine"), (" loaded", "two busy programs for each processor"):
        for peer, side in ("supervisorctl", theirs), ("kubectl", ours):
            if peer + state in side:
                aims = (ratio_at_most(1),) if state and peer == "kubectl" else () if state else (at_most(100),)
                found.append(Figure("`vw get`, launcher included, " + name, "ms", ours["vw" + state], peer, side[peer + state], aims))
    return found


if __name__ == "__main__":
    show(figures())
