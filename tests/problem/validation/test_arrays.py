"""Words that have to be one of a few."""

import pytest

from pcsos.base.exceptions import InputError
from pcsos.problem.validation.arrays import one_of


@pytest.mark.parametrize(
    ("value", "choices", "message"),
    [
        ("best", ("index", "random"), "order is 'best'; give 'index' or 'random'"),
        ("best", ("one", "two", "three"), "order is 'best'; give one of 'one', 'two', 'three'"),
        ("Random", ("index", "random"), "order is 'Random'; give 'index' or 'random'; perhaps 'random' is meant"),
        (["index"], ("index",), "order is ['index']; give 'index'; perhaps 'index' is meant"),
        (None, {"index": 1, "random": 2}, "order is None; give 'index' or 'random'"),
    ],
)
def test_the_sentence_names_the_choices_and_the_nearest(value: object, choices: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        one_of("order", value, choices)
    assert str(caught.value) == message


@pytest.mark.parametrize("choice", ["index", "random"])
def test_a_choice_passes(choice: str) -> None:
    assert one_of("order", choice, ("index", "random")) is None
