#!/usr/bin/env python3
"""Instances with images: the downtime of a purge beside a plain stop and start of the same program in the same run,
the time in which 100 instances are purged, and the memory of an instance in the agent.

The downtime is the time in which the program takes no connections. Needs python3, perl, the JDK's jcmd, and a built
clone (./verwalter --version). BENCH_PURGES is the number of purges. Prints rows of a Markdown table. Ends only what it
started.
"""
import hashlib
import http.client
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tarfile
import tempfile
import time

from figures import Figure, at_most, ratio_at_most, show
from processes import free_port, median, with_argument

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PURGES = int(os.environ.get("BENCH_PURGES", "15"))
MANY = 100
LIMIT = 300
PROBE = 0.001

PROGRAM = ["/usr/bin/perl", "-MIO::Socket::INET", "-e",
           "my $s = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $ARGV[0], Listen => 99, ReuseAddr => 1)"
           " or die $!; while (my $c = $s->accept) { close $c }"]

SCHEDULER = """
local json = require "verwalter/json"
return {scheduler = function(input)
    local roles, mine = json.object{}, json.object{}
    for role, metadata in pairs(input.runtime) do
        roles[role] = json.object{}
        mine[role] = {version = "v1", template = "bench", port = metadata.v1.port or 0}
    end
    return json.encode{roles = roles, state = json.object{}, nodes = {[input.current_host] = {roles = mine}}}, "bench"
end}
"""

RECIPE = """
templates: {processes: processes.yaml.j2}
commands:
- !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
"""

PROCESSES = """
p:
  kind: Daemon
  image: "{{ release.image }}"
  config: /config/{% if port %}server{% else %}sleeper{% endif %}.yaml
  instances: 1
  variables: {port: "{{ port }}"}
"""

CONTAINERS = {
    "server": {"kind": "Daemon", "executable": PROGRAM[0], "arguments": PROGRAM[1:] + ["@{port}"], "kill-timeout": 5},
    "sleeper": {"kind": "Daemon", "executable": "/bin/sleep", "arguments": ["86400"], "kill-timeout": 5},
}


