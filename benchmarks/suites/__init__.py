"""The suites, by name: each answers a question, most of them a section of the page of benchmarks."""

import importlib
from typing import cast

from benchmarks.case import Suite

NAMES = (
    "constrained",
    "unconstrained",
    "plane",
    "large",
    "sizes",
    "soft",
    "heuristics",
    "rivals",
    "clusterers",
    "trust",
    "robustness",
    "memory",
)


def suite_named(name: str) -> Suite:
    """Return the module of a suite."""
    return cast(Suite, importlib.import_module(f"benchmarks.suites.{name}"))
