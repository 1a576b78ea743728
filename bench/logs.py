#!/usr/bin/env python3
"""Measures logs of processes: a process writes lines at 100 MB/s for some seconds.

    python3 bench/logs.py [MB_PER_SECOND [SECONDS]]

Prints the processor time that the agent (or a peer) takes for the log, as a part of one core, the largest
size of the log, and whether a line was lost or kept twice. Peers are svlogd (runit) and multilog
(daemontools) if they are installed, which read the lines from a pipe.
"""
import json, os, re, shutil, signal, subprocess, sys, tempfile, time

HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RATE = int(sys.argv[1]) if len(sys.argv) > 1 else 100
SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
LIMIT = 10 << 20
TICK = os.sysconf("SC_CLK_TCK")

# Writes numbered lines of 100 bytes in blocks of 64 KB, as a program with a buffer does.
WRITER = r"""
import os, sys, time
rate, seconds, number = int(sys.argv[1]) * 1000000, int(sys.argv[2]), 0
begin = time.monotonic()
while True:
    now = time.monotonic() - begin
    if now > seconds: break
    if number * 100 > now * rate:
        time.sleep(0.0005)
        continue
    block = b"".join(b"%020d" % i + b"." * 79 + b"\n" for i in range(number, number + 655))
    number += 655
    while block:
        block = block[os.write(1, block):]
os.write(1, b"written %d\n" % number)
time.sleep(86400 if len(sys.argv) > 3 else 0)
"""


def cpu(pid):
    """Processor seconds of a process, with the children that it has waited for."""
    with open("/proc/%d/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / TICK


def largest(path, until):
    """The largest size of a file until something is true."""
    most = 0
    while not until():
        try:
            most = max(most, os.stat(path).st_size)
        except FileNotFoundError:
            pass
        time.sleep(0.001)
    return most


def kept(directory, name):
    """The numbers of the lines that are kept, oldest first, and the number of lines written."""
    files = [os.path.join(directory, name + ".%d" % i) for i in range(9, 0, -1)] + [os.path.join(directory, name)]
    numbers, written, odd = [], 0, 0
    for path in files:
        if os.path.exists(path):
            with open(path, "rb") as f:
                for line in f:
                    if re.fullmatch(rb"\d{20}\.{79}\n", line):
                        numbers.append(int(line[:20]))
                    elif line.startswith(b"written "):
                        written = int(line.split()[1])
                    elif line.strip() and b"-----" not in line:
                        odd += 1
    return numbers, written, odd


def agent(root):
    site = os.path.join(root, "site/roles")
    os.makedirs(site)
    os.chmod(root, 0o755)
    with open(os.path.join(root, "writer.py"), "w") as f:
        f.write(WRITER)
    start = subprocess.Popen(
        [HOME + "/verwalter", "--config-dir=" + root + "/site", "--storage-dir=" + root + "/state",
         "--log-dir=" + root + "/log", "--port=18391", "--on-exit=stop"], stderr=open(root + "/agent.log", "w"))
    try:
        deadline = time.time() + 60
        while subprocess.run(["curl", "-sf", "http://127.0.0.1:18391/readyz"], stdout=subprocess.DEVNULL).returncode:
            assert time.time() < deadline, "the agent is not ready"
            time.sleep(0.2)
        time.sleep(5)
        before = cpu(start.pid)
        time.sleep(SECONDS)
        idle = (cpu(start.pid) - before) / SECONDS
        with open(site + "/shop.yaml.new", "w") as f:
            json.dump({"processes": {"web": {"command": ["python3", root + "/writer.py", str(RATE), str(SECONDS), "stay"]}}}, f)
        os.rename(site + "/shop.yaml.new", site + "/shop.yaml")
        log = root + "/log/shop.web.0.log"
        while not (os.path.exists(log) and os.stat(log).st_size > 1 << 20):
            time.sleep(0.005)
        began, before = time.time(), cpu(start.pid)
        most = largest(log, lambda: time.time() - began > SECONDS - 1)
        used = (cpu(start.pid) - before) / (time.time() - began)
        deadline = time.time() + 60
        while not kept(root + "/log", "shop.web.0.log")[1]:
            assert time.time() < deadline, "the writer did not end"
            time.sleep(0.5)
        time.sleep(1)
        numbers, written, odd = kept(root + "/log", "shop.web.0.log")
        whole = numbers == list(range(written - len(numbers), written)) and not odd
        return used - idle, most, whole
    finally:
        start.send_signal(signal.SIGTERM)
        start.wait()


def piped(root, command, log):
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(os.path.join(root, "writer.py"), "w") as f:
        f.write(WRITER)
    peer = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    writer = subprocess.Popen(["python3", root + "/writer.py", str(RATE), str(SECONDS)], stdout=peer.stdin)
    began = time.time()
    most = largest(log, lambda: time.time() - began > SECONDS - 1)
    used = cpu(peer.pid) / (time.time() - began)
    peer.stdin.close()
    writer.wait()
    peer.wait()
    return used, most, None


def peers(root):
    if shutil.which("svlogd"):
        os.makedirs(root + "/svlogd")
        with open(root + "/svlogd/config", "w") as f:
            f.write("s%d\nn6\n" % LIMIT)
        yield "svlogd", lambda: piped(root, ["svlogd", root + "/svlogd"], root + "/svlogd/current")
    if shutil.which("multilog"):
        yield "multilog", lambda: piped(
            root, ["multilog", "s%d" % LIMIT, "n6", root + "/multilog"], root + "/multilog/current")


def main():
    root = tempfile.mkdtemp(prefix="logs")
    os.chmod(root, 0o755)
    try:
        os.mkdir(root + "/agent")
        rows = [("verwalter",) + agent(root + "/agent")]
        rows += [(name,) + measure() for name, measure in peers(root)]
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print("%d MB/s for %d s, limit %d MiB" % (RATE, SECONDS, LIMIT >> 20))
    print("%-10s %14s %14s %10s" % ("", "% of a core", "largest MiB", "complete"))
    for name, used, most, whole in rows:
        print("%-10s %14.1f %14.1f %10s" % (name, 100 * used, most / (1 << 20), {True: "yes", False: "NO", None: "-"}[whole]))


main()
