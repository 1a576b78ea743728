#!/usr/bin/env python3
"""The whole agent, as the launcher starts it, beside Debian's supervisor: start to ready, from saving a
version to its process running, a question on the command line, memory and idle CPU.

Needs: apt-get install supervisor python3, and a built clone (./verwalter --version). Prints one JSON line for each and
the ratios. Ends only what it started.
"""
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from processes import StartPipe, descendants, free_port, idle_percent, median, pss_mib, rss_mib, with_argument

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERSIONS = 15
QUESTIONS = 15
IDLE_SECONDS = 30

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
    return round(median(spent), 1)


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

    def question(self):
        return [ROOT + "/vw", "--server", "http://127.0.0.1:%d" % self.port, "get", "pg"]

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

    def question(self):
        return ["/usr/bin/supervisorctl", "-c", self.config, "status"]

    def family(self):
        return descendants(self.process.pid)


def measure(kind):
    root = tempfile.mkdtemp(prefix="vw-bench-")
    starts = StartPipe(root)
    peer, programs = kind(root, starts), []
    try:
        peer.save_version(0)
        began = time.monotonic()
        peer.start()
        while not peer.ready():
            time.sleep(0.01)
        ready = time.monotonic() - began
        programs, running = starts.wait(1)
        time.sleep(3)
        saved = []
        for number in range(1, VERSIONS + 1):
            before = peer.save_version(number)
            programs, after = starts.wait(1)
            saved.append(after - before)
            time.sleep(2.5)
        question = milliseconds(peer.question(), QUESTIONS)
        time.sleep(5)
        own = [pid for pid in peer.family() if pid not in programs]
        return {
            "peer": peer.name,
            "start_to_ready_s": round(ready, 2),
            "start_to_running_s": round(running - began, 2),
            "save_to_running_first_s": round(saved[0], 3),
            "save_to_running_median_s": round(median(saved), 3),
            "save_to_running_max_s": round(max(saved), 3),
            "question_ms": question,
            "idle_cpu_percent": idle_percent(own, IDLE_SECONDS),
            "rss_mib": round(rss_mib(own), 1),
            "pss_mib": round(pss_mib(own), 1),
        }
    finally:
        peer.process.terminate()
        peer.process.wait()
        for pid in [pid for pid in with_argument(root) if pid != os.getpid()] + programs:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(root, ignore_errors=True)


def main():
    rows = [measure(Supervisord), measure(Verwalter)]
    for row in rows:
        print(json.dumps(row))
    peer, ours = rows
    print("verwalter / supervisor: " + ", ".join(
        "%s %.2fx" % (key, ours[key] / peer[key]) for key in
        ("start_to_ready_s", "save_to_running_median_s", "question_ms", "pss_mib")))


if __name__ == "__main__":
    main()
