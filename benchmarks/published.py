"""Printed figures beside which ours stand; ``benchmarks/published.csv`` names the source of each."""

import csv
from pathlib import Path

FILE = Path(__file__).with_name("published.csv")


def seconds(method: str) -> dict[str, float]:
    """Return the published seconds of a method, by case."""
    return _column(method, "seconds")


def solved(method: str) -> dict[str, float]:
    """Return the share of the instances that a method is printed to have solved, in percent, by case."""
    return _column(method, "solved_percent")


def _column(method: str, column: str) -> dict[str, float]:
    with FILE.open(newline="", encoding="utf-8") as stream:
        return {row["case"]: float(row[column]) for row in csv.DictReader(stream) if row["method"] == method}
