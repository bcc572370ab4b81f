"""The instance: points, weights, pairs, and what is JSON (sections 1, 2 and 3)."""

from typing import Any

from tests.conformance.encoding import array, doubles, integers
from tests.conformance.forgery import Forgery, changed, refused

NAN, INFINITE = float("nan"), float("inf")


def of(label: str, base: str = "hand", **columns: Any) -> Forgery:
    return refused(f"instance-{label}", base, "instance", changed("instance", **columns))


def options(label: str, text: str) -> Forgery:
    return refused(f"options-{label}", "hand", "JSON", changed("instance", options=text))


FORGERIES = [
    of("no-clusters: k = 0. (3)", n_clusters=0),
    of("too-many-clusters: k is more than n. (3)", n_clusters=6),
    of("another-k: The labels use two clusters, where k = 3. (7)", n_clusters=3),
    of("weight-0: A weight is 0. (3)", weights=doubles([1.0, 1.0, 0.0, 1.0, 1.0])),
    of("weight-negative: A weight is negative. (3)", weights=doubles([1.0, 1.0, -1.0, 1.0, 1.0])),
    of("weight-nan: A weight is no number. (2)", weights=doubles([1.0, 1.0, NAN, 1.0, 1.0])),
    of("weights-missing: There are fewer weights than points. (1)", weights=doubles([1.0, 1.0])),
    of("weights-in-rows: The weights are an array of two dimensions. (2)", weights=doubles([[1.0]] * 5)),
    of("other-weights: The labels cost more with other weights. (7)", weights=doubles([1.0, 1.0, 1.0, 2.0, 1.0])),
    of("point-nan: A coordinate is no number. (2)", points=doubles([[0.0], [2.0], [10.0], [12.0], [NAN]])),
    of("point-infinite: A coordinate is infinite. (2)", points=doubles([[0.0], [2.0], [10.0], [12.0], [INFINITE]])),
    of("points-in-a-row: The points are an array of one dimension. (2)", points=doubles([0.0, 2.0, 10.0, 12.0, 11.0])),
    of("points-of-integers: The points are integers. (2)", points=integers([[0], [2], [10], [12], [11]])),
    of("no-points: There are no points. (3)", points=array("f", 8, [0, 1], []), weights=array("f", 8, [0], [])),
    of("no-features: There are no features. (3)", points=array("f", 8, [5, 0], [])),
    of("pair-beyond: A pair names point 5 of 0 to 4. (3)", must_link=integers([[2, 5]])),
    of("pair-negative: A pair names point -1. (3)", cannot_link=integers([[-1, 2]])),
    of("pairs-of-three: The must-links are triples. (1)", must_link=integers([[1, 2, 3]])),
    of("pairs-turned: The pairs are an array of shape (2, m). (1)", cannot_link=integers([[0, 1, 1], [2, 4, 4]])),
    of("pairs-in-a-row: The pairs are an array of one dimension. (2)", must_link=integers([2, 3])),
    of("pairs-of-doubles: The pairs are doubles. (2)", must_link=doubles([[2.0, 3.0]])),
    of("another-must-link: The labels break a must-link. (7)", must_link=integers([[1, 3]])),
    of("another-cannot-link: The labels break a cannot-link. (7)", cannot_link=integers([[0, 2], [1, 4], [2, 4]])),
    of(
        "cannot-link-itself: A cannot-link of a point with itself: no labels keep it. (3)",
        cannot_link=integers([[0, 2], [1, 4], [3, 3]]),
    ),
    of(
        "cannot-link-less: Without a cannot-link the state of a leaf is not infeasible. (4)",
        cannot_link=integers([[0, 2]]),
    ),
    of(
        "other-points: Other points, for which the labels cost more. (7)",
        points=doubles([[0.0], [3.0], [10.0], [12.0], [11.0]]),
    ),
    options("no-gap: The options have no gap. (1)", "{}"),
    options("gap-1: The gap is 1. (3)", '{"gap": 1.0}'),
    options("gap-integer-1: The gap is 1, as a whole number. (3)", '{"gap": 1}'),
    options("gap-negative: The gap is negative. (3)", '{"gap": -0.0001}'),
    options("gap-text: The gap is text. (1)", '{"gap": "0.0001"}'),
    options("gap-false: The gap is false, which is no number. (1)", '{"gap": false}'),
    options("gap-null: The gap is null. (1)", '{"gap": null}'),
    options("gap-nan: NaN is no JSON. (1)", '{"gap": NaN}'),
    options("gap-infinite: The nearest double would be infinite. (1)", '{"gap": 1e999}'),
    options("gap-twice: A name is twice in one object. (1)", '{"gap": 0.0001, "gap": 0.0001}'),
    options(
        "name-twice-within: A name is twice in an object that nobody needs. (1)",
        '{"gap": 0.0001, "more": [{"a": 1, "a": 2}]}',
    ),
    options(
        "name-twice-escaped: A name is twice in one object, once in another spelling. (1)",
        '{"gap": 0.0001, "a": 1, "\\u0061": 2}',
    ),
    options("nan-elsewhere: NaN is no JSON, also where nobody needs it. (1)", '{"gap": 0.0001, "more": NaN}'),
    options("list: The options are a list. (1)", '["gap", 0.0001]'),
    options("cut-off: The options are no JSON. (1)", '{"gap": 0.0001'),
    options("more-behind: Something follows the object. (1)", '{"gap": 0.0001} {}'),
    options("comma: A comma before the end of an object is no JSON. (1)", '{"gap": 0.0001,}'),
    options("quotes: Names in single quotes are no JSON. (1)", "{'gap': 0.0001}"),
    options("zero-before: Zeros before a number are no JSON. (1)", '{"gap": 00.0001}'),
    options("empty: No text is no JSON. (1)", ""),
]
