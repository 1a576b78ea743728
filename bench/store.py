#!/usr/bin/env python3
"""Durable writes with 1 and 16 clients, and the time from a write to its watcher: the agent's store
beside Debian's etcd-server, both over HTTP with the same client, in one run on one machine.

Both servers run during the whole measurement and are measured in turns, so that both share the
moods of the disk. The client is one thread with plain sockets, since Python's threads would wait
for each other longer than for the servers.

Needs: apt-get install etcd-server python3, and a built clone. Prints a
table. BENCH_SECONDS is the length of a turn, BENCH_ROUNDS the number of turns of each.
"""
import base64
import gc
import json
import os
import selectors
import shutil
import socket
import subprocess
import tempfile
import time

from figures import Figure, ratio_at_least, ratio_at_most, show

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = float(os.environ.get("BENCH_SECONDS", "2"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
WARM_UP = float(os.environ.get("BENCH_WARM_UP", "8"))
WATCHED = 100
KEYS = 17


class Refused(Exception):
    pass


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def request(method, path, body, kind="application/json"):
    head = "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
    return (head % (method, path, kind, len(body)) + body).encode()


class Connection:
    """A kept connection with at most one request under way."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.data = b""
        self.begin = self.wanted = 0

    def send(self, message):
        self.socket.sendall(message)

    def receive(self):
        """Reads once. Returns the body of the response once it is complete, else None."""
        more = self.socket.recv(1 << 16)
        if not more:
            raise OSError("the server closed the connection")
        self.data += more
        if not self.wanted:
            end = self.data.find(b"\r\n\r\n")
            if end < 0:
                return None
            head = self.data[:end].lower()
            at = head.find(b"\r\ncontent-length:")
            if at < 0:
                raise Refused("a response without a length: %r" % head)
            self.begin = end + 4
            self.wanted = self.begin + int(head[at + 17:].split(b"\r\n", 1)[0])
        if len(self.data) < self.wanted:
            return None
        status = int(self.data[9:12])
        answer, self.data, self.wanted = self.data[:self.wanted], self.data[self.wanted:], 0
        if status >= 300:
            raise Refused(answer[-700:])
        return answer[self.begin:]

    def ask(self, message):
        self.send(message)
        while True:
            answer = self.receive()
            if answer is not None:
                return answer


class Etcd:
    name = "etcd"

    def start(self, root):
        self.port = free_port()
        peer = free_port()
        url = "http://127.0.0.1:%d" % self.port
        self.process = subprocess.Popen(
            ["etcd", "--data-dir", root, "--listen-client-urls", url, "--advertise-client-urls", url,
             "--listen-peer-urls", "http://127.0.0.1:%d" % peer, "--initial-advertise-peer-urls", "http://127.0.0.1:%d" % peer,
             "--initial-cluster", "default=http://127.0.0.1:%d" % peer],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def keys(self, connection):
        connection.ask(self.write("bench", "first"))
        return ["bench-%d" % number for number in range(KEYS)]

    def write(self, key, value):
        return request("POST", "/v3/kv/put", json.dumps(
            {"key": base64.b64encode(key.encode()).decode(), "value": base64.b64encode(value.encode()).decode()}))

    def mark(self, value):
        return base64.b64encode(value.encode()).rstrip(b"=")[:-1]

    def watch(self, key):
        return request("POST", "/v3/watch", json.dumps({"create_request": {"key": base64.b64encode(key.encode()).decode()}}))


class Ours:
    name = "verwalter"

    def start(self, root):
        self.port = free_port()
        os.makedirs(root + "/config/sandbox")
        for number in range(KEYS):  # each causes an Event, see keys
            os.makedirs(root + "/config/runtime/bench-%d" % number)
            with open(root + "/config/runtime/bench-%d/1.yaml" % number, "w") as file:
                file.write("\t")
        self.process = subprocess.Popen(
            [ROOT + "/verwalter", "--config-dir=" + root + "/config", "--storage-dir=" + root + "/storage",
             "--log-dir=" + root + "/log", "--port=%d" % self.port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def keys(self, connection):
        """Events, since no controller watches them: this measures the store and not the scheduler."""
        found = json.loads(connection.ask(request("GET", "/apis/verwalter.io/v1/events", "")))["items"]
        return [event["metadata"]["name"] for event in found]

    def write(self, key, value):
        return request("PATCH", "/apis/verwalter.io/v1/events/" + key, json.dumps({"metadata": {"annotations": {"bench": value}}}),
                       "application/merge-patch+json")

    def mark(self, value):
        return value.encode()

    def watch(self, key):
        return request("GET", "/apis/verwalter.io/v1/events?watch=true&fieldSelector=metadata.name%3D" + key, "")


def keys(store):
    for _ in range(300):
        try:
            found = store.keys(Connection(store.port))
            if len(found) >= KEYS:
                return found
        except (OSError, Refused):
            pass
        time.sleep(0.1)
    raise SystemExit(store.name + " does not start")


class Bench:
    """The connections to one server, and the latencies that were measured."""

    def __init__(self, store):
        self.store = store
        names = keys(store)
        self.connections = [Connection(store.port) for _ in range(16)]
        for connection, name in zip(self.connections, names):
            connection.key = name
            connection.ask(store.write(name, "first"))
        self.writer, self.watcher = Connection(store.port), Connection(store.port)
        self.writer.key = names[16]
        self.writer.ask(store.write(self.writer.key, "first"))
        self.watcher.send(store.watch(self.writer.key))
        self.count = 0
        self.clear()

    def clear(self):
        self.latencies = {1: [], 16: []}
        self.seconds = {1: 0, 16: 0}
        self.watched = []

    def next(self, connection):
        self.count += 1
        return self.store.write(connection.key, "%d-" % self.count + "x" * 240)

    def writes(self, clients, seconds):
        latencies, began = self.latencies[clients], {}
        with selectors.DefaultSelector() as selector:
            start = time.monotonic()
            for connection in self.connections[:clients]:
                selector.register(connection.socket, selectors.EVENT_READ, connection)
                began[connection] = time.monotonic()
                connection.send(self.next(connection))
            while began:
                for ready, _ in selector.select():
                    connection = ready.data
                    if connection.receive() is None:
                        continue
                    now = time.monotonic()
                    latencies.append(now - began.pop(connection))
                    if now - start < seconds:
                        message = self.next(connection)
                        began[connection] = time.monotonic()
                        connection.send(message)
            self.seconds[clients] += time.monotonic() - start

    def watch(self):
        with selectors.DefaultSelector() as selector:
            for connection in (self.writer, self.watcher):
                selector.register(connection.socket, selectors.EVENT_READ, connection)
            for _ in range(WATCHED):
                time.sleep(0.003)
                self.count += 1
                value = "value-%d-" % self.count
                sought = self.store.mark(value)
                message = self.store.write(self.writer.key, value)
                seen, answered, events = None, False, b""
                began = time.monotonic()
                self.writer.send(message)
                while not seen or not answered:
                    for ready, _ in selector.select():
                        if ready.data is self.writer:
                            answered = self.writer.receive() is not None
                        else:
                            events += self.watcher.socket.recv(1 << 16)
                            if not seen and sought in events:
                                seen = time.monotonic()
                self.watched.append(seen - began)

    def result(self):
        row = {"store": self.store.name}
        for clients in (1, 16):
            row["%d client%s" % (clients, "" if clients == 1 else "s")] = dict(
                {"per_s": round(len(self.latencies[clients]) / self.seconds[clients])}, **quantiles(self.latencies[clients]))
        return dict(row, watch=quantiles(self.watched))


def quantiles(latencies):
    ordered = sorted(latencies)
    return {"p%s_ms" % name: round(ordered[int(len(ordered) * part)] * 1000, 2) for name, part in (("50", 0.5), ("99", 0.99), ("99.9", 0.999))}


def figures():
    gc.disable()
    stores = [Etcd(), Ours()]
    roots = []
    try:
        for store in stores:
            roots.append(tempfile.mkdtemp(prefix="vw-bench-"))
            store.start(roots[-1])
        benches = [Bench(store) for store in stores]
        time.sleep(3)
        for bench in benches:
            bench.writes(16, WARM_UP / 2)
            bench.writes(1, WARM_UP / 2)
            bench.watch()
            bench.clear()
        for _ in range(ROUNDS):
            for clients in (1, 16):
                for bench in benches:
                    time.sleep(0.2)
                    bench.writes(clients, SECONDS)
            for bench in benches:
                bench.watch()
        rows = [bench.result() for bench in benches]
    finally:
        gc.enable()
        for store in stores:
            if hasattr(store, "process"):
                store.process.terminate()
                store.process.wait()
        for root in roots:
            shutil.rmtree(root, ignore_errors=True)
    etcd, ours = rows
    found = []
    for clients, least in ((1, 1.5), (16, 2)):
        part = "%d client%s" % (clients, "" if clients == 1 else "s")
        found += [
            Figure("durable writes, " + part, "/s", ours[part]["per_s"], "etcd", etcd[part]["per_s"], (ratio_at_least(least),)),
            Figure("the slowest writes, p99, " + part, "ms", ours[part]["p99_ms"], "etcd", etcd[part]["p99_ms"], (ratio_at_most(1),)),
        ]
    return found + [
        Figure("write to watcher, " + part, "ms", ours["watch"][part + "_ms"], "etcd", etcd["watch"][part + "_ms"], (ratio_at_most(1),))
        for part in ("p50", "p99")]


if __name__ == "__main__":
    show(figures())
