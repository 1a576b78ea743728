"""A measured figure with its peer and its aim, and the table of many."""
import dataclasses
import os
import typing


@dataclasses.dataclass(frozen=True)
class Aim:
    """A bound on our value, or on the ratio of our value to the peer's."""

    bound: float
    most: bool = True
    ratio: bool = True

    def met(self, value):
        return value <= self.bound if self.most else value >= self.bound

    def text(self, unit):
        return "%s %s%s" % ("≤" if self.most else "≥", short(self.bound), " ×" if self.ratio else " " + unit)


def ratio_at_most(bound):
    return Aim(bound)


def ratio_at_least(bound):
    return Aim(bound, most=False)


def at_most(bound):
    return Aim(bound, ratio=False)


@dataclasses.dataclass(frozen=True)
class Figure:
    """One row: our value and the peer's in the same unit. A figure without a peer has an absolute aim."""

    what: str
    unit: str
    ours: float
    peer: str = ""
    theirs: typing.Optional[float] = None
    aims: typing.Tuple[Aim, ...] = ()

    def ratio(self):
        return self.ours / self.theirs if self.theirs else None

    def misses(self):
        """The aims that the figure misses, as text."""
        return [aim.text(self.unit) for aim in self.aims
                if not aim.met(self.ratio() if aim.ratio else self.ours)]

    def cells(self):
        theirs = "" if self.theirs is None else "%s %s %s" % (self.peer, short(self.theirs), self.unit)
        ratio = "" if self.ratio() is None else short(self.ratio())
        missed = self.misses()
        verdict = "" if not self.aims else "misses " + ", ".join(missed) if missed else "yes"
        aims = ", ".join(aim.text(self.unit) for aim in self.aims)
        return [self.what, theirs, "%s %s" % (short(self.ours), self.unit), ratio, aims, verdict]


def short(value):
    """Three significant digits, without an exponent."""
    if value == 0:
        return "0"
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    text = "{:,.{}f}".format(value, digits if abs(value) >= 0.1 else 3)
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(figures):
    """The figures as a Markdown table."""
    rows = [["What", "Peer", "Verwalter", "Ratio", "Aim", "Met"], ["---"] * 6]
    rows += [figure.cells() for figure in figures]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def show(figures):
    """Prints the table of one script, and the load of the machine."""
    print(table(figures))
    print("load of the machine: %.1f on %d cores" % (os.getloadavg()[0], os.cpu_count()))
