#!/usr/bin/env python3
"""A cluster of three agents beside a three-member etcd, on the loopback addresses of one machine.

Measures durable writes at the leader with 1 and 16 clients, both ensembles in turns in one run;
the time from a write at one node to a process on another; the time from the death of a node to
the start of its work elsewhere; and kills of the leader: until another leads, and until that one
has decided.

All three agents share the processors and the disk of one machine, as the three members of etcd do.

Needs: apt-get install etcd-server python3, and a built clone. Prints a table. BENCH_KILLS is the
number of killed leaders, BENCH_DEATHS that of lost nodes, BENCH_APPLIES that of changes, and
BENCH_FAILOVER the flag --failover of the agents. The writes are measured after a warm-up of a
minute, since the JVMs of three agents compile their code on two processors until then.
"""
import gc
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import store
from figures import Figure, at_most, ratio_at_least, ratio_at_most, show

ROOT = store.ROOT
KILLS = int(os.environ.get("BENCH_KILLS", "50"))
DEATHS = int(os.environ.get("BENCH_DEATHS", "3"))
APPLIES = int(os.environ.get("BENCH_APPLIES", "50"))
FAILOVER = os.environ.get("BENCH_FAILOVER", "normal")
NAMES = ["n1", "n2", "n3"]
LIMIT = 120
WARM_UP = 60

# Each node runs "far"; its version is a label of the first node. One node runs "single".
SCHEDULER = """
local json = require "verwalter/json"

local function schedule(input)
  local nodes, ready = json.object{}, {}
  for name, node in pairs(input.nodes) do
    nodes[name] = {roles = json.object{}}
    if node.ready then ready[#ready + 1] = name end
  end
  table.sort(ready)
  local labels = (input.nodes.n1 or {}).labels or {}
  for name in pairs(nodes) do
    nodes[name].roles.far = {template = "app/v1", image = "app", number = labels.number or "0", node = name}
  end
  local place
  for _, parent in ipairs(input.parents) do place = place or (parent.state or {}).place end
  local known = place and input.nodes[place]
  if not known or not known.ready then place = ready[1] end
  if place then
    nodes[place].roles.single = {template = "app/v1", image = "app", number = "0", node = place}
  end
  return json.encode{
    roles = {far = json.object{}, single = json.object{}}, nodes = nodes, state = {place = place},
  }, ""
end

return {scheduler = schedule}
"""
RECIPE = """templates:
  processes: processes.yaml.j2
commands:
- !RootCommand [lithos_switch, "{{ role }}", "{{ files.processes }}"]
"""
PROCESSES = """worker:
  kind: Daemon
  image: "{{ image }}"
  config: /config/worker.yaml
  instances: 1
  variables:
    line: "{{ role }}.{{ node }}.{{ number }}"
"""
PROGRAM = """kind: Daemon
executable: /bin/sh
arguments: ["-c", "echo $0 >>%s; exec sleep 86400", "@{line}"]
restart-timeout: 1
kill-timeout: 1
variables:
  line: !DottedName
"""
SANDBOX = """image-dir: %s
allow-users: [0-65534]
allow-groups: [0-65534]
default-user: 0
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def progress(text):
    print(text, file=sys.stderr, flush=True)


def wait(what, found):
    """Waits until a function returns something, and returns it."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        try:
            value = found()
            if value:
                return value
        except (OSError, store.Refused, ValueError):
            pass
        time.sleep(0.002)
    raise SystemExit("timed out after %d s: %s" % (LIMIT, what))


