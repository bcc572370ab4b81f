"""Gram matrices that are none, and what is not proved of them (section 14)."""

from tests.conformance.encoding import doubles, integers
from tests.conformance.forgery import Forgery, changed, refused, stated
from tests.conformance.honest.grams import FACTOR, MATRIX

NAN = float("nan")


def of(label: str, gram: object, base: str = "gram") -> Forgery:
    return refused(f"gram-{label}", base, "gram", changed("instance", gram=gram))


FORGERIES = [
    of("not-symmetric: The matrix is not symmetric. (14)", doubles([MATRIX[0], [0.5, 2.0, 0.0], MATRIX[2]])),
    of(
        "nearly-symmetric: The matrix is not symmetric in the last digit. (14)",
        doubles([[4.0, 2.0, 2.0], [2.0 + 2.0**-51, 4.0, 2.0], [2.0, 2.0, 8.0]]),
        "gram-moved",
    ),
    of("nan: An entry is no number. (2)", doubles([MATRIX[0], [0.0, 2.0, NAN], [0.0, NAN, 6.0]])),
    of("too-small: Two rows for three points. (14)", doubles([[2.0, 0.0], [0.0, 2.0]])),
    of(
        "in-a-row: The matrix is an array of one dimension. (2)", doubles([2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 6.0])
    ),
    of("reshaped: The matrix has nine columns. (14)", doubles([[2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 6.0]])),
    of("of-integers: The matrix is of integers. (2)", integers([[2, 0, 0], [0, 2, 0], [0, 0, 6]])),
    of("text: The matrix is text. (1)", "2 0 0 0 2 0 0 0 6"),
    of("other: With another matrix the labels cost more. (14)", doubles([[3.0, 0.0, 0.0], *MATRIX[1:]])),
    of(
        "of-others: The points are not those of the matrix: less is proved. (14)",
        doubles([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 9.0]]),
    ),
    of("none: Without a matrix the cost is that of the points. (14)", None, "gram-negative"),
    refused(
        "gram-other-points: With half of a point the bound is lowered by 3. (14)",
        "gram",
        "gram",
        changed("instance", points=doubles([*FACTOR[:2], [0.0, 0.0, 1.224744871391589]])),
    ),
    refused(
        "gram-other-weights: With other weights the labels cost more. (14)",
        "gram",
        "gram",
        changed("instance", weights=doubles([1.0, 2.0, 1.0])),
    ),
    refused("gram-claimed: 6.6667 is proved. (14)", "gram-one-cluster", "gram", changed("claim", lower_bound=6.667)),
    refused("gram-claimed-moved: 2 is proved. (14)", "gram-moved", "gram", changed("claim", lower_bound=2.001)),
    refused(
        "gram-claimed-negative: -1.054 is proved. (14)", "gram-negative", "gram", changed("claim", lower_bound=-1.05)
    ),
    refused("gram-claimed-zero: 0 is proved. (14)", "gram-zero", "gram", changed("claim", lower_bound=0.001)),
    refused(
        "gram-leaf: A leaf states more than is proved of the points. (3)",
        "gram-half",
        "gram",
        stated(1, "single", bound=2.001),
    ),
]
