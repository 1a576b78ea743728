#!/usr/bin/env python3
"""Starts 100 `sleep`s, restarts one after kill -9, and measures what idling costs: the embedded
supervisor beside Debian's supervisor, runit and s6, in one run on one machine.

Needs: apt-get install supervisor runit s6 python3, and a built clone (./verwalter --version).
Prints one JSON line for each supervisor and a table of ratios. Ends only what it started.
"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COUNT = 100
RESTARTS = 9
IDLE_SECONDS = 10
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def children(pid):
    """All descendants of a process."""
    parents = {}
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = open(stat).read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2 :].split()
        parents.setdefault(int(fields[1]), []).append(int(text.split(" ", 1)[0]))
    found, todo = [], [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def sleepers(marker):
    """Pids of running programs that carry the marker as their argument: sleep MARKER."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            words = open(path, "rb").read().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"sleep") and len(words) > 1 and words[1] == marker.encode():
            found.append(int(path.split("/")[2]))
    return found


def until(claim, limit=60.0):
    began = time.monotonic()
    while not claim():
        if time.monotonic() - began > limit:
            raise SystemExit("nothing came of it in %d s" % limit)
        time.sleep(0.001)
    return time.monotonic() - began


def pss(pids):
    total = 0
    for pid in pids:
        try:
            for line in open("/proc/%d/smaps_rollup" % pid):
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            pass
    return total / 1024


def cpu(pids):
    ticks = 0
    for pid in pids:
        try:
            text = open("/proc/%d/stat" % pid).read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2 :].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Peer:
    """One supervisor in a directory of its own."""

    def __init__(self, root, marker):
        self.root, self.marker, self.process = root, marker, None

    def launch(self, *command, **options):
        log = open(os.path.join(self.root, "peer.log"), "ab")
        self.process = subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, **options
        )

    def own(self):
        """Processes of the supervisor itself: all but the programs it runs."""
        programs = set(sleepers(self.marker))
        return [p for p in [self.process.pid] + children(self.process.pid) if p not in programs]

    def close(self):
        for pid in self.own()[::-1]:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        for pid in sleepers(self.marker):
            os.kill(pid, signal.SIGKILL)


class Supervisord(Peer):
    name = "supervisor"

    def prepare(self):
        config = os.path.join(self.root, "supervisord.conf")
        with open(config, "w") as f:
            f.write("[supervisord]\nnodaemon=true\nlogfile=%s/s.log\npidfile=%s/s.pid\n" % (self.root, self.root))
            f.write("[unix_http_server]\nfile=%s/sock\n[supervisorctl]\nserverurl=unix://%s/sock\n" % (self.root, self.root))
            f.write("[rpcinterface:supervisor]\nsupervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface\n")
            f.write("[program:p]\ncommand=sleep %s\nprocess_name=%%(process_num)03d\nnumprocs=%d\nautostart=false\nautorestart=true\n" % (self.marker, COUNT))
        self.launch("/usr/bin/supervisord", "-c", config)
        until(lambda: os.path.exists(self.root + "/sock"))
        self.config = config

    def start(self):
        subprocess.Popen(["/usr/bin/supervisorctl", "-c", self.config, "start", "p:*"], stdout=subprocess.DEVNULL)


class Runit(Peer):
    name = "runit"

    def prepare(self):
        self.services = os.path.join(self.root, "services")
        for i in range(COUNT):
            directory = os.path.join(self.services, "p%03d" % i)
            os.makedirs(directory)
            run = os.path.join(directory, "run")
            with open(run, "w") as f:
                f.write("#!/bin/sh\nexec sleep %s\n" % self.marker)
            os.chmod(run, 0o755)

    def start(self):
        self.launch("runsvdir", self.services)


class S6(Runit):
    name = "s6"

    def start(self):
        self.launch("s6-svscan", "-c", "500", self.services)


class Verwalter(Peer):
    name = "verwalter"

    def prepare(self):
        libs = ":".join(os.path.join(ROOT, each) for each in ("bench/target/classes", "agent/target/classes", "agent/target/lib/*"))
        self.launch(
            "java", "-XX:+UseSerialGC", "-cp", libs, "verwalter.bench.SupervisorAlone", self.root, self.marker, str(COUNT)
        )
        until(lambda: os.path.exists(os.path.join(self.root, "ready")))

    def start(self):
        open(os.path.join(self.root, "go"), "w").close()

    def own(self):
        programs = set(sleepers(self.marker))
        keepers = []
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                text = open(path, "rb").read()
            except OSError:
                continue
            if self.root.encode() in text:
                keepers.append(int(path.split("/")[2]))
        return sorted((set(keepers) | {self.process.pid}) - programs)


def measure(kind, number):
    root = tempfile.mkdtemp(prefix="vw-bench-")
    peer = kind(root, str(86400 + number))
    try:
        peer.prepare()
        began = time.monotonic()
        peer.start()
        until(lambda: len(sleepers(peer.marker)) >= COUNT, 120)
        started = time.monotonic() - began
        time.sleep(3)
        restarts = []
        for _ in range(RESTARTS):
            victim = sleepers(peer.marker)[0]
            os.kill(victim, signal.SIGKILL)
            before = time.monotonic()
            until(lambda: victim not in sleepers(peer.marker) and len(sleepers(peer.marker)) == COUNT)
            restarts.append(time.monotonic() - before)
            time.sleep(1.2)
        time.sleep(3)
        own = peer.own()
        used = cpu(own)
        time.sleep(IDLE_SECONDS)
        return {
            "supervisor": peer.name,
            "start_100_s": round(started, 3),
            "restart_median_ms": round(sorted(restarts)[len(restarts) // 2] * 1000, 1),
            "restart_max_ms": round(max(restarts) * 1000, 1),
            "idle_cpu_percent": round((cpu(own) - used) / IDLE_SECONDS * 100, 2),
            "memory_pss_mib": round(pss(own), 1),
            "processes": len(own),
        }
    finally:
        peer.close()
        shutil.rmtree(root, ignore_errors=True)


def main():
    kinds = [Verwalter, Supervisord, Runit, S6]
    wanted = sys.argv[1:]
    rows = [measure(kind, i) for i, kind in enumerate(kinds) if not wanted or kind.name in wanted]
    for row in rows:
        print(json.dumps(row))
    ours = next((row for row in rows if row["supervisor"] == "verwalter"), None)
    if ours:
        print("\nratio to ours      start 100   restart   memory")
        for row in rows:
            if row is not ours:
                print(
                    "%-18s %8.2fx %8.2fx %7.2fx"
                    % (
                        row["supervisor"],
                        row["start_100_s"] / ours["start_100_s"],
                        row["restart_median_ms"] / ours["restart_median_ms"],
                        row["memory_pss_mib"] / ours["memory_pss_mib"],
                    )
                )


main()