def save(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w") as f:
        f.write(text)
    os.rename(path + ".new", path)


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def wait(what, found, pause=0.05):
    end = time.monotonic() + LIMIT
    while not found():
        if time.monotonic() > end:
            raise SystemExit("%s: not after %d s" % (what, LIMIT))
        time.sleep(pause)


def downtime(port):
    """Seconds in which the port takes no connections, from now until it takes them again."""
    wait("the program ends", lambda: not accepts(port), PROBE)
    began = time.monotonic()
    wait("the program starts", lambda: accepts(port), PROBE)
    return time.monotonic() - began


class Agent:
    def __init__(self, root):
        self.root, self.config, self.port = root, root + "/config", free_port()
        os.makedirs(self.config + "/sandbox")
        os.makedirs(self.config + "/runtime")
        save(self.config + "/scheduler/v1/main.lua", SCHEDULER)
        save(self.config + "/templates/bench/bench.render.yaml", RECIPE)
        save(self.config + "/templates/bench/processes.yaml.j2", PROCESSES)
        self.archive = root + "/bench.tar.gz"
        with tarfile.open(self.archive, "w:gz") as archive:
            for name, container in CONTAINERS.items():
                text = json.dumps(container)[:-1] + ", \"variables\": {\"port\": !DottedName }}\n"
                entry = tarfile.TarInfo("config/%s.yaml" % name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text.encode()))
        self.digest = hashlib.sha256(open(self.archive, "rb").read()).hexdigest()
        self.process = subprocess.Popen(
            [ROOT + "/verwalter", "--config-dir=" + self.config, "--storage-dir=" + root + "/storage",
             "--log-dir=" + root + "/log", "--port=%d" % self.port, "--on-exit=stop"],
            stdout=open(root + "/agent.log", "w"), stderr=subprocess.STDOUT)
        wait("the agent starts", lambda: accepts(self.port))

    def add(self, role, port):
        save("%s/lithos/sandboxes/%s.yaml" % (self.config, role),
             "image-dir: %s/storage/releases\nimage-dir-levels: 2\nallow-users: [0-65534]\nallow-groups: [0-65534]\n"
             "default-user: 0\n" % self.root)
        save("%s/runtime/%s/v1.yaml" % (self.config, role),
             "image: {url: \"file:%s\", sha256: \"%s\"}\nport: %d\n" % (self.archive, self.digest, port))

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, "/apis/verwalter.io/v1/" + path, body and json.dumps(body),
                           {"Content-Type": "application/merge-patch+json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise SystemExit("%s %s: %d %s" % (method, path, answer.status, text[:300]))
        return json.loads(text)

    def instances(self):
        return self.request("GET", "roleinstances")["items"]

    def running(self, count, purged=0):
        found = [each for each in self.instances()
                 if each.get("status", {}).get("state") == "RUNNING"
                 and each["status"].get("purgeCounter", 0) >= purged
                 and "replacement" not in each["status"]]
        return len(found) >= count

    def purge(self, instance):
        status, spec = instance.get("status", {}), instance["spec"]
        counter = 1 + max(status.get("purgeCounter", 0), spec.get("purgeCounter", 0))
        self.request("PATCH", "roleinstances/" + instance["metadata"]["name"], {"spec": {"purgeCounter": counter}})
        return counter

    def heap(self):
        """Bytes of the objects that are in use."""
        jvm = self.process.pid
        subprocess.run(["jcmd", str(jvm), "GC.run"], check=True, stdout=subprocess.DEVNULL)
        text = subprocess.run(["jcmd", str(jvm), "GC.heap_info"], check=True, capture_output=True, text=True).stdout
        return 1024 * sum(int(used) for used in re.findall(r"(?:generation|heap) +total \d+K, used (\d+)K", text))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def plain(port):
    """The downtimes of the program if it is stopped and started again at once."""
    times, process = [], subprocess.Popen(PROGRAM + [str(port)])
    try:
        for _ in range(PURGES):
            wait("the program starts", lambda: accepts(port), PROBE)
            began = time.monotonic()
            process.terminate()
            process.wait()
            process = subprocess.Popen(PROGRAM + [str(port)])
            wait("the program starts", lambda: accepts(port), PROBE)
            times.append(time.monotonic() - began)
    finally:
        process.kill()
        process.wait()
    return times


def figures():
    root = tempfile.mkdtemp(prefix="vw-bench-")
    agent = Agent(root)
    try:
        port = free_port()
        agent.add("bench", port)
        wait("the program runs", lambda: agent.running(1))
        purged = []
        for _ in range(PURGES):
            counter = agent.purge(agent.instances()[0])
            purged.append(downtime(port))
            wait("the purge ends", lambda: agent.running(1, counter))
        compared = plain(free_port())
        before = agent.heap()
        for number in range(MANY):
            agent.add("many-%03d" % number, 0)
        wait("%d instances run" % MANY, lambda: agent.running(MANY + 1), 0.5)
        time.sleep(10)
        grown = (agent.heap() - before) / MANY / 1024
        began = time.monotonic()
        for each in agent.instances():
            agent.purge(each)
        wait("all are purged", lambda: agent.running(MANY + 1, 1), 0.2)
        all_of_them = time.monotonic() - began
    finally:
        agent.stop()
        for pid in with_argument(root):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(root)
    return [
        Figure("downtime of a purge, median of %d" % PURGES, "ms", median(purged) * 1000, "stop and start",
               median(compared) * 1000, (ratio_at_most(1.1),)),
        Figure("%d instances purged at once" % (MANY + 1), "s", all_of_them),
        Figure("heap for each instance", "KB", grown, aims=(at_most(100),)),
    ]


if __name__ == "__main__":
    show(figures())
