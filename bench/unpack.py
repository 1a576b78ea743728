#!/usr/bin/env python3
"""Unpacking an archive into a release, beside Debian's tar and unzip in the same run.

The archive has 2,000 small files and eight large ones, about 100 MB, half of which can be compressed. A release has
digests of all files and is synced; the peers are timed with a sync of what they wrote. The rounds alternate, the
first ones of each are not counted, and the agent's JVM flags are used. Needs python3, tar, unzip, zip and a built
clone (./verwalter --version && mvn -q -DskipTests package). Prints rows of a Markdown table.
"""
import glob
import hashlib
import os
import random
import shutil
import subprocess
import tempfile
import time

import flags
from figures import Figure, ratio_at_most, show
from processes import median

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
WARM_UP = 2


def tree(directory):
    chance = random.Random(1)
    for number in range(2000):
        path = "%s/small/%02d/%d.txt" % (directory, number % 50, number)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"a line of a small file\n" * chance.randrange(10, 400))
    for number in range(8):
        with open("%s/large%d" % (directory, number), "wb") as file:
            for _ in range(96):
                file.write(chance.randbytes(1 << 16))
                file.write(bytes(chance.randbytes(64)) * 1024)


def ours(directory, archive):
    jars = glob.glob(os.path.realpath(ROOT + "/.dist/lib") + "/agent/*.jar") + glob.glob(ROOT + "/bench/target/bench-*.jar")
    digest = hashlib.sha256(open(archive, "rb").read()).hexdigest()
    text = subprocess.run(["java", *flags.of_agent(), "-cp", ":".join(jars), "verwalter.bench.UnpackAlone", directory,
                           archive, digest, str(ROUNDS + WARM_UP)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [float(word) for word in text.split()][WARM_UP:]


def theirs(directory, command):
    times = []
    for _ in range(ROUNDS + WARM_UP):
        os.mkdir(directory)
        began = time.monotonic()
        subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["sync", "-f", directory], check=True)
        times.append(time.monotonic() - began)
        shutil.rmtree(directory)
    return times[WARM_UP:]


def figures():
    root = tempfile.mkdtemp(prefix="vw-bench-")
    try:
        tree(root + "/tree")
        rows = []
        for name, pack, unpack in (
                ("tar", ["tar", "-cf"], ["tar", "-xf"]),
                ("tar.gz", ["tar", "-czf"], ["tar", "-xzf"]),
                ("zip", ["zip", "-qr"], ["unzip", "-q"])):
            archive = "%s/bench.%s" % (root, name)
            subprocess.run(pack + [archive, "."], cwd=root + "/tree", check=True)
            peer = theirs(root + "/theirs", unpack + [archive])
            own = ours(root + "/ours-" + name, archive)
            rows.append(Figure("unpacking a %s of %d MB, median of %d" % (name, os.path.getsize(archive) >> 20, ROUNDS), "ms",
                               median(own) * 1000, " ".join(unpack), median(peer) * 1000, (ratio_at_most(1.3),)))
        return rows
    finally:
        shutil.rmtree(root)


if __name__ == "__main__":
    show(figures())
