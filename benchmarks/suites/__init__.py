"""The suites, by name."""

import importlib
from typing import cast

from benchmarks.case import Suite

NAMES = (
    "published",
    "certify",
    "unconstrained",
    "tsplib",
    "instances",
    "engines",
    "scaling",
    "trace",
    "executors",
    "oracle",
    "dealings",
    "hostile",
    "forged",
    "confused",
    "announced",
    "memory",
    "verified",
    "checkers",
    "disagreements",
    "kill",
    "interrupt",
    "memetic",
    "variants",
    "constrained_kmeans",
    "comparators",
    "synthetic",
    "dense",
    "hybrid_de",
    "pcskm",
    "mcssgc",
    "mcssgc_questions",
    "active",
    "path",
    "plane",
    "balanced",
    "sizes",
    "soft_optimum",
    "soft_confidence",
    "soft_defaults",
)


def suite_named(name: str) -> Suite:
    """Return the module of a suite."""
    return cast(Suite, importlib.import_module(f"benchmarks.suites.{name}"))
