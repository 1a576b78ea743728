"""Shared by the measurements: programs that report their start, and the resources of processes."""
import glob
import os
import select
import socket
import time


class StartPipe:
    """A named pipe to which every started program writes its pid, so that no search for processes
    disturbs the measurement."""

    def __init__(self, root):
        self.path = os.path.join(root, "starts")
        os.mkfifo(self.path)
        self.pipe = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        self.rest = b""

    def script(self, seconds):
        """Shell text of a program that reports its pid and then sleeps under that pid."""
        return "echo $$ >%s; exec sleep %s" % (self.path, seconds)

    def wait(self, count, limit=120.0):
        """Waits for a number of programs; returns their pids and the time of the last."""
        pids, end = [], time.monotonic() + limit
        while len(pids) < count:
            if not select.select([self.pipe], [], [], max(0, end - time.monotonic()))[0]:
                raise SystemExit("%d of %d programs started in %d s" % (len(pids), count, limit))
            *lines, self.rest = (self.rest + os.read(self.pipe, 65536)).split(b"\n")
            pids += [int(line) for line in lines]
        return pids, time.monotonic()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def descendants(pid):
    """A process and its descendants."""
    parents = {}
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = open(stat).read()
        except OSError:
            continue
        parents.setdefault(int(text[text.rindex(")") + 2 :].split()[1]), []).append(int(text.split(" ", 1)[0]))
    found = [pid]
    for each in found:
        found += parents.get(each, [])
    return found


def with_argument(text):
    """Processes one of whose arguments contains a text."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            if text.encode() in open(path, "rb").read():
                found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def field_mib(pids, name, file):
    total = 0
    for pid in pids:
        try:
            for line in open("/proc/%d/%s" % (pid, file)):
                if line.startswith(name + ":"):
                    total += int(line.split()[1])
        except OSError:
            pass
    return total / 1024


def pss_mib(pids):
    """Memory with shared pages counted in proportion (PSS)."""
    return field_mib(pids, "Pss", "smaps_rollup")


def rss_mib(pids):
    return field_mib(pids, "VmRSS", "status")


def cpu_seconds(pids):
    ticks = 0
    for pid in pids:
        try:
            text = open("/proc/%d/stat" % pid).read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 2 :].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def idle_percent(pids, seconds):
    before = cpu_seconds(pids)
    time.sleep(seconds)
    return round((cpu_seconds(pids) - before) / seconds * 100, 2)


def median(values):
    return sorted(values)[len(values) // 2]
