#!/usr/bin/python3
"""Renders the cases of resources/jinja with the real Jinja and prints `name: output` for each; `!` if it refuses.

To store what it prints:  render/src/test/jinja/recheck.py > render/src/test/resources/jinja/expected.txt
"""
import json
import pathlib
import sys

import jinja2

home = pathlib.Path(__file__).resolve().parent.parent / "resources" / "jinja"


def ordered(value):
    """Maps in the order of their keys, as our engines go through them."""
    if isinstance(value, dict):
        return {key: ordered(value[key]) for key in sorted(value)}
    return [ordered(each) for each in value] if isinstance(value, list) else value


def rendered(environment, template):
    variables = ordered(json.loads((home / "variables.json").read_text("utf-8")))
    try:
        text = environment.from_string(template).render(variables)
    except Exception:  # whatever it refuses a template with
        return "!"
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def main():
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        loader=jinja2.FileSystemLoader(home / "library"),
    )
    sys.stdout.reconfigure(encoding="utf-8")
    for line in (home / "cases.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, template = line.split(": ", 1)
            template = template.replace("\\n", "\n").replace("\\t", "\t")
            print(f"{name}: {rendered(environment, template)}")


main()
