import gzip
import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io import PointNames, read_constraint_file, read_constraints
from pcsos.io.constraints import constraints_text
from pcsos.problem import geometry
from pcsos.problem.conditions import distances
from pcsos.problem.conditions.pairs import Constraints
from tests.io.files import refusal, written

DATA = Path(__file__).parents[1] / "data" / "constraints"
POINTS = np.arange(6.0).reshape(3, 2)

#: What the message about each malformed file must say: where, the value, and the remedy.
MALFORMED = {
    "unknown_keyword.txt": ["line 2 begins with 'XL'", "ML, CL, SML, SCL, GAMMA, DELTA"],
    "marked_pairs.txt": ["line 1 begins with '0'", "write a must-link as ML 0 1", "CL"],
    "missing_index.csv": ["line 2 has 3 values after CL"],
    "too_few_fields.txt": ["line 2 has 1 value after CL", "two point indices"],
    "too_many_fields.txt": ["line 1 has 3 values after ML"],
    "not_whole.txt": ["line 1 has '1.5'", "whole number"],
    "text_index.txt": ["line 3 has 'one'", "whole number"],
    "out_of_range.txt": ["line 2 names point 5", "from 0 to 2"],
    "negative.txt": ["line 1 names point -1", "from 0 to 2"],
    "self_cannot_link.txt": ["line 1 says that point 2", "itself"],
    "points.txt": ["line 1 begins with '3'", "data file"],
    "points.csv": ["line 1 begins with 'x'", "data file"],
    "points.npy": ["kind npy"],
    "empty.txt": ["is empty"],
    "gamma_without_value.txt": ["line 1 has 0 values after GAMMA", "one distance"],
    "gamma_text.txt": ["line 2 has 'far' after GAMMA", "0 or more"],
    "delta_negative.txt": ["line 1 has '-1' after DELTA", "0 or more"],
    "delta_nan.txt": ["line 1 has 'nan' after DELTA"],
    "not_utf8.txt": ["line 1 holds the byte 0xf6", "UTF-8"],
    "truncated.txt.gz": ["truncated gzip file"],
    "not_json.json": ["line 2 is not valid JSON"],
    "no_keys.json": ["'ml' and 'cl'"],
    "list.json": ["'ml' and 'cl'"],
    "unknown_key.json": ["has the key 'n', unknown"],
    "soft.json": ["has soft pairs", "read it with read_constraint_file"],
    "pairs_not_list.json": ["'3' under 'ml'", "list of pairs"],
    "triple.json": ["ml[1] has 3 values after ML", "two point indices, or SML for a soft pair"],
    "fraction.json": ["cl[0] is '[0, 1.5]'"],
    "out_of_range.json": ["cl[1] names point 5", "from 0 to 2"],
    "self_cannot_link.json": ["cl[0] says that point 2", "itself"],
    "deeply_nested.json": ["JSON", "correct it"],  # too deep up to Python 3.13
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_file_is_refused_in_one_sentence(name: str) -> None:
    message = refusal(lambda path: read_constraints(path, POINTS), DATA / name)
    for part in MALFORMED[name]:
        assert part in message


def test_every_malformed_file_is_tested() -> None:
    assert {path.name for path in DATA.iterdir()} == set(MALFORMED)


TEXT = "# by hand\nML 2 0\n\nCL 1 0\n  # twice\nML 0 2\nML 1 1\n"
JSON = json.dumps({"ml": [[2, 0], [0, 2], [1, 1]], "cl": [[1, 0]], "sml": [], "scl": [], "sml_proba": []})


@pytest.mark.parametrize("compress", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT.lower(),
        "ML,2,0\nCL, 1 ,0\n",
        "Ml;2;0\ncl\t1\t0\n",
        "kind,i,j\nml,2,0\ncl,1,0\n",
        "a;b;constraint\n2;0;must-link\n1;0;cannot_link\n",
        TEXT.replace("\n", "\r\n"),
        "\ufeff" + TEXT,
        JSON,
        "\ufeff" + JSON,
    ],
)
def test_pairs_are_sorted_and_without_duplicates(tmp_path: Path, content: str, compress: bool) -> None:
    path = tmp_path / "пары"
    data = content.encode()
    path.write_bytes(gzip.compress(data) if compress else data)
    constraints = read_constraints(path, POINTS)
    assert constraints.must_link.tolist() == [[0, 2]]
    assert constraints.cannot_link.tolist() == [[0, 1]]


@pytest.mark.parametrize("content", ["# none\n", '{"ml": []}', '{"cl": [], "ml": []}'])
def test_no_constraints(tmp_path: Path, content: str) -> None:
    constraints = read_constraints(written(tmp_path, content), POINTS)
    assert constraints.must_link.shape == constraints.cannot_link.shape == (0, 2)


