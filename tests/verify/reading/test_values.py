"""Values of run files: columns, arrays, payloads and JSON of the kinds, ranges and sizes that are asked for."""

import json
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest

from pcsos.base.exceptions import FormatError
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.io.outputs import json_text
from pcsos.verify.reading.arrays import Arrays, doubles, integers
from pcsos.verify.reading.columns import TABLES, Column
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import read_multipliers
from pcsos.verify.reading.payloads import (
    read_branching,
    read_children,
    read_decisions,
    read_forced,
    read_pair,
    read_part,
    read_penalty,
    read_prices,
    read_search,
)
from pcsos.verify.reading.structures import NULL, items, members, structure
from pcsos.verify.reading.text import printable
from tests.announcements import zeros
from tests.blobs import arrays, plenty

VALUES: tuple[Any, ...] = (None, True, -1, 0, 2**62, 1.5, math.inf, math.nan, "", "x", "ML", b"", b"x")


@pytest.mark.parametrize("table", TABLES)
def test_a_column_holds_one_kind_of_value(table: str) -> None:
    for name, column in TABLES[table].items():
        for value in VALUES:
            fits = type(value) is column.kind or (value is None and column.optional)
            if type(value) is int:
                fits &= column.least <= value < 2**62
            if type(value) is float:
                fits &= not math.isnan(value) and (math.isfinite(value) or not column.is_finite)
            if column.choices and value is not None:
                fits &= value in column.choices
            if fits:
                column.check(value, name)
            else:
                with pytest.raises(FormatError, match=rf"^{table}\.{name} is .*, not "):
                    column.check(value, f"{table}.{name}")


def test_what_is_shown_of_a_value_is_short() -> None:
    with pytest.raises(FormatError) as caught:
        Column(int).check("x" * 10**6, "place")
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("count", [2**22, 2**26, 2**31])
def test_what_is_not_there_takes_no_memory(count: int) -> None:
    tracemalloc.start()
    for announced in (zeros(count), zeros(2, count), zeros(count, 1)):
        with pytest.raises(FormatError, match=r"more than there can be|instead of|MB, more than a file of this size"):
            Arrays(announced, "a", Memory(10**8)).integers(announced[2], most=100 if count > 2**22 else None)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_decoding_takes_as_much_memory_as_is_asked_for() -> None:
    values = np.arange(2**18)
    for data in (encode_integers(values), encode_integers(values, differences=True), encode_floats(values)):
        read = doubles if data[:1] == b"f" else integers
        tracemalloc.start()
        found = read(data, "a", Memory(32 * values.size), ndim=1)
        assert tracemalloc.get_traced_memory()[1] < 33 * values.size
        tracemalloc.stop()
        assert (found == values).all()
        with pytest.raises(FormatError, match="a: takes 8 MB, more than a file of this size"):
            read(data, "a", Memory(32 * values.size - 1), ndim=1)


def test_an_array_ends_where_it_says() -> None:
    data = encode_integers([1, 2, 3])
    for wrong, words in (
        (data + b"x", "longer than what is in it"),
        (data[:-1], "too short"),
        (data[:3] + (int.from_bytes(data[3:7], "little") + 1).to_bytes(4, "little") + data[7:] + b"x", "another size"),
        (encode_floats([1.0]), "another kind"),
        (encode_integers([[1]]), "another kind"),
        (None, "missing"),
        ("text", "missing"),
    ):
        with pytest.raises(FormatError, match=words):
            integers(wrong, "a", plenty(), ndim=1)


def test_n_is_a_triangle_of_no_more_points_than_there_are() -> None:
    head = np.zeros(3, "<i4").tobytes()
    with pytest.raises(FormatError, match="N is not a triangle"):
        read_multipliers(arrays(head + encode_integers(np.zeros(4, int))), 10, plenty())
    with pytest.raises(FormatError, match="more than there can be"):
        read_multipliers(arrays(head + encode_integers(np.zeros(66, int))), 10, plenty())


# Payloads

PAIRS = encode_integers([[0, 1], [2, 3], [4, 0]])  # ML 2 4, CL 3 0
NO_AXES = encode_integers(np.empty((0, 2), int))


