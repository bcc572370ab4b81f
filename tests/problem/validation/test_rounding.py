"""Numbers that no double is, against rational arithmetic on what was given."""

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.cli import main
from pcsos.io.points import read_table, read_weights
from pcsos.problem.instance import Instance
from pcsos.problem.validation.rounding import Rounded
from pcsos.verify import verify
from pcsos.verify.command import main as alone
from tests.oracle import all_partitions

SMALL = "integers", "int64", "uint64", "mixed", "frame", "fractions"
KINDS = (*SMALL, "decimals", "longdouble", "text", "npy", "parquet", "parquet decimals")


@cache
def partitions(n: int, k: int) -> list[list[list[int]]]:
    """Return all partitions of n points into k clusters, as lists of clusters."""
    return [[[p for p in range(n) if labels[p] == c] for c in range(k)] for labels in all_partitions(n, k)]


def exact_cost(rows: list[list[Fraction]], masses: list[Fraction], clusters: list[list[int]]) -> Fraction:
    total = Fraction(0)
    for own in clusters:
        for column in zip(*(rows[p] for p in own), strict=True):
            weighed = list(zip((masses[p] for p in own), column, strict=True))
            mass, moment = sum(w for w, _ in weighed), sum(w * x for w, x in weighed)
            total += sum(w * x * x for w, x in weighed) - moment**2 / mass
    return total


def drawn(rng: np.random.Generator, kind: str) -> list[list[Fraction]]:
    """Return numbers that the kind can hold, often near one another and far from 0."""
    n, d = int(rng.integers(4, 7)), int(rng.integers(1, 3))
    whole = kind in ("integers", "int64", "uint64", "mixed", "frame", "parquet") or rng.random() < 0.2
    bits = int(rng.choice([0, 10, 30, 50, 53, 54, 60, 62]))
    offset = int(rng.integers(2**bits)) if rng.random() < 0.8 else 0
    spread = 10 ** int(rng.integers(1, 12 if rng.random() < 0.8 else 18))
    digits = 0 if whole else int(rng.integers(1, 20))
    sign = 1 if kind == "uint64" or rng.random() < 0.7 else -1
    values = [[sign * (offset + Fraction(int(rng.integers(spread)), 10**digits)) for _ in range(d)] for _ in range(n)]
    if rng.random() < 0.2:
        values[0] = values[1]
    return values


def held(rows: list[list[Fraction]], kind: str, folder: Path) -> tuple[object, list[list[Fraction]]]:
    """Return points as somebody would give them, and what they are then, exactly."""
    if kind == "longdouble":
        array = np.array([[np.longdouble(x.numerator) / np.longdouble(x.denominator) for x in row] for row in rows])
        return array, [[Fraction(*x.as_integer_ratio()) for x in row] for row in array]
    if kind in ("decimals", "parquet decimals", "text"):
        texts = [[f"{Decimal(x.numerator) / Decimal(x.denominator):f}" for x in row] for row in rows]
        return as_decimals(texts, kind, folder), [[Fraction(x) for x in row] for row in texts]
    half = [Fraction(1, 2)] if kind in ("mixed", "frame") else []
    whole = [[int(x) for x in row] for row in rows]
    exact = rows if kind == "fractions" else [[*map(Fraction, row), *half] for row in whole]
    if kind in SMALL:
        given = {
            "integers": lambda: whole,
            "int64": lambda: np.array(whole, np.int64),
            "uint64": lambda: np.array(whole, np.uint64),
            "mixed": lambda: [[*row, 0.5] for row in whole],
            "frame": lambda: pd.DataFrame(whole).assign(half=0.5),
            "fractions": lambda: rows,
        }
        return given[kind](), exact
    if kind == "npy":
        np.save(folder / "x.npy", np.array(whole, np.int64))
        return folder / "x.npy", exact
    pd.DataFrame({f"x{j}": [row[j] for row in whole] for j in range(len(whole[0]))}).to_parquet(folder / "x.parquet")
    return folder / "x.parquet", exact


def as_decimals(texts: list[list[str]], kind: str, folder: Path) -> object:
    """Return points of decimal fractions, written out."""
    if kind == "text":
        folder.joinpath("x.csv").write_text("\n".join(map(",".join, texts)))
        return folder / "x.csv"
    decimals = [[Decimal(x) for x in row] for row in texts]
    if kind == "decimals":
        return decimals
    pd.DataFrame(decimals, columns=[f"x{j}" for j in range(len(decimals[0]))]).to_parquet(folder / "x.parquet")
    return folder / "x.parquet"


