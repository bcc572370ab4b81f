"""The README's promises that a program can check; ``test_pages.py`` runs its blocks."""

import csv
import re
from collections import defaultdict
from pathlib import Path
from statistics import geometric_mean, mean

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT.joinpath("README.md").read_text()
HOME = ROOT.joinpath("docs", "index.md").read_text()
SMALLER = {"iris", "wine", "seeds", "connectionist", "glass"}
Rows = list[dict[str, str]]


def shell_blocks() -> list[str]:
    return re.findall(r"```(?:sh|bash|console)\n(.*?)```", README, flags=re.DOTALL)


def rows_of(name: str) -> Rows:
    """The rows of a file of the benchmarks, without the comments above them."""
    lines = ROOT.joinpath("benchmarks", name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def printed_seconds(method: str) -> dict[str, float]:
    """What was published of a method, by case."""
    return {row["case"]: float(row["seconds"]) for row in rows_of("published.csv") if row["method"] == method}


def times_as_long(rows: Rows) -> float:
    """Printed mean seconds of a configuration over ours, as a geometric mean over configurations."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups["/".join(row[key] for key in ("dataset", "constraint_type", "num_constraints"))].append(
            float(row["seconds"])
        )
    printed = printed_seconds("PC-SOS-SDP")
    return geometric_mean(printed[case] / mean(seconds) for case, seconds in groups.items())


def test_the_first_two_commands_are_what_ci_runs() -> None:
    script = ROOT.joinpath(".ci/run").read_text()
    install, test = shell_blocks()[:2]
    for line in [*install.splitlines(), *test.splitlines()]:
        assert line in script
    assert "pip install" in install
    assert "pcsos solve" in install
    assert "pytest" in test


def test_every_file_that_the_readme_names_exists() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README)
    used = re.findall(r"\b(?:instances|benchmarks|docs)/[\w./-]+\w", README)
    assert linked
    assert used
    assert [name for name in linked + used if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("page", [README, HOME], ids=["readme", "home"])
def test_proofs_with_pairs_are_as_fast_as_the_pages_say(page: str) -> None:
    rows = rows_of("results/constrained.csv")
    small = [row for row in rows if row["dataset"] in SMALLER]
    large = [row for row in rows if row["dataset"] not in SMALLER]
    assert all(row["outcome"] == "done" and float(row["gap"]) <= 1e-4 for row in rows)
    assert max(int(row["n_points"]) for row in rows) == 500
    minutes = sum(float(row["seconds"]) for row in rows) / 60.0
    found = re.search(r"all (\d+) proved,\s+in ([\d.]+) minutes", page)
    assert found is not None
    assert found.groups() == (str(len(rows)), f"{minutes:.2g}")
    shorter, longer = (f"{times_as_long(group):.0f}" for group in (small, large))
    assert f"{shorter} times as long on the smaller data sets, {longer} times on the larger ones" in " ".join(
        page.split()
    )


@pytest.mark.parametrize("page", [README, HOME], ids=["readme", "home"])
def test_a_million_points_take_as_long_as_the_pages_say(page: str) -> None:
    (row,) = (row for row in rows_of("results/plane.csv") if row["name"] == "drawn/n1000000_spread9")
    assert int(row["n_points"]) == 1_000_000
    gap, seconds, checked = (float(row[key]) for key in ("gap", "seconds", "verify_seconds"))
    assert f"certified to {gap:.1e} in {seconds:.0f} seconds".replace("e-0", "e-") in page
    assert f"verified in {checked:.0f} seconds" in page


def test_equal_sizes_take_as_long_as_the_readme_says() -> None:
    (row,) = (row for row in rows_of("results/sizes.csv") if row["name"] == "iris/50-50")
    assert row["outcome"] == "done"
    assert float(row["gap"]) <= 1e-4
    assert f"| {float(row['seconds']):#.2g} seconds |" in README
    rival, older = printed_seconds("CC-SOS-SDP")["iris/50-50"], printed_seconds("CPRBBA with sizes")["iris/50-"]
    assert f"CC-SOS-SDP, 14 threads: {rival:g} seconds; CPRBBA: {older:g} seconds" in README
