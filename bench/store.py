#!/usr/bin/env python3
"""Durable writes with 1 and 16 clients, and the time from a write to its watcher: the agent's store
beside Debian's etcd-server, both over HTTP with the same client, in one run on one machine.

Needs: apt-get install etcd-server python3, and a built clone. Prints one JSON line each and the ratios.
"""
import base64
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECONDS = float(os.environ.get("BENCH_SECONDS", "5"))


class Refused(Exception):
    pass


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def connect(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def ask(connection, method, path, body=None, headers={}):
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    data = answer.read()
    if answer.status >= 300:
        raise Refused("%s %s: %d %s" % (method, path, answer.status, data[:300]))
    return data


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

    def write(self, connection, key, value):
        body = json.dumps({"key": base64.b64encode(key.encode()).decode(), "value": base64.b64encode(value.encode()).decode()})
        ask(connection, "POST", "/v3/kv/put", body)

    def watch(self, connection, key):
        body = json.dumps({"create_request": {"key": base64.b64encode(key.encode()).decode()}})
        connection.request("POST", "/v3/watch", body)
        return connection.getresponse()


class Ours:
    name = "verwalter"

    def start(self, root):
        self.port = free_port()
        os.makedirs(root + "/config/sandbox")
        os.makedirs(root + "/config/runtime")
        self.process = subprocess.Popen(
            [ROOT + "/verwalter", "--config-dir=" + root + "/config", "--storage-dir=" + root + "/storage",
             "--log-dir=" + root + "/log", "--port=%d" % self.port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def write(self, connection, key, value):
        # Events, since no controller watches them: this measures the store and not the scheduler.
        body = json.dumps({
            "apiVersion": "verwalter.io/v1", "kind": "Event", "metadata": {"name": key},
            "spec": {"regarding": {"kind": "Node", "name": "bench"}, "type": "Normal", "reason": "Bench", "message": value,
                     "count": 1, "first": "2026-01-01T00:00:00Z", "last": "2026-01-01T00:00:00Z", "reporter": "bench"}})
        try:
            patch = json.dumps({"spec": {"message": value}})
            ask(connection, "PATCH", "/apis/verwalter.io/v1/events/" + key, patch, {"Content-Type": "application/merge-patch+json"})
        except Refused:
            ask(connection, "POST", "/apis/verwalter.io/v1/events", body, {"Content-Type": "application/json"})

    def watch(self, connection, key):
        connection.request("GET", "/apis/verwalter.io/v1/events?watch=true&fieldSelector=metadata.name%3D" + key)
        return connection.getresponse()


def up(store):
    for _ in range(600):
        try:
            store.write(connect(store.port), "bench-first", "x")
            return
        except (OSError, Refused):
            time.sleep(0.1)
    raise SystemExit(store.name + " does not start")


def writes(store, clients):
    latencies, end = [], time.monotonic() + SECONDS

    def client(number):
        connection, count, mine = connect(store.port), 0, []
        while time.monotonic() < end:
            count += 1
            began = time.monotonic()
            store.write(connection, "bench-%d" % number, "%d-%d-" % (number, count) + "x" * 240)
            mine.append(time.monotonic() - began)
        latencies.extend(mine)

    threads = [threading.Thread(target=client, args=(i,)) for i in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    latencies.sort()
    return {"per_s": round(len(latencies) / SECONDS), "p50_ms": round(latencies[len(latencies) // 2] * 1000, 2),
            "p99_ms": round(latencies[int(len(latencies) * 0.99)] * 1000, 2)}


def watched(store):
    writer, key = connect(store.port), "bench-watched"
    store.write(writer, key, "first")
    answer = store.watch(connect(store.port), key)
    events = []

    def listen():
        while True:
            line = answer.readline()
            if not line:
                return
            events.append((time.monotonic(), line))

    threading.Thread(target=listen, daemon=True).start()
    time.sleep(1)
    latencies = []
    for i in range(300):
        before = len(events)
        began = time.monotonic()
        store.write(writer, key, "value-%d" % i)
        while len(events) == before:
            time.sleep(0.0001)
        latencies.append(events[before][0] - began)
        time.sleep(0.003)
    latencies.sort()
    return {"p50_ms": round(latencies[150] * 1000, 2), "p99_ms": round(latencies[297] * 1000, 2)}


def measure(store):
    root = tempfile.mkdtemp(prefix="vw-bench-")
    try:
        store.start(root)
        up(store)
        time.sleep(3)
        writes(store, 16)
        return {"store": store.name, "1 client": writes(store, 1), "16 clients": writes(store, 16), "watch": watched(store)}
    finally:
        store.process.terminate()
        store.process.wait()
        shutil.rmtree(root, ignore_errors=True)


def main():
    etcd, ours = measure(Etcd()), measure(Ours())
    for row in (etcd, ours):
        print(json.dumps(row))
    print("\nverwalter / etcd: writes with 1 client %.2fx, with 16 clients %.2fx; watch latency %.2fx"
          % (ours["1 client"]["per_s"] / etcd["1 client"]["per_s"],
             ours["16 clients"]["per_s"] / etcd["16 clients"]["per_s"],
             ours["watch"]["p50_ms"] / etcd["watch"]["p50_ms"]))


main()