def judged(seed: int, folder: Path) -> str:
    """Solve a drawn instance and hold what is claimed against the numbers given; return what became of it."""
    rng = np.random.default_rng(seed)
    kind, k = KINDS[seed % len(KINDS)], int(rng.integers(2, 4))
    given, rows = held(drawn(rng, kind), kind, folder)
    masses = [Fraction(1)] * len(rows)
    weights = None
    if rng.random() < 0.3:
        masses = [Fraction(int(rng.integers(1, 50)), int(rng.choice([1, 3, 10]))) for _ in rows]
        weights = masses
    result = None
    with suppress(InputError):
        if isinstance(given, Path):
            table = read_table(given, header=None if given.suffix != ".csv" else False)
            given = Rounded(table.points, table.off())
        instance = Instance(given, k, weights=weights)
        result = pcsos.solve(instance)
    if result is None:
        return "refused"
    costs = [exact_cost(rows, masses, clusters) for clusters in partitions(len(rows), k)]
    best = min(costs)
    assert result.lower_bound <= best, (seed, kind, result.lower_bound, float(best))
    own = exact_cost(rows, masses, [[p for p in range(len(rows)) if result.labels[p] == c] for c in range(k)])
    stated = instance.cost_error(result.objective) + 1e-11 * result.objective
    assert abs(own - Fraction(result.objective)) <= stated, (seed, kind, float(own), result.objective)
    if result.status == "OPTIMAL":
        assert own <= best * Fraction(1 + 2e-4) + Fraction(stated), (seed, kind, float(own), float(best))
    return "charged" if instance.cost_error(1.0) else "exact"


@pytest.mark.parametrize("first", [0, *(pytest.param(own, marks=pytest.mark.slow) for own in range(100, 1000, 100))])
def test_what_is_proved_is_true_of_the_numbers_that_were_given(first, tmp_path):
    outcomes = [judged(seed, tmp_path) for seed in range(first, first + 100)]
    assert {"refused", "charged", "exact"} == set(outcomes)


@pytest.mark.parametrize(
    "points",
    [
        [[2**53], [2**53 + 1], [0], [1]],
        np.array([2**53, 2**53 + 1, 0, 1]),
        [[2**53 + 1, 0.5], [2**53, 0.5], [0, 0.5]],
        [Decimal("1700000000.0000001"), Decimal("1700000000.0000002"), Decimal("1700000000.0000005")],
        [Fraction(10**20, 3), Fraction(10**20 + 1, 3), Fraction(10**20 + 2, 3)],
    ],
)
def test_numbers_of_which_too_much_is_lost_are_refused_by_their_place(points):
    with pytest.raises(
        InputError, match=r"^points\[\d(, \d)?\] is .*, which double precision rounds by .*; .*yourself$"
    ):
        pcsos.solve(points, 2)


def test_times_in_nanoseconds_are_exact_once_a_constant_is_taken_off():
    times = 1_700_000_000_000_000_000 + np.array([0, 100, 200, 500, 600, 900])
    with pytest.raises(InputError, match="such as 1700000000000000000, or round"):
        pcsos.solve(times, 2)
    result = pcsos.solve(times - times.min(), 2)
    assert result.objective == pytest.approx(106666.66666667)
    coarse = times // 256 * 256  # which doubles hold
    assert pcsos.solve(coarse, 2).objective == pcsos.solve(coarse - coarse.min(), 2).objective


@pytest.mark.parametrize("last", ["1700000000000000500", "17000000000000005e2", "1700000000000000001.0"])
def test_a_text_with_more_digits_than_doubles_is_refused_by_its_line(last, tmp_path, capsys):
    path = tmp_path / "times.csv"
    path.write_text(f"1700000000000000000\n1700000000000000256\n{last}\n")
    assert main(["solve", str(path), "-k", "2"]) == 2
    assert f"{path} line 3" in (said := capsys.readouterr().err)
    assert "double precision rounds by" in said


def test_decimals_are_charged_wherever_a_run_is_gone_on_with_or_checked(tmp_path, capsys):
    path, run = tmp_path / "x.csv", tmp_path / "x.run"
    path.write_text("100000000.1\n100000000.2\n100000000.4\n100000001.7\n100000001.9\n")
    assert main(["solve", str(path), "-k", "2", "--run-file", str(run), "--quiet"]) == 0
    solved = pcsos.resume(run)
    rows = [[Fraction(line)] for line in path.read_text().split()]
    best = min(exact_cost(rows, [Fraction(1)] * 5, clusters) for clusters in partitions(5, 2))
    assert solved.lower_bound < best < solved.lower_bound * (1 + 1e-6)
    assert verify(run, np.array(rows, float), ([], [])).lower_bound > best  # of the doubles
    for program in (main, alone):
        words = ["verify"] if program is main else []
        assert program([*words, str(run), "--points", str(path), *(["-k", "2"])]) == 0
        bound = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("verified lower bound"))
        assert float(bound.split()[-1]) <= best


def test_what_doubles_hold_is_charged_nothing():
    for points in (
        [[0.1], [0.2]],
        [[1], [2**53]],
        np.float32([[0.1], [3]]),
        [Fraction(1, 2), 4, Decimal(3)],
        [True, False],
    ):
        assert Instance(points, 1).geometry.off == 0.0


def test_estimators_refuse_whole_numbers_that_no_double_is():
    with pytest.raises(InputError, match=r"^X\[1, 0\] is 9007199254740993, "):
        pcsos.CertifiedKMeans(2).fit(np.array([[2**53], [2**53 + 1], [0], [1]]))


