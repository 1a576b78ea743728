"""The options of the Java machine that ./verwalter runs the agent with, for parts of it alone."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def of_agent():
    with open(os.path.join(ROOT, "verwalter")) as file:
        call = file.read().partition("launch agent verwalter.agent.Main")[2]
    options = call.split('"')[1].replace("\\\n", " ")
    return re.sub(r"\$\{[^}]*\}", "", options).split()
