#!/usr/bin/env python3
"""A hundred processes that end at once: the processor time of the agent, and of all their shims and shells.

One service has 100 processes of a shell that exits with code 3. Each is started again after pauses of the supervisor.
Measures the first and the second minute, and the memory of the agent. Needs python3 and a built clone
(./verwalter --version). Prints rows of a Markdown table. Ends only what it started.
"""
import os
import shutil
import signal
import subprocess
import tempfile
import time

from figures import Figure, at_most, show
from instances import accepts, save, wait
from processes import free_port, with_argument

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MINUTE = 60
TICKS = os.sysconf("SC_CLK_TCK")

SERVICE = """
processes:
  loop: {command: [sh, -c, exit 3], instances: 100}
"""


def seconds(pid):
    """Processor time of a process, without its children."""
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine():
    """Processor time of everything."""
    with open("/proc/stat") as file:
        fields = [int(word) for word in file.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICKS


def figures():
    root = tempfile.mkdtemp(prefix="vw-bench-")
    save(root + "/config/roles/crash.yaml", SERVICE)
    port = free_port()
    process = subprocess.Popen(
        [ROOT + "/verwalter", "--config-dir=%s/config" % root, "--storage-dir=%s/storage" % root,
         "--log-dir=%s/log" % root, "--port=%d" % port, "--on-exit=stop"],
        stdout=open(root + "/agent.log", "w"), stderr=subprocess.STDOUT)
    try:
        wait("the agent starts", lambda: accepts(port))
        rows = []
        for minute in ("first", "second"):
            before, all_before = seconds(process.pid), machine()
            time.sleep(MINUTE)
            used, everything = seconds(process.pid) - before, machine() - all_before
            rows.append(Figure("agent during the %s minute of 100 crash loops" % minute, "% of a core",
                               100 * used / MINUTE, aims=(at_most(5),)))
            rows.append(Figure("whole machine during that minute", "% of a core", 100 * everything / MINUTE))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        for pid in with_argument(root):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(root)
    return rows


if __name__ == "__main__":
    show(figures())
