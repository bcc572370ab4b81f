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
from pcsos.verify.reading.arrays import Arrays, only
from pcsos.verify.reading.columns import TABLES, Column
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.multipliers import read_multipliers
from pcsos.verify.reading.structures import NULL, members, structure
from pcsos.verify.reading.text import printable
from tests.drafts import zeros

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
        read = Arrays.doubles if data[:1] == b"f" else Arrays.integers
        tracemalloc.start()
        found = only(read, data, "a", Memory(32 * values.size), ndim=1)
        assert tracemalloc.get_traced_memory()[1] < 33 * values.size
        tracemalloc.stop()
        assert (found == values).all()
        with pytest.raises(FormatError, match="a: takes 8 MB, more than a file of this size"):
            only(read, data, "a", Memory(32 * values.size - 1), ndim=1)


def test_a_triangle_has_a_side() -> None:
    for number in (2, 4, 5):
        own = Arrays(bytes(12) + encode_integers(np.zeros(number, int)), "a", Memory(10**6))
        with pytest.raises(FormatError, match="multipliers: N is not a triangle"):
            read_multipliers(own, 9, Memory(10**6))


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