def test_tables_of_polars_keep_their_decimals_beside_doubles():
    rows = [
        Decimal(x) for x in ("4503599627370496.4", "4503599627370496.6", "4503599627370500.4", "4503599627370500.6")
    ]
    with pytest.raises(InputError, match=r"which double precision rounds by 0\.4"):
        pcsos.solve(pl.DataFrame({"a": pl.Series(rows, dtype=pl.Decimal(38, 4)), "b": [0.0] * 4}), 2)
    assert Instance(pl.DataFrame({"a": [Decimal("0.1"), Decimal("0.3")], "b": [0.0, 1.0]}), 1).geometry.off > 0.0


def test_different_numbers_that_become_one_double_are_refused(tmp_path, capsys):
    for first, second in (("500046.17300000000417386", "500046.1730000000000829821"), ("1e-400", "2e-400")):
        (path := tmp_path / "x.csv").write_text(f"{first}\n{second}\n7.25\n8.5\n")
        assert main(["solve", str(path), "-k", "3"]) == 2
        assert "does not tell from" in capsys.readouterr().err


def test_digits_of_other_scripts_are_no_numbers(tmp_path, capsys):
    (path := tmp_path / "x.csv").write_text("\uff11.5\n2.5\n3.5\n")
    assert main(["solve", str(path), "-k", "2"]) == 2
    assert "line 1" in capsys.readouterr().err


def test_a_constant_column_costs_no_check(tmp_path):
    path, run = tmp_path / "x.csv", tmp_path / "x.run"
    path.write_text("x,t\n" + "".join(f"{x},1700000000000000001\n" for x in (0, 1, 10, 11)))
    assert main(["solve", str(path), "-k", "2", "--run-file", str(run), "--quiet"]) == 0
    assert alone([str(run), "--points", str(path), "--quiet"]) == 0


def test_weights_next_to_whole_numbers_and_gaps_of_rounded_costs_are_charged():
    weight = Fraction(2**55 - 1, 2**55)
    assert Fraction(pcsos.solve([[0], [1], [10], [11]], 2, weights=[weight] * 4).lower_bound) <= weight
    square = Instance(Rounded(np.array([[0.1], [0.3], [5.1], [5.3]]), 1e-9), 2)
    assert square.gap(1.0, 1.0 - 1e-9) > 2e-9


LIGHT = "0.99999999999999999"


@pytest.mark.parametrize("kind", ["text", "column", "long double", "decimal", "parquet"])
def test_weights_that_become_whole_are_charged_for(kind: str, tmp_path: Path) -> None:
    points, weights = [0.0, 1.0, 5.0, 6.0, 20.0], Fraction(LIGHT)
    truth = min(exact_cost([[Fraction(x)] for x in points], [weights] * 5, clusters) for clusters in partitions(5, 2))
    given = {"long double": np.array([np.longdouble(LIGHT)] * 5), "decimal": [Decimal(LIGHT)] * 5}.get(kind)
    if kind == "text":
        (tmp_path / "weights.txt").write_text(f"{LIGHT}\n" * 5)
        given = read_weights(tmp_path / "weights.txt", 5)
    if kind == "column":
        (tmp_path / "points.csv").write_text("x,w\n" + "".join(f"{x},{LIGHT}\n" for x in points))
        given = read_table(tmp_path / "points.csv", weights_column="w").weights
    if kind == "parquet":
        pd.DataFrame({"x": points, "w": [Decimal(LIGHT)] * 5}).to_parquet(tmp_path / "points.parquet")
        given = read_table(tmp_path / "points.parquet", weights_column="w").weights
    result = pcsos.solve(points, 2, weights=given, workers=1)
    assert Fraction(result.lower_bound) <= truth
    assert result.gap is not None
    assert result.gap > 0.0


def test_both_programs_that_check_read_such_weights_alike(tmp_path: Path) -> None:
    (tmp_path / "points.txt").write_text("x\n0\n1\n5\n6\n20\n")
    (tmp_path / "weights.txt").write_text(f"{LIGHT}\n" * 5)
    path, files = str(tmp_path / "a.run"), [str(tmp_path / "points.txt"), str(tmp_path / "weights.txt")]
    assert main(["solve", files[0], "-k", "2", "--weights", files[1], "--run-file", path, "--quiet"]) == 0
    assert main(["verify", path, "--points", files[0], "--weights", files[1]]) == 0
    assert alone([path, "--points", files[0], "--weights", files[1]]) == 0


def test_the_gap_with_inner_products_counts_what_these_may_be_off() -> None:
    x = [100345351, 100364343, 100375941, 100403452]
    result = pcsos.solve(pcsos.Gram([[a * b for a in x] for b in x]), 2, workers=1, gap=1e-6)
    assert result.labels is not None
    clusters = [np.flatnonzero(result.labels == c).tolist() for c in range(2)]
    cost = exact_cost([[Fraction(a)] for a in x], [Fraction(1)] * 4, clusters)
    assert result.gap is not None
    assert Fraction(result.gap) >= (cost - Fraction(result.lower_bound)) / cost
