"""The solver against brute force: status, objective and bounds on random small instances of every kind."""

from collections import Counter

from pcsos.problem.params import Params, TreeParams
from tests.agreement import disagreement


def test_a_tree_that_must_branch_agrees_with_brute_force() -> None:
    """With a single round of bounding a node, proofs need branching."""
    few_rounds = Params(tree=TreeParams(root_rounds=1, node_rounds=1))
    nodes: Counter[bool] = Counter()
    for seed in range(75):
        assert disagreement(seed, params=few_rounds, on_result=lambda result: nodes.update([result.nodes > 1])) is None
    assert nodes[True] > 10
