#!/usr/bin/env python3
"""Starts 100 programs, restarts one after kill -9, and measures what idling costs: the embedded
supervisor beside Debian's supervisor, runit and s6, in one run on one machine.

Needs: apt-get install supervisor runit s6 python3, and a built clone (./verwalter --version, and
`mvn -q -DskipTests package` for bench's own class). Every program
says through a pipe when it runs, so that watching costs nothing. Ends only what it started.
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

from figures import Figure, at_most, ratio_at_most, show
from processes import StartPipe, descendants, idle_percent, median, pss_mib, with_argument

COUNT = 100
RESTARTS = 15
IDLE_SECONDS = 20
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.realpath(ROOT + "/.dist/lib")


def until(claim, limit=60.0):
    end = time.monotonic() + limit
    while not claim():
        if time.monotonic() > end:
            raise SystemExit("no result within %d s" % limit)
        time.sleep(0.01)


class Peer:
    """One supervisor in a directory of its own."""

    def __init__(self, root, starts):
        self.root, self.starts, self.program = root, starts, starts.script(86400)

    def launch(self, *command, **options):
        log = open(os.path.join(self.root, "peer.log"), "ab")
        self.process = subprocess.Popen(
            command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, **options
        )

    def family(self):
        """The supervisor, its helpers and their programs."""
        return descendants(self.process.pid)


class Supervisord(Peer):
    name = "supervisor"

    def prepare(self):
        self.config = os.path.join(self.root, "supervisord.conf")
        with open(self.config, "w") as f:
            f.write("[supervisord]\nnodaemon=true\nlogfile=%s/s.log\npidfile=%s/s.pid\n" % (self.root, self.root))
            f.write("[unix_http_server]\nfile=%s/sock\n[supervisorctl]\nserverurl=unix://%s/sock\n" % (self.root, self.root))
            f.write("[rpcinterface:supervisor]\nsupervisor.rpcinterface_factory=supervisor.rpcinterface:make_main_rpcinterface\n")
            f.write("[program:p]\ncommand=/bin/sh -c \"%s\"\nprocess_name=%%(process_num)03d\nnumprocs=%d\n" % (self.program, COUNT))
            f.write("autostart=false\nautorestart=true\nstartsecs=0\n")
        self.launch("/usr/bin/supervisord", "-c", self.config)
        until(lambda: os.path.exists(self.root + "/sock"))

    def start(self):
        subprocess.Popen(["/usr/bin/supervisorctl", "-c", self.config, "start", "p:*"], stdout=subprocess.DEVNULL)


class Runit(Peer):
    name = "runit"

    def prepare(self):
        self.services = os.path.join(self.root, "services")
        for i in range(COUNT):
            directory = os.path.join(self.services, "p%03d" % i)
            os.makedirs(directory)
            with open(os.path.join(directory, "run"), "w") as f:
                f.write("#!/bin/sh\n%s\n" % self.program)
            os.chmod(os.path.join(directory, "run"), 0o755)

    def start(self):
        self.launch("runsvdir", self.services)


class S6(Runit):
    name = "s6"

    def start(self):
        self.launch("s6-svscan", "-c", "500", self.services)


class Verwalter(Peer):
    name = "verwalter"

    def prepare(self):
        # As the launcher starts the agent: its jars first and in its order, so that its archive fits.
        jars = sorted(glob.glob(BUILD + "/agent/*.jar"))
        self.launch(
            "java", "-XX:+UseSerialGC", "-Xmx256m", "-XX:SharedArchiveFile=" + glob.glob(BUILD + "/agent-*.jsa")[0],
            "-cp", ":".join(jars + [ROOT + "/bench/target/bench-0.1.0.jar"]),
            "verwalter.bench.SupervisorAlone", self.root, self.program, str(COUNT),
        )
        until(lambda: os.path.exists(os.path.join(self.root, "ready")))

    def start(self):
        open(os.path.join(self.root, "go"), "w").close()

    def family(self):
        # Its shims are not its descendants, so that they outlive it.
        return sorted(set(super().family() + [each for pid in with_argument(self.root) for each in descendants(pid)]))


def measure(kind):
    root = tempfile.mkdtemp(prefix="vw-bench-")
    starts = StartPipe(root)
    peer, programs = kind(root, starts), []
    try:
        peer.prepare()
        time.sleep(2)
        began = time.monotonic()
        peer.start()
        programs, ended = starts.wait(COUNT)
        time.sleep(3)
        restarts = []
        for i in range(RESTARTS):
            before = time.monotonic()
            os.kill(programs.pop(0), signal.SIGKILL)
            again, after = starts.wait(1)
            programs += again
            restarts.append((after - before) * 1000)
            time.sleep(0.5)
        time.sleep(3)
        own = [pid for pid in peer.family() if pid not in programs]
        return {
            "supervisor": peer.name,
            "start_100_s": round(ended - began, 3),
            "restart_first_ms": round(restarts[0], 1),
            "restart_median_ms": round(median(restarts), 1),
            "restart_max_ms": round(max(restarts), 1),
            "idle_cpu_percent": idle_percent(own, IDLE_SECONDS),
            "memory_pss_mib": round(pss_mib(own), 1),
            "processes": len(own),
        }
    finally:
        own = [pid for pid in peer.family() if pid not in programs and pid != os.getpid()]
        for pid in own + programs:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(root, ignore_errors=True)


def figures():
    """Measures all supervisors."""
    rows = {}
    for kind in (Supervisord, Runit, S6, Verwalter):
        row = measure(kind)
        rows[row["supervisor"]] = row
        print(json.dumps(row), file=sys.stderr, flush=True)
    ours = rows.pop("verwalter")

    def beside(what, key, unit, aims={}, every=("s6", "runit", "supervisor")):
        return [Figure(what, unit, ours[key], peer, rows[peer][key], aims.get(peer, ())) for peer in every]

    return (
        beside("start of %d programs" % COUNT, "start_100_s", "s", {"s6": (ratio_at_most(1.5),)})
        + beside("restart after kill -9, first", "restart_first_ms", "ms", {"s6": (at_most(30),)})
        + beside("restart after kill -9, median", "restart_median_ms", "ms", {"s6": (at_most(10),)})
        + beside("memory (PSS) of the supervisor of %d programs" % COUNT, "memory_pss_mib", "MiB", {}, ("supervisor",)))


if __name__ == "__main__":
    show(figures())
