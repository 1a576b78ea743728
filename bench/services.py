#!/usr/bin/env python3
"""Services of one file each: from saving a new file to its process running, from saving a change to the new
process running, and 300 of them at once with the memory of their manager; beside systemd-run and supervisord.

systemd runs as process 1 of namespaces of its own, with no units but those of the measurement. All run their
programs as the user nobody, and systemd and Verwalter also without new privileges.

Needs: root, apt-get install supervisor systemd python3, and a built clone (./verwalter --version). Prints a
Markdown table. Ends only what it started.
"""
import glob
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from agent import milliseconds, save
from figures import Figure, show
from processes import StartPipe, descendants, free_port, median, pss_mib, with_argument

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANY = 300
TIMES = 10
QUESTIONS = 9

# The time without a change after which memory is measured.
SETTLED_SECONDS = 15


class Verwalter:
    name = "verwalter"

    def __init__(self, root, starts):
        self.root, self.starts, self.port = root, starts, free_port()
        os.makedirs(root + "/config/roles")

    def start(self):
        self.process = subprocess.Popen(
            [ROOT + "/verwalter", "--config-dir=" + self.root + "/config", "--storage-dir=" + self.root + "/storage",
             "--log-dir=" + self.root + "/log", "--port=%d" % self.port],
            stdout=subprocess.DEVNULL, stderr=open(self.root + "/agent.log", "w"))

    def ready(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False

    def service(self, name, version):
        script = self.starts.script(86400).replace("$", "$$")
        save("%s/config/roles/%s.yaml" % (self.root, name),
             "processes:\n  p:\n    command: [/bin/sh, -c, %s]\n    env: {VERSION: v%d}\n    stop-timeout: 2s\n"
             "update: {ready-for: 1s}\n" % (json.dumps(script), version))

    change = service

    def settle(self):
        """A change waits for the update before it."""
        time.sleep(2.5)

    def question(self):
        return [ROOT + "/vw", "--server", "http://127.0.0.1:%d" % self.port, "get", "ri"]

    def family(self):
        return set(descendants(self.process.pid) + [each for pid in with_argument(self.root) for each in descendants(pid)])


class Supervisord:
    name = "supervisor"

    def __init__(self, root, starts):
        self.root, self.starts, self.config = root, starts, root + "/supervisord.conf"
        os.makedirs(root + "/conf.d")
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
[include]
files = {0}/conf.d/*.conf
""".format(root))

    def start(self):
        self.process = subprocess.Popen(["/usr/bin/supervisord", "-c", self.config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ready(self):
        return os.path.exists(self.root + "/sock")

    def write(self, name, version):
        save("%s/conf.d/%s.conf" % (self.root, name), """
[program:{0}]
command=/bin/sh -c "{1}"
environment=VERSION="v{2}"
user=nobody
startsecs=0
""".format(name, self.starts.script(86400), version))

    def update(self):
        subprocess.run(["/usr/bin/supervisorctl", "-c", self.config, "update"], stdout=subprocess.DEVNULL, check=True)

    def service(self, name, version):
        self.write(name, version)
        self.update()

    change = service

    def settle(self):
        time.sleep(0.5)

    def services(self, names):
        for name in names:
            self.write(name, 1)
        self.update()

    def question(self):
        return ["/usr/bin/supervisorctl", "-c", self.config, "status"]

    def family(self):
        return set(descendants(self.process.pid))


class Systemd:
    name = "systemd-run"
    GROUPS = glob.glob("/sys/fs/cgroup/systemd") + glob.glob("/sys/fs/cgroup/unified")

    # The private mounts hide all units of the machine, so that systemd starts and changes nothing.
    LAUNCH = """
set -e
for each in {groups}; do mkdir -p $each/vw-bench; echo $$ > $each/vw-bench/cgroup.procs; done
exec unshare --pid --fork --mount --cgroup --mount-proc sh -c '
set -e
mount -t tmpfs none /run
mkdir -p /run/empty /run/systemd/system
for each in /usr/lib/systemd/system /etc/systemd/system /usr/lib/systemd/system-generators /etc/systemd/system-generators; do
  if [ -d $each ]; then mount --bind /run/empty $each; fi
done
for each in bench basic sysinit shutdown; do printf "[Unit]\\nDefaultDependencies=no\\n" > /run/systemd/system/$each.target; done
export container=bench
exec /usr/lib/systemd/systemd --system --unit=bench.target --show-status=no --log-level=err'
"""

    def __init__(self, root, starts):
        self.root, self.starts = root, starts

    def start(self):
        self.process = subprocess.Popen(["sh", "-c", self.LAUNCH.format(groups=" ".join(self.GROUPS))],
                                        stdout=subprocess.DEVNULL, stderr=open(self.root + "/systemd.log", "w"))
        self.manager = None

    def inside(self, *command):
        return ["nsenter", "-t", str(self.manager), "-m", "-p"] + list(command)

    def ready(self):
        found = [pid for pid in descendants(self.process.pid) if b"--unit=bench.target" in open("/proc/%d/cmdline" % pid, "rb").read()
                 and open("/proc/%d/comm" % pid).read() == "systemd\n"]
        self.manager = found[0] if found else None
        return bool(found) and subprocess.run(self.inside("systemctl", "list-units"), stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL).returncode == 0

    def service(self, name, version):
        subprocess.run(self.inside("systemd-run", "--quiet", "--unit=" + name, "-p", "User=nobody", "-p", "NoNewPrivileges=yes",
                                   "-E", "VERSION=v%d" % version, "/bin/sh", "-c", self.starts.script(86400).replace("$", "$$")), check=True)

    def change(self, name, version):
        subprocess.run(self.inside("systemctl", "stop", name), check=True)
        self.service(name, version)

    def settle(self):
        time.sleep(0.5)

    def question(self):
        return self.inside("systemctl", "--no-pager", "list-units")

    def family(self):
        return set(descendants(self.process.pid))


def measure(kind):
    root = tempfile.mkdtemp(prefix="vw-bench-")
    os.chmod(root, 0o755)
    starts = StartPipe(root)
    os.chmod(starts.path, 0o666)
    peer, programs = kind(root, starts), []
    try:
        peer.start()
        while not peer.ready():
            time.sleep(0.02)
        time.sleep(2)
        new, changed, results = [], [], {}
        for number in range(TIMES):
            began = time.monotonic()
            peer.service("new%d" % number, 1)
            started, ended = starts.wait(1)
            programs += started
            new.append(ended - began)
            peer.settle()
        for number in range(TIMES):
            began = time.monotonic()
            peer.change("new0", number + 2)
            started, ended = starts.wait(1)
            programs += started
            changed.append(ended - began)
            peer.settle()
        names = ["many%d" % number for number in range(MANY)]
        began = time.monotonic()
        if hasattr(peer, "services"):
            peer.services(names)
        else:
            for name in names:
                peer.service(name, 1)
        started, ended = starts.wait(MANY)
        programs += started
        time.sleep(SETTLED_SECONDS)
        return {
            "first": 1000 * new[0], "new": 1000 * median(new), "changed": 1000 * median(changed), "many": ended - began,
            "memory": pss_mib(sorted(peer.family() - set(programs))), "question": milliseconds(peer.question(), QUESTIONS),
        }
    finally:
        own = sorted(peer.family() | set(with_argument(root)) - {os.getpid()})
        for pid in own + programs:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        peer.process.wait()
        time.sleep(0.5)
        for group in kind.GROUPS if kind is Systemd else ():
            for directory, _, _ in os.walk(group + "/vw-bench", topdown=False):
                try:
                    os.rmdir(directory)
                except OSError:
                    pass
        shutil.rmtree(root, ignore_errors=True)


def figures():
    rows = {}
    for kind in (Systemd, Supervisord, Verwalter):
        rows[kind.name] = measure(kind)
        print(kind.name, json.dumps(rows[kind.name]), file=sys.stderr, flush=True)
    ours, found = rows.pop("verwalter"), []
    for what, key, unit, aims in (
        ("from saving the first file to its process running", "first", "ms", ()),
        ("from saving a new file to its process running, median", "new", "ms", ()),
        ("from saving a change to the new process running, median", "changed", "ms", ()),
        ("%d services from saving to running" % MANY, "many", "s", ()),
        ("memory (PSS) of the manager of %d services" % (MANY + TIMES), "memory", "MiB", ()),
        ("the list of %d services" % (MANY + TIMES), "question", "ms", ()),
    ):
        found += [Figure(what, unit, ours[key], peer, row[key], aims) for peer, row in rows.items()]
    return found


if __name__ == "__main__":
    show(figures())