@pytest.mark.parametrize("block", [1, 100, geometry.BLOCK_ENTRIES])
def test_thresholds_are_the_pairs_they_stand_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(geometry, "BLOCK_ENTRIES", block)
    points = np.random.default_rng(1).normal(size=(30, 3))
    constraints = read_constraints(written(tmp_path, "GAMMA 2.5\nDELTA 0.9\nCL 0 1\nML 2 3\n"), points)
    distance = {(i, j): math.dist(points[i], points[j]) for i, j in itertools.combinations(range(30), 2)}
    far = {pair for pair in distance if distance[pair] > 2.5} | {(0, 1)}
    near = {pair for pair in distance if distance[pair] < 0.9} | {(2, 3)}
    assert len(far) > 10
    assert len(near) > 10
    assert {tuple(pair) for pair in constraints.cannot_link.tolist()} == far
    assert {tuple(pair) for pair in constraints.must_link.tolist()} == near


def test_thresholds_are_strict_and_the_tightest_counts(tmp_path: Path) -> None:
    points = np.array([[0.0], [1.0], [3.0]])
    constraints = read_constraints(written(tmp_path, "GAMMA 2\nGAMMA 5\nDELTA 0.5\nDELTA 2\n"), points)
    assert constraints.cannot_link.tolist() == [[0, 2]]
    assert constraints.must_link.tolist() == [[0, 1]]


def test_threshold_with_too_many_pairs_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distances, "MAX_PAIRS", 100)
    with pytest.raises(InputError, match="GAMMA 0, which makes more than 100 pairs"):
        read_constraints(written(tmp_path, "GAMMA 0\n"), np.arange(20.0)[:, None])


def test_a_repeated_key_loses_nothing_in_silence(tmp_path: Path) -> None:
    path = written(tmp_path, '{"ml": [[0, 4]], "ml": [[1, 2]]}')
    with pytest.raises(InputError, match="'ml' is there twice"):
        read_constraints(path, np.zeros((5, 1)))


def test_points_are_counted_from_1_where_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "c"
    for content in ("ML 3 1\nCL 2 1\n", '{"ml": [[3, 1]], "cl": [[2, 1]]}'):
        path.write_text(content)
        constraints = read_constraints(path, POINTS, PointNames(3, first=1))
        assert (constraints.must_link.tolist(), constraints.cannot_link.tolist()) == ([[0, 2]], [[0, 1]])
    with pytest.raises(InputError, match=r"names point 3, but point indices go from 0 to 2; .*--one-based"):
        read_constraints(path, POINTS)
    path.write_text("CL 0 1\n")
    with pytest.raises(InputError, match="line 1 names point 0, but point indices go from 1 to 3"):
        read_constraints(path, POINTS, PointNames(3, first=1))


@pytest.mark.parametrize(
    "content",
    [
        "ML Eva 17\nCL 'x 17\n",
        'kind,a,b\nML,Eva,17\nCL,"\'x",17\n',
        '{"ml": [["Eva", 17]], "cl": [["\'x", "17"]]}',
    ],
)
def test_points_are_called_by_their_ids(tmp_path: Path, content: str) -> None:
    constraints = read_constraints(written(tmp_path, content), POINTS, PointNames(3, ids=["Eva", "'x", "17"]))
    assert (constraints.must_link.tolist(), constraints.cannot_link.tolist()) == ([[0, 2]], [[1, 2]])


def test_ids_hold_blanks_between_commas(tmp_path: Path) -> None:
    names = PointNames(3, ids=["Eva Ek", "b, c", "d"])
    assert read_constraints(written(tmp_path, 'cl, Eva Ek, "b, c"\n'), POINTS, names).cannot_link.tolist() == [[0, 1]]
    for wrong in ("CL,Eva,d\n", "Eva Ek,d,d\n", "XL,Eva Ek,d\n"):
        with pytest.raises(InputError, match=r"line 1 (names the point 'Eva', but no point|begins with)"):
            read_constraints(written(tmp_path, wrong), POINTS, names)


