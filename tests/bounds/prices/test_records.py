"""Records: prices of contracted super-points."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from pcsos.bounds.prices.ascent import Prices
from pcsos.evidence import kinds
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.search.prices.bounder import records_of
from pcsos.search.prices.nodes import PriceNode
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.state import State


@pytest.mark.parametrize("seed", range(40))
def test_prices_of_groups_are_not_less_than_what_they_pay_together(seed: int) -> None:
    """However much groups cost inside, what all pay and that cost come to no less than before, nor to much more."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(8, 2))
    points[[0, 5, 7]] *= 10.0 ** rng.uniform(0, 12)
    weights = 10.0 ** rng.uniform(-9, 9, 8)
    instance, prices = Instance(points, 3, weights=weights), rng.uniform(size=8)
    reduced = reduce_instance(instance)
    best = Prices(prices, 0.0, np.empty((0, 2)))
    one, both = np.array([(0, 5)]), np.array([(5, 7), (0, 5)])
    nodes = {0: PriceNode(0, None, None, (0, 5), both[:0], [], best), 1: PriceNode(1, 0, "ML", (5, 7), one, [], best)}
    leaves = (("ML", 1, both), ("CL", 0, both[:0]), ("CL", 1, one))
    nodes |= {at: PriceNode(at, above, kind, None, own, [], best) for at, (kind, above, own) in enumerate(leaves, 2)}
    (closing,) = next(record.evidence for record in records_of(nodes, reduced, 0.0) if record.node == 3)
    assert isinstance(closing, kinds.Prices)
    state = State(8)
    state.add("ML", 0, 5)
    state.add("ML", 5, 7)
    inside = Data(Doubles(points), Doubles(weights)).cost(state.groups())
    contracted = sum(map(Fraction, closing.prices.tolist()), _fraction(inside))
    paid = sum(map(Fraction, prices.tolist()), Fraction(0))
    assert paid * (1 - Fraction(1, 10**12)) <= contracted <= (paid + _fraction(inside)) * (1 + Fraction(1, 10**11))


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