class Local(store.Connection):
    """A connection to the unix socket of an agent, whose owner is an admin."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.data = b""
        self.begin = self.wanted = 0


class Agent:
    """The agent of one node, with a loopback address of its own."""

    def __init__(self, root, number, port, lines):
        self.name = NAMES[number]
        self.root = os.path.join(root, self.name)
        self.host = "127.0.0.%d" % (number + 1)
        self.address = "%s:%d" % (self.host, port)
        self.port = store.free_port()
        config = self.root + "/config"
        os.makedirs(config + "/sandbox")
        write(config + "/scheduler/v1/main.lua", SCHEDULER)
        write(config + "/templates/app/v1/app.render.yaml", RECIPE)
        write(config + "/templates/app/v1/processes.yaml.j2", PROCESSES)
        write(config + "/lithos/images/app/config/worker.yaml", PROGRAM % lines)
        for role in ("far", "single"):
            write(config + "/runtime/%s/v1.yaml" % role, "image: app\n")
            write(config + "/lithos/sandboxes/%s.yaml" % role, SANDBOX % (config + "/lithos/images"))
        self.flags = ["--config-dir=" + config, "--storage-dir=" + self.root + "/storage", "--log-dir=" + self.root + "/log",
                      "--failover=" + FAILOVER, "--hostname=" + self.name, "--override-machine-id=%032x" % (number + 1)]

    def start(self):
        with open(self.root + "/out.log", "ab") as out:
            self.process = subprocess.Popen([ROOT + "/verwalter", "--port=%d" % self.port] + self.flags, stdout=out, stderr=out)

    def local(self):
        return Local(self.root + "/storage/verwalter.sock")

    def vw(self, *arguments):
        command = [ROOT + "/vw", "--server=unix://" + self.root + "/storage/verwalter.sock"] + list(arguments)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def get(self, path):
        return json.loads(self.ask("GET", path))

    def ask(self, method, path, body=None, kind="application/json"):
        """Sends a request. A follower's response may come in chunks."""
        connection = http.client.HTTPConnection("localhost")
        connection.sock = self.local().socket
        connection.request(method, path, body, {"Content-Type": kind})
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        if response.status >= 300:
            raise store.Refused(answer[-700:])
        return answer

    def join(self, other, token):
        subprocess.run([ROOT + "/verwalter", "join", other, "--token=" + token, "--address=" + self.address] + self.flags,
                       check=True, capture_output=True)
        self.start()

    def leads(self):
        status = self.get("/v1/status")
        leader = status.get("leader") or {}
        return leader.get("name") == self.name

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end_programs(self):
        """Kills what the agent has started, which outlives it."""
        for each in os.listdir("/proc"):
            if each.isdigit() and int(each) != os.getpid():
                try:
                    with open("/proc/%s/environ" % each, "rb") as file:
                        if (self.root + "/").encode() in file.read():
                            os.kill(int(each), signal.SIGKILL)
                            continue
                    with open("/proc/%s/cmdline" % each, "rb") as file:
                        if (self.root + "/").encode() in file.read():
                            os.kill(int(each), signal.SIGKILL)
                except OSError:
                    pass


