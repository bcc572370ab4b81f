"""Arrays and values in every form that they may have."""

from typing import Any

from tests.conformance.certificate import Certificate, Claim, certificate
from tests.conformance.encoding import integers
from tests.conformance.honest.instances import HAND, HAND_LABELS
from tests.conformance.honest.trees import OPTIMAL, TREE

LARGE = (1 << 63) - 1


def of_labels(label: str, labels: bytes, objective: float | None = 4.0) -> Certificate:
    """The certificate of section 8 with other labels."""
    found = certificate(label, "arrays", HAND, Claim("OPTIMAL", HAND_LABELS, objective, 4.0), TREE)
    found.rows["claim"][0]["labels"] = labels
    return found


def of_instance(label: str, gap: float = 1e-4, **columns: Any) -> Certificate:
    """The certificate of section 8 with other columns of the instance."""
    return certificate(label, "arrays", HAND, OPTIMAL, TREE, gap=gap, **columns)


CERTIFICATES = [
    of_labels("labels-widest: Labels of eight bytes, of which seven are 0. (2)", integers(HAND_LABELS, width=8)),
    of_labels(
        "labels-largest: The largest and the least integers. (2)",
        integers([LARGE, LARGE, -LARGE - 1, -LARGE - 1, -LARGE - 1]),
    ),
    of_labels(
        "labels-wrapped: As differences, whose sums wrap around at 2^64. (2)",
        integers([LARGE, LARGE, -LARGE - 1, -LARGE - 1, -LARGE - 1], "d"),
    ),
    of_labels("labels-falling: Differences below 0. (2)", integers([300, 300, 2, 2, 2], "d", width=3)),
    of_instance(
        "pairs-by-rows: Pairs of kind i, with a must-link that says nothing and pairs that are there twice. (3)",
        must_link=integers([[3, 2], [2, 3], [4, 4]]),
        cannot_link=integers([[4, 1], [0, 2], [2, 0]], width=2),
    ),
    of_instance(
        "pairs-across-rows: Differences go on from one row to the next; wider than they need be. (2)",
        must_link=integers([[2, 3]], "d", width=5),
        cannot_link=integers([[4, 1], [0, 2]], "d", width=3),
    ),
    of_instance("gap-as-integer: A gap of 0 as a whole number of JSON. (1)", gap=0.0, options='{"gap": 0}'),
    of_instance(
        "options-more: Other options, with anything in them. (1)",
        options='{"more": [null, {"gap": 9}], "gap": 1E-4, "seed": 0}',
    ),
]
