"""The claims of Vouros and Vasilaki (2021), each beside what came out here, and whether it was reproduced."""

from collections.abc import Sequence
from itertools import product
from statistics import fmean

from benchmarks.case import Row
from benchmarks.tables import table
from pcsos.clusterers.selection import SignedRanks, signed_ranks

#: The p-values that the paper states for PCSKM against each method, as far as they make sense.
RIVALS = {"LKM": 1e-10, "SKM": 1e-10, "PCKM": 1e-10, "MPCKM": 1e-3}
#: Methods that pairs make a difference to, and starts that do not need pairs.
CONSTRAINED = ("PCKM", "MPCKM", "PCSKM")
UNSEEDED = ("dkm++", "robin", "maximin")
#: First kind, second kind, the one that the paper finds better (None: neither), and its p-value.
KINDS = (
    ("must-link", "cannot-link", "cannot-link", 0.01),
    ("must-link", "both", "both", 0.001),
    ("cannot-link", "both", None, 0.1),
)
HEADER = ("claim", "conditions", "better", "worse", "mean difference", "p", "reproduced")


def claims(scored: list[Row], weighed: list[Row], shares: Sequence[float]) -> str:
    """Return a line for each claim: who was better how often, and the p-value of the signed ranks."""
    lines = []
    for variant, (rival, limit) in product(("PCSKM", "PCSKM-released", "PCSKM-random"), RIVALS.items()):
        told = [row for row in scored if row["kind"] == "both" or variant != "PCSKM-random"]
        ours, theirs = ([mean(row, method, shares) for row in told] for method in (variant, rival))
        lines.append(line(f"{variant} beats {rival}, p < {limit:g}", ours, theirs, limit, is_first_better=True))
    for method, rows in {"PCKM": scored, "PCSKM": [row for row in scored if row["kind"] == "both"]}.items():
        ours, theirs = ([mean(row, name, shares) for row in rows] for name in (method, f"{method}-random"))
        lines.append(line(f"{method}: the order does not matter, p > 0.05", ours, theirs, 0.05, is_first_better=None))
    for some, rows in datasets_of(scored).items():
        for first, second, better, limit in KINDS:
            ours, theirs = (of_kind(rows, kind, shares) for kind in (first, second))
            if better is None:
                name = f"{first} only and {second} do not differ, p > {limit:g}{some}"
            else:
                name = f"{first} only is worse than {second}, p < {limit:g}{some}"
            is_first_better = None if better is None else False
            lines.append(line(name, ours, theirs, limit, is_first_better=is_first_better))
    return f"{table(HEADER, lines)}\n\n{table(('claim', 'noise share', 'runs without noise'), noise_lines(weighed))}"


def datasets_of(rows: list[Row]) -> dict[str, list[Row]]:
    """Return the rows of all data sets, and those of the digits, for which the paper makes an exception."""
    return {"": rows, " (digits)": [row for row in rows if str(row["dataset"]).startswith("digits")]}


def percent(share: float) -> str:
    """Return a share of the pairs as it stands in the names of columns."""
    return f"{100.0 * share:g}%"


def mean(row: Row, method: str, shares: Sequence[float]) -> float:
    """Return the F of a method under one condition, averaged over the shares of pairs."""
    return fmean(row[f"{method} {percent(share)} mean"] for share in shares)


def of_kind(rows: list[Row], kind: str, shares: Sequence[float]) -> list[float]:
    """Return the F of each constrained method, data set and start with pairs of this kind."""
    chosen = {(row["dataset"], row["init"]): row for row in rows if row["kind"] == kind and row["init"] in UNSEEDED}
    return [mean(chosen[key], method, shares) for key, method in product(sorted(chosen), CONSTRAINED)]


def line(
    name: str, first: list[float], second: list[float], limit: float, *, is_first_better: bool | None
) -> tuple[object, ...]:
    """Return the line of one comparison; None stands for a difference that is not to be seen."""
    if not first:
        return name, 0, None, None, None, None, "no data"
    ranks = signed_ranks(first, second)
    difference = fmean(first) - fmean(second)
    holds = (
        ranks.p_value > limit
        if is_first_better is None
        else ranks.p_value < limit and (difference > 0.0) == is_first_better
    )
    return (name, len(first), ranks.better, ranks.worse, f"{difference:+.4f}", shown(ranks), "yes" if holds else "no")


def shown(ranks: SignedRanks) -> str:
    """Return a p-value with two digits."""
    return f"{ranks.p_value:.2g}"


def noise_lines(rows: list[Row]) -> list[tuple[str, str, str]]:
    """Return what noise features weigh with each method, averaged over data sets and starts."""
    lines = []
    for method, claim in (("SKM", "0"), ("PCSKM", "0"), ("MPCKM", "not 0")):
        if rows:
            share, none = (fmean(row[f"{method} {what}"] for row in rows) for what in ("noise_share", "all_noise_zero"))
            lines.append((f"{method}: weight of noise is {claim}", f"{share:.4f}", f"{none:.1%}"))
    return lines
