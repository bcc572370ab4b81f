"""Steps that do not hold (sections 3, 4, 5 and 13)."""

import json
from collections.abc import Sequence
from typing import Any

from tests.conformance.certificate import step
from tests.conformance.encoding import decisions, doubles, integers, multipliers
from tests.conformance.forgery import Forgery, added, changed, refused

INFINITE = float("inf")


def forced(
    name: str, base: str, why: str, said: Sequence[object] | str, section: str = "4", where: str = ""
) -> Forgery:
    text = said if isinstance(said, str) else json.dumps(said)
    return refused(f"forced-{name}", base, "forced", why, section, changed("steps", where, forced=text))


def of(kind: str, name: str, base: str, why: str, section: str, where: str = "", **columns: Any) -> Forgery:
    return refused(f"{kind}-{name}", base, kind, why, section, changed("steps", where, **columns))


def pairs(kind: str, name: str, base: str, why: str, section: str, *said: str, where: str = "") -> Forgery:
    return of(kind, name, base, why, section, where, decisions=decisions(*said))


TOGETHER, HAND_2 = "forced-together", "node = 2"
SPLIT = (
    changed("steps", decisions=decisions("ML 0 1", "ML 2 4")),
    added("steps", step(0, "fixed", 1, decisions=decisions("ML 1 0"), multipliers=multipliers(2), lower_bound=1.999)),
)

