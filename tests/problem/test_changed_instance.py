"""Changed instances: whatever is not named is kept, wherever the package makes one instance out of another."""

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pcsos import Distances, Gram, InputError, Kernel, SoftPairs
from pcsos.analysis.active.answers import Answer
from pcsos.analysis.certainty.relaxed import Knowledge
from pcsos.analysis.choice.numbers import numbers_of
from pcsos.analysis.choice.solve_front import _beyond
from pcsos.problem.instance import Instance
from pcsos.problem.validation.names import PointNames
from pcsos.search.blocks.piece import Part
from tests.asked import FIELDS, asked

POINTS = np.array([[0.0, 0.5], [1.0, 0.0], [2.0, 3.0], [8.0, 1.0], [9.0, 2.0], [11.0, 0.0]])
SQUARES = ((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=2)
BASE: dict[str, Any] = {"points": POINTS, "n_clusters": 2}

#: A value of each argument, and of each field of conditions, that the instance of :data:`BASE` has not.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "points": {"points": 2.0 * POINTS},
    "n_clusters": {"n_clusters": 3},
    "must_link": {"must_link": [(0, 1)]},
    "cannot_link": {"cannot_link": [(0, 5)]},
    "weights": {"weights": [1.0, 2.0, 1.0, 0.3, 1.0, 1.0]},
    "names": {"names": PointNames(6, ids=[*"abcdef"])},
    "feature_names": {"feature_names": ["length", "width"]},
    "size_min": {"size_min": 2},
    "size_max": {"size_max": 4},
    "weight_min": asked(weight_min=1.7),
    "weight_max": asked(weight_max=4.1),
    "sizes": asked(sizes=[4, 2]),
    "loads": asked(loads=[3, 1, 2, 0, 1, 1], load_max=5),
    "load_min": asked(loads=[3, 1, 2, 0, 1, 1], load_min=2),
    "load_max": asked(loads=[[3, 1], [1, 1], [2, 0], [0, 5], [1, 0], [1, 0]], load_max=[None, 6]),
    "groups": asked(groups=[*"aabbab"], group_min=1),
    "group_min": asked(groups=[*"aabbab"], group_min={"a": 1}),
    "group_max": asked(groups=[*"aabbab"], group_max={"b": 2}),
    "soft_must_link": asked(soft_must_link=[(0, 3, 0.1), (1, 2, 0.7)]),
    "soft_cannot_link": asked(soft_cannot_link=[(0, 3, 0.3), (4, 5, np.inf)]),
    "penalty": asked(penalty="distance", soft_must_link=[(1, 3)], soft_cannot_link=[(2, 3, 0.1)]),
    "max_diameter": asked(max_diameter=10.0),
    "min_split": asked(min_split=1.5),
    "outliers": asked(outliers=2),
    "gram": {"points": Gram(POINTS @ POINTS.T)},
    "kernel": {"points": Kernel(POINTS, "linear")},
    "gamma": {"points": Kernel(POINTS, "rbf", gamma=0.1)},
    "distances": {"points": Distances(SQUARES)},
}


def told(value: Any) -> Any:
    """Everything that a value holds, down to the last bit."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, PointNames):
        return value.n_points, value.first, value.ids
    if dataclasses.is_dataclass(value):
        return {field.name: told(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


def told_apart(instance: Instance) -> dict[str, Any]:
    """The same of an instance, where it lies and what is asked of it each by the names of their parts."""
    own = told(instance)
    return {**own.pop("geometry"), **own.pop("asked"), **own}


def differences(one: Instance, other: Instance) -> set[str]:
    first, second = told_apart(one), told_apart(other)
    return {name for name in first if first[name] != second[name]}


def instance_with(argument: str) -> Instance:
    return Instance(**BASE | ARGUMENTS[argument])


def test_every_argument_of_an_instance_is_looked_at() -> None:
    assert {name for own in ARGUMENTS.values() for name in own} == set(inspect.signature(Instance).parameters)
    assert {name for fields in FIELDS.values() for name in fields} <= set(ARGUMENTS)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_no_argument_is_lost_in_a_changed_instance(argument: str) -> None:
    instance = instance_with(argument)
    assert differences(instance, Instance(**BASE))
    assert not differences(instance.with_(), instance)
    changed = instance.with_(n_clusters=3, **{"conditions": ()} if argument == "sizes" else {})
    assert differences(changed, instance) <= {"n_clusters", *(["limits"] if argument == "sizes" else [])}


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_an_argument_that_is_named_stands_in_place_of_what_was_there(argument: str) -> None:
    held: dict[str, Any] = {"feature_names": ["x", "y"], "conditions": [SoftPairs(must_link=[(0, 5, 9.0)])]}
    crowded = Instance(**BASE | held, size_min=2)
    own = ARGUMENTS[argument]
    if argument in {"gram", "kernel", "gamma", "distances"}:
        own = own | {"feature_names": None}
    held |= {} if "conditions" in own else {"size_min": 2}
    assert not differences(crowded.with_(**own), Instance(**BASE | held | own))


@dataclasses.dataclass(frozen=True)
class Place:
    """Where the package makes one instance out of another, and what of it is meant to change."""

    make: Callable[[Instance], Instance]
    changes: frozenset[str]


def _of_knowledge(instance: Instance) -> Instance:
    return Knowledge.of(instance).with_answers([Answer(2, 3, False)]).instance


def _of_path(instance: Instance) -> Instance:
    return numbers_of(instance, instance.limits, [3])[0].instance


def _of_front(instance: Instance) -> Instance:
    found = _beyond(instance, "diameter", 9.5)
    assert found is not None
    return found


def _whole_part(instance: Instance) -> Instance:
    return Part(np.arange(6), np.ones(6)).instance_of(instance)


CONDITIONS = frozenset({"limits", "soft"})
PLACES = {
    "answers": Place(_of_knowledge, frozenset({"constraints"})),
    "path": Place(_of_path, frozenset({"n_clusters"})),
    "front": Place(_of_front, frozenset({"constraints"})),
    "without conditions": Place(Instance.without_conditions, CONDITIONS),
    "part": Place(_whole_part, CONDITIONS | {"names", "gram"}),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_no_argument_is_lost_where_an_instance_is_made_out_of_another(place: str, argument: str) -> None:
    instance = instance_with(argument)
    if place in {"path", "front"} and (instance.gram is not None or argument == "sizes"):
        return  # refused there
    if place in {"path", "answers"} and argument == "outliers":
        with pytest.raises(InputError, match="leaves no point out"):
            PLACES[place].make(instance)
        return
    changed = differences(PLACES[place].make(instance), instance)
    if place == "part" and instance.gram is not None:
        changed -= {"feature_names"}
    assert changed <= PLACES[place].changes


def test_other_weights_measure_the_factor_of_a_gram_matrix_anew() -> None:
    points = np.random.default_rng(0).normal(size=(12, 3))
    instance = Instance(Gram(points @ points.T), 2)
    weights = np.linspace(1.0, 90.0, 12)
    assert not differences(instance.with_(weights=weights), Instance(Gram(points @ points.T), 2, weights=weights))