class Agents:
    """A cluster of three agents."""

    name = "verwalter"

    def start(self, root):
        self.lines = root + "/lines"
        write(self.lines, "")
        port = self.ports()
        self.agents = [Agent(root, number, port, self.lines) for number in range(3)]
        first = self.agents[0]
        first.start()
        wait("the first agent", lambda: first.get("/v1/status"))
        first.vw("cluster", "init", "--address", first.address, "--credentials", root)
        wait("the cluster", lambda: first.address in json.dumps(first.get("/v1/cluster")))
        wait("the first leader", first.leads)
        token = first.vw("token", "create", "--uses", "2").split()[0]
        for each in self.agents[1:]:
            each.join(first.address, token)
        for each in self.agents:
            wait("the programs of " + each.name, lambda: "far.%s." % each.name in self.read())
        wait("three electors", lambda: sum(it["elector"] for it in first.get("/v1/cluster")["members"]) == 3)

    @staticmethod
    def ports():
        """A port that is free with the three after it on all addresses."""
        for first in range(21000, 29000, 4):
            held = []
            try:
                for number in range(3):
                    for port in range(first, first + 4):
                        held.append(socket.create_server(("127.0.0.%d" % (number + 1), port)))
                return first
            except OSError:
                pass
            finally:
                for each in held:
                    each.close()
        raise SystemExit("there are no free ports")

    def read(self):
        with open(self.lines) as file:
            return file.read()

    def leader(self):
        for each in self.agents:
            if each.process.poll() is None and each.leads():
                return each
        return None

    def connect(self):
        return wait("a leader", self.leader).local()

    def keys(self, connection):
        for number in range(store.KEYS):
            rule = {"apiVersion": "verwalter.io/v1", "kind": "AccessRule", "metadata": {"name": "bench-%d" % number},
                    "spec": {"grants": "viewer"}}
            try:
                connection.ask(store.request("POST", "/apis/verwalter.io/v1/accessrules", json.dumps(rule)))
            except store.Refused as known:
                if b"409" not in known.args[0][:20]:
                    raise
        return ["bench-%d" % number for number in range(store.KEYS)]

    def write(self, key, value):
        return store.request("PATCH", "/apis/verwalter.io/v1/accessrules/" + key,
                             json.dumps({"metadata": {"annotations": {"bench": value}}}), "application/merge-patch+json")

    def applies(self):
        """The times from a write at one follower to a process on the other one."""
        wait("a leader", self.leader)
        leader = wait("a leader", self.leader)
        at, other = [each for each in self.agents if each is not leader]
        taken = []
        for number in range(1, APPLIES + 1):
            line = "far.%s.%d\n" % (other.name, number)
            began = time.monotonic()
            at.ask("PATCH", "/apis/verwalter.io/v1/nodes/n1", json.dumps({"metadata": {"labels": {"number": str(number)}}}),
                   "application/merge-patch+json")
            wait("the program " + line, lambda: line in self.read())
            taken.append(time.monotonic() - began)
            progress("change %d of %d: %.2f s" % (number, APPLIES, taken[-1]))
            for each in self.agents:
                wait("the other programs", lambda: "far.%s.%d\n" % (each.name, number) in self.read())
        return taken

    def deaths(self):
        """The times from the death of a node to the start of its work on another."""
        taken = []
        for _ in range(DEATHS):
            leader = wait("a leader", self.leader)
            place = wait("a place for the program", lambda: self.place(leader))
            lost = next(each for each in self.agents if each.name == place)
            count = self.starts_elsewhere(lost)
            began = time.monotonic()
            lost.kill()
            lost.end_programs()
            wait("work elsewhere than " + lost.name, lambda: self.starts_elsewhere(lost) > count)
            taken.append((time.monotonic() - began, lost is leader))
            progress("%s, whose agent %s, lost for %.1f s" % (lost.name, "led" if lost is leader else "followed", taken[-1][0]))
            self.restart(lost)
        return taken

    @staticmethod
    def place(agent):
        """The node that runs "single" by the schedule, whatever a returned node still runs."""
        nodes = agent.get("/v1/schedule")["data"]["nodes"]
        return next((name for name, node in nodes.items() if "single" in node["roles"]), None)

    def starts_elsewhere(self, agent):
        return len(re.findall(r"single\.(?!%s\.)\w+\." % agent.name, self.read()))

    def restart(self, agent):
        agent.start()
        wait("the return of " + agent.name, lambda: agent.get("/v1/status").get("leader"))
        wait("the readiness of " + agent.name, lambda: all(
            any(c["type"] == "Ready" and c["status"] == "True" for c in n["status"]["conditions"])
            for n in agent.get("/apis/verwalter.io/v1/nodes")["items"]))

    def kills(self):
        """For each killed leader: the times until another node leads, and until it has decided."""
        leads, decides = [], []
        for _ in range(KILLS):
            leader = wait("a leader", self.leader)
            others = [each for each in self.agents if each is not leader]
            began = time.monotonic()
            leader.kill()
            wait("another leader", lambda: any(each.leads() for each in others))
            leads.append(time.monotonic() - began)
            wait("a decision", lambda: any(each.leads() and self.decisions(each) for each in others))
            decides.append(time.monotonic() - began)
            progress("leader %d of %d killed: %.2f s until another, %.2f s until a decision" % (
                len(leads), KILLS, leads[-1], decides[-1]))
            self.restart(leader)
        return leads, decides

    @staticmethod
    def decisions(agent):
        """How many decisions a leader has made since its agent started, as it does after each term."""
        return agent.get("/v1/status")["metrics"]["scheduler_succeeded"]

    def stop(self):
        for each in self.agents:
            if hasattr(each, "process"):
                each.kill()
            each.end_programs()


