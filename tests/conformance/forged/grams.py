"""Gram matrices that are none, and what is not proved of them (section 14)."""

from tests.conformance.encoding import doubles, integers
from tests.conformance.forgery import Forgery, changed, refused, stated
from tests.conformance.honest.grams import FACTOR, MATRIX

NAN = float("nan")


def of(name: str, why: str, gram: object, base: str = "gram", section: str = "14") -> Forgery:
    return refused(f"gram-{name}", base, "gram", why, section, changed("instance", gram=gram))


FORGERIES = [
    of("not-symmetric", "The matrix is not symmetric.", doubles([MATRIX[0], [0.5, 2.0, 0.0], MATRIX[2]])),
    of(
        "nearly-symmetric",
        "The matrix is not symmetric in the last digit.",
        doubles([[4.0, 2.0, 2.0], [2.0 + 2.0**-51, 4.0, 2.0], [2.0, 2.0, 8.0]]),
        "gram-moved",
    ),
    of("nan", "An entry is no number.", doubles([MATRIX[0], [0.0, 2.0, NAN], [0.0, NAN, 6.0]]), section="2"),
    of("too-small", "Two rows for three points.", doubles([[2.0, 0.0], [0.0, 2.0]])),
    of(
        "in-a-row",
        "The matrix is an array of one dimension.",
        doubles([2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 6.0]),
        section="2",
    ),
    of("reshaped", "The matrix has nine columns.", doubles([[2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 6.0]])),
    of("of-integers", "The matrix is of integers.", integers([[2, 0, 0], [0, 2, 0], [0, 0, 6]]), section="2"),
    of("text", "The matrix is text.", "2 0 0 0 2 0 0 0 6", section="1"),
    of("other", "With another matrix the labels cost more.", doubles([[3.0, 0.0, 0.0], *MATRIX[1:]]), section="14"),
    of(
        "of-others",
        "The points are not those of the matrix: less is proved.",
        doubles([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 9.0]]),
    ),
    of("none", "Without a matrix the cost is that of the points.", None, "gram-negative"),
    refused(
        "gram-other-points",
        "gram",
        "gram",
        "With half of a point the bound is lowered by 3.",
        "14",
        changed("instance", points=doubles([*FACTOR[:2], [0.0, 0.0, 1.224744871391589]])),
    ),
    refused(
        "gram-other-weights",
        "gram",
        "gram",
        "With other weights the labels cost more.",
        "14",
        changed("instance", weights=doubles([1.0, 2.0, 1.0])),
    ),
    refused("gram-claimed", "gram-one-cluster", "gram", "6.6667 is proved.", "14", changed("claim", lower_bound=6.667)),
    refused("gram-claimed-moved", "gram-moved", "gram", "2 is proved.", "14", changed("claim", lower_bound=2.001)),
    refused(
        "gram-claimed-negative", "gram-negative", "gram", "-1.054 is proved.", "14", changed("claim", lower_bound=-1.05)
    ),
    refused("gram-claimed-zero", "gram-zero", "gram", "0 is proved.", "14", changed("claim", lower_bound=0.001)),
    refused(
        "gram-leaf",
        "gram-half",
        "gram",
        "A leaf states more than is proved of the points.",
        "3",
        stated(1, "single", bound=2.001),
    ),
]