FORGERIES = [
    forced("clique-too-small", TOGETHER, "ML needs a clique of k - 1 = 2 points.", [["ML", 2, 3, [0]]]),
    forced("clique-too-large", TOGETHER, "ML needs a clique of k - 1 = 2 points.", [["ML", 2, 3, [0, 1, 1]]]),
    forced("clique-of-one-point", TOGETHER, "A point is twice in the clique.", [["ML", 2, 3, [0, 0]]]),
    forced("no-clique", "hand", "ML needs a clique of k - 1 = 1 point.", [["ML", 1, 2, []]], where=HAND_2),
    forced("not-apart", "hand", "The clique is not apart from one of the two.", [["ML", 1, 2, [4]]], where=HAND_2),
    forced(
        "clique-not-apart",
        "forced-apart",
        "The points of the clique are not apart from one another.",
        [["CL", 2, 3, [0, 2]]],
    ),
    forced("apart-clique-too-small", "forced-apart", "CL needs a clique of k = 2 points.", [["CL", 2, 3, [0]]]),
    forced(
        "apart-empty-without-limits", "forced-apart", "CL with an empty witness needs limits.", [["CL", 2, 3, []]], "13"
    ),
    refused(
        "forced-apart-not-covered",
        "forced-apart",
        "forced",
        "A point of the clique is apart from neither of the two.",
        "4",
        changed("instance", cannot_link=integers([[0, 1], [0, 2]])),
    ),
    forced(
        "in-another-order",
        "forced-one-by-one",
        "The second step stands first, where its pair is not forced yet.",
        [["ML", 2, 3, [1]]],
        where="position = 3",
    ),
    forced(
        "in-another-order-within",
        "forced-apart",
        "A pair stands before the one that it follows from.",
        [["ML", 1, 2, [3]], ["CL", 2, 3, [0, 1]], ["ML", 0, 3, [2]]],
    ),
    refused(
        "forced-positions",
        "forced-one-by-one",
        "forced",
        "Steps are taken by position, where the second one comes first.",
        "1",
        "UPDATE steps SET position = position + 10",
        changed("steps", "position = 17", position=0),
    ),
    forced("missing", "hand", "A forced step has no pairs: nothing is there.", "", where=HAND_2),
    of("forced", "null", "hand", "A forced step needs its pairs.", "1", HAND_2, forced=None),
    forced("text", "hand", "Pairs are a list.", '{"ML": [1, 2, [0]]}', "2", where=HAND_2),
    forced("of-numbers", "hand", "Each pair is a list.", "[7]", "2", where=HAND_2),
    forced("of-three", "hand", "Each pair has four members.", [["ML", 1, 2]], "2", where=HAND_2),
    forced("of-five", "hand", "Each pair has four members.", [["ML", 1, 2, [0], 0]], "2", where=HAND_2),
    forced("kind", "hand", "A pair is ML or CL.", [["XL", 1, 2, [0]]], "2", where=HAND_2),
    forced("itself", "hand", "A pair of a point and itself.", [["ML", 1, 1, [0]]], "2", where=HAND_2),
    forced("beyond", "hand", "A point that does not exist.", [["ML", 1, 5, [0]]], "2", where=HAND_2),
    forced(
        "beyond-nothing",
        "forced-after-contradiction",
        "Even where nothing belongs to the state, points are in range.",
        [["ML", 0, 7, []]],
        where="node = 3",
    ),
    forced("clique-beyond", "hand", "A point of the clique does not exist.", [["ML", 1, 2, [-1]]], "2", where=HAND_2),
    forced("real", "hand", "A point is 2.0, which is no whole number.", '[["ML", 1, 2.0, [0]]]', "1", where=HAND_2),
    forced("true", "hand", "A point is true, which is no number.", '[["ML", true, 2, [0]]]', "1", where=HAND_2),
    forced(
        "clique-true",
        "hand",
        "A point of the clique is false, which is no number.",
        '[["ML", 1, 2, [false]]]',
        "1",
        where=HAND_2,
    ),
    forced("witness-number", "hand", "The clique is no list.", '[["ML", 1, 2, 0]]', "2", where=HAND_2),
    of("fixed", "bound", "fixed", "Together the two cost 2 at least, no more is proved.", "5", lower_bound=2.001),
    of("fixed", "bound-together", "fixed-apart", "Together the two would cost 201.", "5", lower_bound=201.001),
    of("fixed", "bound-apart", "fixed-together", "Apart the two would cost 17.", "5", lower_bound=17.001),
    of("fixed", "bound-null", "fixed", "A fixed step states no number.", "3", lower_bound=None),
    of(
        "fixed",
        "bound-null-nothing",
        "fixed-nothing",
        "A fixed step without pairs states no number.",
        "3",
        lower_bound=None,
    ),
    of(
        "fixed",
        "bound-infinite",
        "fixed-nothing",
        "A fixed step without pairs states infinity.",
        "3",
        lower_bound=INFINITE,
    ),
    of("fixed", "inherited", "fixed-inherited", "What is inherited is 2.", "5", "position = 1", lower_bound=2.001),
    of(
        "fixed",
        "not-inherited",
        "fixed-inherited",
        "Nothing is proved before the step, nor by it.",
        "5",
        "position = 0",
        multipliers=multipliers(4, [-1000, 0, 0, 0, -1000, 0, 0, -1000, 0, -1000]),
    ),
    of(
        "fixed",
        "other-size",
        "fixed",
        "Multipliers of three super-points, where there are four.",
        "2",
        multipliers=multipliers(3),
    ),
    of("fixed", "without-multipliers", "fixed", "A fixed step needs multipliers.", "3", multipliers=None),
    of(
        "fixed",
        "without-decisions",
        "fixed",
        "A fixed step needs its pairs, if only an array of none.",
        "3",
        decisions=None,
    ),
    pairs("fixed", "opposite", "fixed-apart", "Set apart the two cost 1, no more is proved.", "5", "ML 1 2"),
    pairs("fixed", "linked", "fixed", "The two points are in one super-point.", "3", "CL 2 3"),
    pairs("fixed", "itself", "fixed", "A point and itself.", "2", "CL 1 1"),
    pairs("fixed", "beyond", "fixed", "A point that does not exist.", "2", "CL 0 5"),
    of("fixed", "kind", "fixed", "A pair of kind 2.", "2", decisions=integers([[2], [0], [1]])),
    of("fixed", "negative", "fixed", "A point is -1.", "2", decisions=integers([[1], [-1], [1]])),
    refused(
        "fixed-one-by-one",
        "fixed-at-once",
        "fixed",
        "In a step by itself the second pair is linked already.",
        "3",
        *SPLIT,
    ),
    of("far", "bound", "far", "The nearest of the pairs would cost 40.5.", "3", "kind = 'far'", lower_bound=40.51),
    of("far", "bound-null", "far", "A far step states no number.", "3", "kind = 'far'", lower_bound=None),
    of("far", "inherited", "far-inherited", "What is inherited is 13.9999887.", "5", "kind = 'far'", lower_bound=14.01),
    of(
        "far",
        "not-inherited",
        "far-inherited",
        "Less is proved before the step, and the pair by itself costs 2.",
        "3",
        "position = 0",
        multipliers=multipliers(6),
    ),
    pairs("far", "together", "far", "A far step puts two points together.", "3", "ML 0 2", where="kind = 'far'"),
    pairs("far", "nothing", "far", "A far step without pairs.", "3", where="kind = 'far'"),
    pairs("far", "linked", "far-inherited", "A pair of a point and itself.", "2", "CL 3 3", where="kind = 'far'"),
    refused(
        "far-one-super-point",
        "far",
        "far",
        "The pair is in one super-point.",
        "3",
        changed("instance", must_link=integers([[0, 2]])),
        changed("claim", labels=integers([0, 1, 0, 0]), objective=74.0, lower_bound=0.0),
    ),
    refused(
        "far-origins",
        "far-origins",
        "far",
        "Without the step nothing is apart, and N costs something.",
        "5",
        "DELETE FROM steps",
    ),
    refused(
        "far-origins-fixed",
        "far-origins",
        "far",
        "A fixed step leaves the origin where it is.",
        "5",
        changed("steps", kind="fixed", multipliers=multipliers(4), lower_bound=0.0),
    ),
    of("soft", "bound-together", "soft-step-together", "Apart the two pay 100 and cost 2.", "13", lower_bound=102.001),
    of(
        "soft",
        "bound-apart",
        "soft-step-apart",
        "Together the first pair pays 1000, the least of both.",
        "13",
        "kind = 'soft'",
        lower_bound=1000.001,
    ),
    of("soft", "bound-null", "soft-step-together", "A soft step states no number.", "3", lower_bound=None),
    of(
        "soft",
        "paid",
        "soft-step-paid",
        "Apart the two pay 4, beside 2 for others and a cost of 1/2.",
        "13",
        lower_bound=6.501,
    ),
    of(
        "soft", "inherited", "soft-step-inherited", "What is inherited is 14.", "3", "kind = 'soft'", lower_bound=14.001
    ),
    of(
        "soft",
        "not-inherited",
        "soft-step-inherited",
        "Multipliers of the soft step prove nothing.",
        "3",
        "kind = 'fixed'",
        multipliers=multipliers(3, [0, 0, 0, 0, -1000, 0]),
    ),
    of("soft", "without-multipliers", "soft-step-together", "A soft step needs multipliers.", "13", multipliers=None),
    pairs("soft", "opposite", "soft-step-together", "To set the two apart only 1 is paid.", "13", "CL 2 3"),
    pairs("soft", "no-penalty", "soft-step-at-once", "Nothing is paid for this pair.", "13", "ML 0 5"),
    pairs("soft", "linked", "soft-step-together", "The two are decided already.", "13", "ML 0 2"),
    refused(
        "soft-apart-already",
        "soft-step-together",
        "soft",
        "The two are apart already.",
        "13",
        changed("instance", cannot_link=integers([[2, 3]])),
        changed("claim", labels=integers([0, 0, 0, 1, 1, 1]), objective=140.0, lower_bound=0.0),
    ),
    refused(
        "soft-multipliers-not-inherited",
        "open-children",
        "soft",
        "Multipliers of a soft step are not inherited.",
        "3",
        changed("nodes", multipliers=None),
        added("steps", step(0, "soft", decisions=decisions(), multipliers=multipliers(4), lower_bound=0.0)),
    ),
    pairs("equal", "elsewhere", "equal", "The points are not at one place.", "4", "ML 0 1", "ML 1 2"),
    pairs("equal", "apart", "equal", "An equal step sets two points apart.", "4", "CL 0 1"),
    refused(
        "equal-too-many",
        "equal",
        "equal",
        "One super-point is left, where k = 2.",
        "4",
        changed("instance", points=doubles([[0.0, 0.0]] * 5)),
        changed("steps", decisions=decisions("ML 0 1", "ML 2 3", "ML 3 4", "ML 1 2")),
    ),
    refused(
        "equal-too-few",
        "equal-zeros",
        "equal",
        "Two super-points are left, where k = 3.",
        "4",
        changed("instance", n_clusters=3),
        changed("claim", labels=integers([0, 1, 2])),
    ),
    refused(
        "equal-cannot-link",
        "equal",
        "equal",
        "A point that is joined has a cannot-link.",
        "4",
        changed("instance", cannot_link=integers([[0, 2]])),
    ),
    refused(
        "equal-nearly",
        "equal-zeros",
        "equal",
        "The points differ in the last digit.",
        "4",
        changed("instance", points=doubles([[0.0], [5e-324], [5.0]])),
        changed("claim", objective=0.0),
    ),
    refused(
        "equal-linked-elsewhere",
        "equal",
        "equal",
        "A super-point has a point at another place.",
        "4",
        changed("instance", must_link=integers([[0, 2]])),
        changed(
            "claim", status="FEASIBLE", labels=integers([0, 1, 0, 0, 0]), objective=21.272727272727273, lower_bound=0.0
        ),
    ),
    refused(
        "equal-limits",
        "limits-all-null",
        "equal",
        "Under a limit equal points are not joined.",
        "13",
        changed("instance", conditions='{"limits": {"size_min": 1}}'),
    ),
    refused(
        "equal-soft",
        "equal",
        "equal",
        "With soft pairs equal points are not joined.",
        "13",
        changed("instance", conditions='{"soft": [[0, 2, 0, 5]]}'),
    ),
]
