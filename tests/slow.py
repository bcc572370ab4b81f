"""Which cases of a parametrised test are slow: they are not even made unless ``--slow`` asks for them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

#: Whether slow cases are asked for, as ``conftest`` says.
is_asked = True


def slow_where(is_slow: Callable[[Any], bool], cases: Iterable[Any]) -> list[Any]:
    return [_slow(case) if is_slow(case) else case for case in cases if is_asked or not is_slow(case)]


def first_few(number: int, cases: Iterable[Any]) -> list[Any]:
    return [case if at < number else _slow(case) for at, case in enumerate(cases) if is_asked or at < number]


def shares(few: int, many: int) -> list[Any]:
    """Return the seeds below ``few``, and marked those from there to ``many``, for tests that loop over seeds."""
    more = pytest.param(range(few, many), id=f"{many - few} more seeds", marks=pytest.mark.slow)
    return [pytest.param(range(few), id=f"{few} seeds"), *([more] if is_asked else [])]


def _slow(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
