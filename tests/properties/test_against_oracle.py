"""The solver against brute force: status, objective and bound on random small instances of every kind."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agreement import disagreement


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_status_objective_and_bound_agree_with_brute_force(seed: int) -> None:
    assert disagreement(seed) is None
