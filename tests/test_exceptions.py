"""Errors keep what they say on their way between processes."""

import pickle

from pcsos.exceptions import InfeasibleError
from pcsos.proofs.decision import Decision
from pcsos.proofs.steps import Forced, ForcedStep


def test_an_infeasible_error_survives_pickling() -> None:
    step = ForcedStep((Forced(Decision("ML", 0, 1), (2,)),))
    error = InfeasibleError("two clusters are too few", {"kind": "clique", "points": [0, 1, 2]}, step)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.witness, again.step.forced) == (str(error), error.witness, step.forced)