class Etcd(store.Etcd):
    """An ensemble of three members that speak TLS to each other."""

    def start(self, root):
        ports = [store.free_port() for _ in range(6)]
        peers = ["https://127.0.0.1:%d" % port for port in ports[3:]]
        self.processes = []
        for number in range(3):
            url = "http://127.0.0.1:%d" % ports[number]
            self.processes.append(subprocess.Popen(
                ["etcd", "--name", "e%d" % number, "--data-dir", "%s/%d" % (root, number), "--listen-client-urls", url,
                 "--advertise-client-urls", url, "--listen-peer-urls", peers[number], "--initial-advertise-peer-urls", peers[number],
                 "--peer-auto-tls", "--initial-cluster", ",".join("e%d=%s" % each for each in enumerate(peers))],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        self.ports = ports[:3]

    def connect(self):
        """Connects to the leader."""
        def leader():
            for port in self.ports:
                status = json.loads(store.Connection(port).ask(store.request("POST", "/v3/maintenance/status", "{}")))
                if status.get("leader") and status["leader"] == status["header"]["member_id"]:
                    return port
            return None
        self.port = wait("the leader of etcd", leader)
        return store.Connection(self.port)

    def stop(self):
        for each in getattr(self, "processes", []):
            each.terminate()
            each.wait()


class Writes(store.Bench):
    """The connections to the leader of one ensemble."""

    def __init__(self, ensemble):
        self.store = ensemble
        names = ensemble.keys(ensemble.connect())
        self.connections = [ensemble.connect() for _ in range(16)]
        for connection, name in zip(self.connections, names):
            connection.key = name
            connection.ask(ensemble.write(name, "first"))
        self.count = 0
        self.clear()

    def result(self):
        return {clients: dict({"per_s": round(len(self.latencies[clients]) / self.seconds[clients])},
                              **store.quantiles(self.latencies[clients])) for clients in (1, 16)}


def memory(agent):
    """The proportional memory of an agent, in MiB."""
    total = 0
    with open("/proc/%d/smaps_rollup" % agent.process.pid) as file:
        for line in file:
            if line.startswith("Pss:"):
                total = int(line.split()[1])
    return total / 1024


def quantile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def figures():
    gc.disable()
    ensembles = [Etcd(), Agents()]
    roots = []
    try:
        for each in ensembles:
            roots.append(tempfile.mkdtemp(prefix="vw-bench-"))
            each.start(roots[-1])
        agents = ensembles[1]
        idle = max(memory(each) for each in agents.agents)
        benches = [Writes(each) for each in ensembles]
        for bench in benches:
            bench.writes(16, WARM_UP / 2)
            bench.writes(1, WARM_UP / 2)
            bench.clear()
        for _ in range(store.ROUNDS):
            for clients in (1, 16):
                for bench in benches:
                    time.sleep(0.2)
                    bench.writes(clients, store.SECONDS)
        etcd, ours = [bench.result() for bench in benches]
        progress("durable writes: %s of etcd, %s" % (etcd, ours))
        ensembles[0].stop()
        applies = agents.applies()
        deaths = agents.deaths()
        leads, decides = agents.kills()
    finally:
        gc.enable()
        for each in ensembles:
            each.stop()
        for root in roots:
            shutil.rmtree(root, ignore_errors=True)
    found = []
    for clients in (1, 16):
        part = "%d client%s" % (clients, "" if clients == 1 else "s")
        found += [
            Figure("three nodes: durable writes, " + part, "/s", ours[clients]["per_s"], "etcd", etcd[clients]["per_s"], (ratio_at_least(1),)),
            Figure("three nodes: the slowest writes, p99, " + part, "ms", ours[clients]["p99_ms"], "etcd", etcd[clients]["p99_ms"],
                   (ratio_at_most(1),)),
        ]
    found += [
        Figure("memory of an elector, PSS", "MiB", idle, aims=(at_most(140),)),
        Figure("write at one node to a process on another, p50", "s", quantile(applies, 0.5)),
        Figure("write at one node to a process on another, p99", "s", quantile(applies, 0.99), aims=(at_most(1),)),
        Figure("leader killed until another leads, p50 of %d" % len(leads), "s", quantile(leads, 0.5)),
        Figure("leader killed until another leads, p99", "s", quantile(leads, 0.99)),
        Figure("leader killed until the next has decided, p99", "s", quantile(decides, 0.99), aims=(at_most(2 if FAILOVER == "fast" else 4),)),
    ]
    for is_leader, who in ((False, "follower"), (True, "leader")):
        times = [each for each, leader in deaths if leader == is_leader]
        if times:
            found.append(Figure("death of a %s until its work runs elsewhere, slowest of %d" % (who, len(times)), "s", max(times)))
    return found


if __name__ == "__main__":
    show(figures())