@pytest.mark.parametrize("text", ["a,b,c\n1.5,2,3\n", "a,b,c\nd,e,f\nML,0,1\n", "CLL -0 -1\nML 0 1\n", '"CLL",+0,+1\n'])
def test_a_table_of_points_is_recognised(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1 begins with .* if this is the data file, give it as POINTS"):
        read_constraints(written(tmp_path, text), POINTS)


@pytest.mark.parametrize("text", ["1,1,0,-1\n1,1,0,0\n", "1 0 0 -1 0\n", "1.0;0.0;-1.0;0.0\n"])
def test_a_matrix_is_refused_with_the_line_that_takes_its_pairs(text: str, tmp_path: Path) -> None:
    (tmp_path / "c").write_text(text)
    with pytest.raises(
        InputError, match=r"is a matrix of 1, -1 and 0, which is not read here; in Python, .* give must_link="
    ) as caught:
        read_constraints(tmp_path / "c", POINTS)
    given = str(caught.value).partition("give ")[2]
    matrix = np.array([[1, 1, 0, -1], [1, 1, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 1]])
    pairs = eval(f"dict({given})", {"numpy": np, "M": matrix})
    assert {key: value.tolist() for key, value in pairs.items()} == {"must_link": [[0, 1]], "cannot_link": [[0, 3]]}


def test_each_pair_has_its_place(tmp_path: Path) -> None:
    points = np.array([[0.0], [1.0], [3.0], [8.0]])
    (tmp_path / "c").write_text("# none\nML 2 1\nCL 0 1\nGAMMA 6\nGAMMA 7.5\nML 1 2\nDELTA 1.5\n")
    file = read_constraint_file(tmp_path / "c", points)
    assert (file.place("ML", 1, 2), file.place("CL", 1, 0)) == ("line 2", "line 3")
    assert (file.place("ML", 0, 1), file.place("CL", 0, 3)) == ("line 7 (DELTA 1.5)", "line 4 (GAMMA 6)")
    (tmp_path / "c").write_text('{"ml": [], "cl": [[0, 2], [3, 1]]}')
    assert read_constraint_file(tmp_path / "c", points).place("CL", 1, 3) == "cl[1]"


class TestTables:
    """Lines with titles, quotation marks and other separators, as spreadsheets, pandas and R write them."""

    POINTS = np.arange(6.0)[:, None]

    def read(self, folder: Path, text: str, ids: str | None = None) -> tuple[list[list[int]], list[list[int]]]:
        names = PointNames(6, ids=[*ids.split("|")]) if ids else None
        found = read_constraint_file(written(folder, text), self.POINTS, names).constraints
        return found.must_link.tolist(), found.cannot_link.tolist()

    @pytest.mark.parametrize(
        "text",
        [
            '"CL","0","1"\nML,2,3\n',
            '"CL" "0" "1"\n"ML" 2 3\n',
            "sep=;\nkind;a;b;;\nML;2;3;;\nCL;0;1\n",
            "ML;2;3;;\nCL;0;1;;\n",
            "\ta\tb\tlink\n0\t3\t2\tML\n1\t0\t1\tcannot-link\n",
            '"kind" "i" "j"\n"1" "ML" 2 3\n"2" "CL" 0 1\n',
        ],
    )
    def test_as_programs_write_them(self, text: str, tmp_path: Path) -> None:
        assert self.read(tmp_path, text) == ([[2, 3]], [[0, 1]])

    @pytest.mark.parametrize(
        "text",
        [
            'ML "Smith, John" Bob\n',
            'ML,"Smith, John",Bob\n',
            "ML;Smith, John;Bob\n",
            "a\tb\tkind\nSmith, John\tBob\tML\n",
            '"kind" "i" "j"\n"1" "ML" "Smith, John" "Bob"\n',
            "sep=;\nML;Smith, John;Bob\n",
        ],
    )
    def test_ids_with_what_separates_others(self, text: str, tmp_path: Path) -> None:
        assert self.read(tmp_path, text, "Smith, John|Bob|a;b|c|d|e") == ([[0, 1]], [])

    @pytest.mark.parametrize(
        ("text", "pairs"),
        [
            ("a,b,kind\nCl,Na,ML\n", ([[0, 1]], [])),
            ("CL,Cl,Na\n", ([], [[0, 1]])),
            ("ML a\u00a0b Na\n", ([[1, 2]], [])),
            ('ML,"a;b",Na\nML,a;b,Cl\n', ([[0, 3], [1, 3]], [])),
            ("ML,#d,link\n", ([[4, 5]], [])),
            ("\ti\tj\tkind\n0\tCl\tNa\tML\n", ([[0, 1]], [])),
        ],
    )
    def test_ids_like_keywords_and_marks(self, text: str, pairs: object, tmp_path: Path) -> None:
        assert self.read(tmp_path, text, "Cl|Na|a\u00a0b|a;b|#d|link") == pairs

    @pytest.mark.parametrize(
        "text",
        [
            "penalty,i,j,kind\n2,0,1,SML\n3,1,4,SCL\n,4,5,ML\n",
            "kind,weight,i,j\nSML,2,0,1\nSCL,3,1,4\nML,,4,5\n",
            ",i,Cost,j,kind\n0,0,2,1,SML\n1,1,3,4,SCL\n2,4,,5,ML\n",
            '"i","j","kind","penalty"\n0,1,"SML",2\n1,4,"SCL",3\n4,5,"ML",NA\n',
        ],
    )
    def test_titles_say_where_the_penalty_is(self, text: str, tmp_path: Path) -> None:
        file = read_constraint_file(written(tmp_path, text), self.POINTS)
        assert (file.soft_must_link, file.soft_cannot_link) == ([(0, 1, 2.0)], [(1, 4, 3.0)])
        assert file.constraints.must_link.tolist() == [[4, 5]]

    def test_lines_below_titles_may_be_shorter(self, tmp_path: Path) -> None:
        text = "kind,i,j,penalty\nML,0,1\nSML,2,3,1.5\nSCL,2,4,NA\nGAMMA,4.5,,\n"
        file = read_constraint_file(written(tmp_path, text), self.POINTS)
        assert (file.soft_must_link, file.soft_cannot_link) == ([(2, 3, 1.5)], [(2, 4)])
        assert (file.constraints.must_link.tolist(), file.constraints.cannot_link.tolist()) == ([[0, 1]], [[0, 5]])

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("nr,a,kind,b\n1,0,SML,5\n", r"line 1 names columns \('nr, a, kind, b'\) that are not 'kind', two points"),
            ("kind,i,j,certainty\nSML,0,5,0.9\n", "line 1 names columns .* name one so if it says what a pair counts"),
            ("a,b,kind\n0,2,SML,3\n", "line 2 begins with '0'"),
            ("ML 0 1 # sure\n", "line 1 has 4 values after ML; write comments on lines of their own"),
            (
                "type,i,j,weight\nml,0,1,0.5\n",
                "line 2 has 3 values after ML; give two point indices, or SML for a soft pair",
            ),
            ("0,1,ML\n", "line 1 begins with '0'"),
            ("GAMMA 1_5\n", "'1_5' after GAMMA"),
            ("SML 0 1 1_5\n", "'1_5' after"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, text: str, message: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=message):
            read_constraint_file(written(tmp_path, text), self.POINTS)


@pytest.mark.parametrize(
    "text",
    [
        '{"ML": [[0, 1]], "CL": [[0, 2]]}',
        '{"must_link": [[0, 1]], "cannot_link": [[0, 2]], "soft_must_link": null}',
        '{"must-link": [[0, 1]], "cl": [[0, 2]]}',
    ],
)
def test_keys_of_json_are_spelled_as_keywords_are(text: str, tmp_path: Path) -> None:
    found = read_constraints(written(tmp_path, text), POINTS)
    assert (found.must_link.tolist(), found.cannot_link.tolist()) == ([[0, 1]], [[0, 2]])
    with pytest.raises(InputError, match="has the key 'ml', unknown or a second name of another; leave only"):
        read_constraints(written(tmp_path, '{"ml": [[0, 1]], "must_link": [[0, 2]]}'), POINTS)


class TestWriting:
    PAIRS = Constraints(4, [(0, 1)], [(1, 2), (0, 3)])

    def check(self, folder: Path, names: PointNames) -> str:
        text = constraints_text(self.PAIRS, names)
        (folder / "pairs.txt").write_bytes(text.encode())
        read = read_constraints(folder / "pairs.txt", np.zeros((4, 1)), names)
        assert read.must_link.tolist() == self.PAIRS.must_link.tolist()
        assert read.cannot_link.tolist() == self.PAIRS.cannot_link.tolist()
        return text

    @pytest.mark.parametrize(
        ("names", "is_json"),
        [
            (PointNames(4), False),
            (PointNames(4, first=1), False),
            (PointNames(4, ids=["a", "b", "ML", "3"]), False),
            (PointNames(4, ids=["a b", "b", "c", "d"]), True),
            (PointNames(4, ids=["a", "b;1", "c,2", "#d"]), True),
            (PointNames(4, ids=['"', "é", "c", "d"]), True),
        ],
    )
    def test_what_is_written_is_read_again(self, tmp_path: Path, names: PointNames, is_json: bool) -> None:
        assert self.check(tmp_path, names).startswith("{") == is_json

    @pytest.mark.parametrize("letter", [chr(code) for code in range(0x3001) if chr(code).isspace()], ids=ascii)
    def test_white_space_of_all_kinds_is_part_of_a_name(self, tmp_path: Path, letter: str) -> None:
        """Ids that a reader who splits at it, or strips it, takes for those of other points."""
        self.check(tmp_path, PointNames(4, ids=["a", f"a{letter}", "b", f"a{letter}b"]))

    def test_no_pairs_can_be_read_again(self, tmp_path: Path) -> None:
        (tmp_path / "pairs.txt").write_text(constraints_text(Constraints(4), PointNames(4)))
        assert read_constraints(tmp_path / "pairs.txt", np.zeros((4, 1))).must_link.size == 0