def test_what_follows_one_another_is_read_in_turn() -> None:
    multipliers = np.zeros(3, "<i4").tobytes() + encode_integers([7, 0, 0])
    both = arrays(PAIRS + multipliers)
    assert read_decisions(both, 5).tolist() == [[0, 1], [2, 3], [4, 0]]
    assert read_multipliers(both, 5, plenty()).triangle.tolist() == [7, 0, 0]
    both.finished()
    left = arrays(PAIRS + multipliers)
    read_decisions(left, 5)
    with pytest.raises(FormatError, match="longer than what is in it"):
        left.finished()
    left.skip()
    left.finished()


def test_cliques_are_those_of_their_decisions() -> None:
    decisions, cliques = read_forced(arrays(PAIRS + encode_integers([2, 0, 1, 0])), 5)
    assert decisions.shape == (3, 2)
    assert list(cliques) == [[0, 1], []]


def test_prices_have_knots_and_axes_or_none() -> None:
    prices, knots, axes = read_prices(arrays(encode_floats([1.0, -1.0]) + encode_integers([]) + NO_AXES))
    assert (prices.tolist(), knots.tolist(), axes) == ([1.0, -1.0], [], None)
    own = encode_floats([1.0, -1.0]) + encode_integers([2, 0, 1]) + encode_integers([[3, 4]])
    _, knots, axes = read_prices(arrays(own), size=2, num_features=2)
    assert knots.tolist() == [2, 0, 1]
    assert axes is not None
    assert axes.tolist() == [[3, 4]]


def test_small_payloads_are_read() -> None:
    assert read_pair(arrays(encode_integers([4, 1])), 5) == (4, 1)
    points, weights = read_part(arrays(encode_integers([1, 4]) + encode_floats([0.5, 2.0])), 5)
    assert (points.tolist(), weights.tolist()) == ([1, 4], [0.5, 2.0])
    assert read_penalty(arrays(encode_floats([-2.5]))) == -2.5
    assert read_branching(arrays(encode_integers([8, 9]) + encode_floats([]))) == (8, 9, None)
    assert read_branching(arrays(encode_integers([8, 9]) + encode_floats([0.5]))) == (8, 9, 0.5)
    assert read_children(arrays(encode_integers([9, 8]))).tolist() == [9, 8]
    assert read_search(arrays(encode_integers([0, 0, 1]))).tolist() == [0, 0, 1]


# Structures


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "NaN",
        "[Infinity]",
        '{"b": 1, "b": 1}',
        "[" * 18 + "]" * 18,
        "[" * 10**5,
        '{"a":' * 10**5,
        "9" * 5000,
        None,
        7,
    ],
)
def test_what_is_no_structure_is_refused(text: object) -> None:
    with pytest.raises(FormatError, match=r"^a: (missing|no JSON, or nested too deeply)"):
        structure(text, "a")


def test_members_have_known_names_and_kinds() -> None:
    shape = {"n": (int,), "x": (int, float, NULL), "s": (str,), "l": (list,)}
    good = {"n": 1, "x": 2, "s": "", "l": []}
    assert members(good, "a", shape) == good
    for wrong in (
        {"m": 1},
        {"n": True},
        {"n": 1.0},
        {"x": "1"},
        {"x": 2**2000},
        {"x": math.nan},
        {"s": None},
        {"l": {}},
    ):
        with pytest.raises(FormatError, match=r"is not known|of another kind"):
            members(good | wrong, "a", shape)
    for other in ([], "n", None, 1):
        with pytest.raises(FormatError, match="not a JSON object"):
            members(other, "a", shape)


def test_items_are_of_one_kind() -> None:
    assert items([1, 2], "a", (int,)) == [1, 2]
    for wrong in ({}, "12", [True], [1.0], [None], 1):
        with pytest.raises(FormatError, match="not a list, or of other items"):
            items(wrong, "a", (int,))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 日本\nlines\tand tabs", "plain é 日本\nlines\tand tabs"),
        ("\x1b[2J\x1b]0;title\x07", r"\x1b[2J\x1b]0;title\x07"),
        ("\x9b31m\x7f\r\b\x00", r"\x9b31m\x7f\r\x08\x00"),
        ("a\u202eb\u2066c\u2028d", r"a\u202eb\u2066c\u2028d"),
        ("ز\u200cن", "ز\u200cن"),
    ],
)
def test_foreign_text_cannot_steer_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
    written = json_text({"a": text})
    assert json.loads(written) == {"a": text}
    assert not any(character in written for character in "\x1b\x9b\x7f\u202e\u2066\u2028")
