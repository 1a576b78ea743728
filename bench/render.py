#!/usr/bin/env python3
"""Renders 50 roles of 5 templates, changed and unchanged, and one role alone: our rendering beside
Debian's ansible (local connection) and a plain loop around Debian's python3-jinja2, the same
templates and the same variables in one run on one machine.

Ours renders, compares, writes all files of a role durably or none (one sync for all of them) and can
undo it after a crash; ansible compares and renames; the loop compares, writes a temporary file and
renames it.

Needs: apt-get install ansible-core python3-jinja2, and a built clone (./verwalter --version, then
mvn -q -DskipTests package).
"""
import glob
import json
import os
import subprocess
import tempfile
import time

import flags
from figures import Figure, at_most, show

ROLES, FILES, ROUNDS = 50, 5, int(os.environ.get("BENCH_RUNS", "20"))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

TEMPLATE = """# File {{ FILE }} of {{ role }}, generation {{ generation }}.
{% for backend in backends %}
server {{ backend.host }}:{{ backend.port }}{% if backend.weight > 1 %} weight={{ backend.weight }}{% endif %};
{% endfor %}
{% for name, value in settings.items() %}
{{ name }} = {{ value }}
{% endfor %}
"""

LOOP = """
import json, os, sys, time
import jinja2
directory, roles, files, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
variables = json.load(open(directory + "/variables.json"))
environment = jinja2.Environment(loader=jinja2.FileSystemLoader(directory + "/templates/app"), undefined=jinja2.StrictUndefined)
def one(role, generation):
    for number in range(files):
        text = environment.get_template("f%d.j2" % number).render(variables, role=role, generation=generation)
        path = directory + "/python/" + role + "." + str(number)
        try:
            with open(path) as file:
                if file.read() == text: continue
        except FileNotFoundError:
            pass
        with open(path + ".tmp", "w") as file: file.write(text)
        os.rename(path + ".tmp", path)
def timed(what):
    start = time.monotonic(); what(); return (time.monotonic() - start) * 1e3
def all_roles(generation):
    for role in range(roles): one("role%d" % role, generation)
def quantile(times, part):
    return sorted(times)[int((len(times) - 1) * part)]
os.mkdir(directory + "/python")
first = timed(lambda: all_roles(0))
changed = [timed(lambda: all_roles(i + 1)) for i in range(rounds)]
unchanged = [timed(lambda: all_roles(rounds)) for i in range(rounds)]
alone = [timed(lambda: one("role0", i)) for i in range(rounds * 10)]
same = [timed(lambda: one("role0", rounds * 10 - 1)) for i in range(rounds * 10)]
print(first, quantile(changed, .5), quantile(unchanged, .5), quantile(alone, .5), quantile(alone, .99), quantile(same, .5), quantile(same, .99))
"""


def prepare(directory):
    variables = {
        "backends": [{"host": "10.0.%d.%d" % (i // 250, i % 250), "port": 8000 + i, "weight": 1 + i % 3} for i in range(20)],
        "settings": {"setting_%02d" % i: "value %d" % (i * i) for i in range(10)},
    }
    with open(directory + "/variables.json", "w") as file:
        json.dump(variables, file)
    os.makedirs(directory + "/templates/app")
    os.mkdir(directory + "/out")
    recipe = ["templates:"] + ["  f%d: f%d.j2" % (i, i) for i in range(FILES)] + ["commands:"]
    for i in range(FILES):
        with open("%s/templates/app/f%d.j2" % (directory, i), "w") as file:
            file.write(TEMPLATE.replace("{{ FILE }}", str(i)))
        recipe.append('- !Copy {src: "{{ files.f%d }}", dest: "{{ config_dir }}/out/{{ role }}.%d", mode: 0o644}' % (i, i))
    with open(directory + "/templates/app/app.render.yaml", "w") as file:
        file.write("\n".join(recipe) + "\n")


def ours(directory):
    jars = glob.glob(os.path.realpath(ROOT + "/.dist/lib") + "/agent/*.jar") + glob.glob(ROOT + "/bench/target/bench-*.jar")
    return numbers(["java", *flags.of_agent(), "-cp", ":".join(jars), "verwalter.bench.RenderAlone",
                    directory, directory + "/variables.json", str(ROLES), str(ROUNDS)])


def loop(directory):
    return numbers(["/usr/bin/python3", "-c", LOOP, directory, str(ROLES), str(FILES), str(ROUNDS)])


def numbers(command):
    return [float(word) for word in subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.split()]


def ansible(directory):
    """A play with one task that renders every file; milliseconds of the whole command."""
    os.mkdir(directory + "/ansible")
    playbook = [{
        "hosts": "localhost", "connection": "local", "gather_facts": False, "vars_files": [directory + "/variables.json"],
        "tasks": [{
            "template": {"src": directory + "/templates/app/f{{ item.1 }}.j2", "dest": directory + "/ansible/role{{ item.0 }}.{{ item.1 }}"},
            "vars": {"role": "role{{ item.0 }}"},
            "loop": "{{ range(roles | int) | product(range(%d)) | list }}" % FILES,
        }]}]
    with open(directory + "/play.yaml", "w") as file:
        json.dump(playbook, file)

    def play(roles, generation):
        start = time.monotonic()
        subprocess.run(["/usr/bin/ansible-playbook", "-i", "localhost,", "-e", "generation=%d" % generation, "-e", "roles=%d" % roles,
                        directory + "/play.yaml"], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, PATH="/usr/bin:/bin", ANSIBLE_LOCALHOST_WARNING="False"))
        return (time.monotonic() - start) * 1e3

    first, changed, unchanged = play(ROLES, 0), play(ROLES, 1), play(ROLES, 1)
    alone, same = play(1, 2), play(1, 2)
    return [first, changed, unchanged, alone, alone, same, same]


def figures():
    with tempfile.TemporaryDirectory() as directory:
        prepare(directory)
        mine = ours(directory)
        loops, plays = loop(directory), ansible(directory)
    many, one = "%d roles of %d templates" % (ROLES, FILES), "1 role of %d templates" % FILES
    return [
        Figure(many + ", changed", "ms", mine[1], "ansible", plays[1], (at_most(300),)),
        Figure(many + ", changed", "ms", mine[1], "Jinja loop", loops[1]),
        Figure(many + ", unchanged", "ms", mine[2], "Jinja loop", loops[2]),
        Figure(one + ", changed, p50", "ms", mine[3], "Jinja loop", loops[3]),
        Figure(one + ", changed, p99", "ms", mine[4], "Jinja loop", loops[4], (at_most(20),)),
        Figure(one + ", unchanged, p50", "ms", mine[5], "Jinja loop", loops[5]),
        Figure("bytes written by rendering while nothing changed", "bytes", mine[7], aims=(at_most(0),)),
        Figure("later check of all roles, while nobody waits", "ms", mine[8]),
    ]


if __name__ == "__main__":
    show(figures())
