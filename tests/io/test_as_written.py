"""Points and pairs with decimal commas, quotation marks, comments and no-break spaces, as people write them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io import read_constraint_file, read_points, read_table, read_weights, text_table
from pcsos.problem.instance import Instance
from pcsos.problem.validation.names import PointNames


def written(folder: Path, text: str) -> Path:
    path = folder / "points.csv"
    path.write_text(text)
    return path


class TestDecimalCommas:
    TEXT = 'id;M,1;"a;b";mass\nP,1;0,5;1;2,5\n"P,2";-2,25;,5;1\n'

    def test_only_numbers_are_changed(self, tmp_path: Path) -> None:
        path = written(tmp_path, self.TEXT)
        table = read_table(path, decimal=",", id_column="id", weights_column="mass")
        assert table.ids == ("P,1", "P,2")
        assert table.names == ("M,1", "a;b")
        assert table.points.tolist() == [[0.5, 1.0], [-2.25, 0.5]]
        assert table.weights is not None
        assert table.weights.tolist() == [2.5, 1.0]
        table = read_table(path, decimal=",", shown=["id"], features=["M,1"])
        assert (table.shown, table.points.tolist()) == ({"id": ["P,1", "P,2"]}, [[0.5], [-2.25]])

    @pytest.mark.parametrize("head", ["x;y\n", ""])
    @pytest.mark.parametrize("field", ["1.234", "1.234,5", "-1.234.567,25"])
    def test_a_point_is_no_decimal_mark_beside_them(self, field: str, head: str, tmp_path: Path) -> None:
        path = written(tmp_path, f"{head}0,5;1\n3,5;{field}\n")
        message = (
            rf"line {2 + bool(head)}, column .* is '{field}', but its decimals stand behind a comma; remove points"
        )
        with pytest.raises(InputError, match=message):
            read_points(path, decimal=",")

    def test_a_point_in_the_first_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"line 1.*1\.5"):
            read_points(written(tmp_path, "1.5;2\n3,5;4\n"), decimal=",")

    def test_a_point_elsewhere_is_none_of_theirs(self, tmp_path: Path) -> None:
        path = written(tmp_path, "id;x\na.1;0,5\nb.2;1,5\n")
        assert read_points(path, decimal=",", ignore=["id"]).tolist() == [[0.5], [1.5]]
        assert read_points(written(tmp_path, "# from v1.2\n0,5 1\n1,5 2\n"), decimal=",").tolist() == [
            [0.5, 1.0],
            [1.5, 2],
        ]

    def test_weights(self, tmp_path: Path) -> None:
        assert read_weights(written(tmp_path, "1,5\n2\n"), 2, decimal=",").tolist() == [1.5, 2.0]
        with pytest.raises(InputError, match=r"line 2, column 1 is '1\.234', but its decimals"):
            read_weights(written(tmp_path, "1,5\n1.234\n"), 2, decimal=",")

    def test_a_first_line_in_doubt(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="has whole numbers above decimals, so it may name the columns"):
            read_points(written(tmp_path, "17;5\n1,5;2,25\n3,5;4,5\n"), decimal=",")
        assert read_points(written(tmp_path, "17;5\n1;2\n3;4\n"), decimal=",").shape == (3, 2)


class TestSeparators:
    @pytest.mark.parametrize(
        "text",
        [
            "city\tx\ty\nNew York\t1.5\t2.5\nParis\t3\t4\n",
            "city\tx\ty\nSmith, John\t1.5\t2.5\nb\t3\t4\n",
            "city,x,y\na;b,1.5,2.5\nc,3,4\n",
            "city;x;y\na,b;1.5;2.5\nc;3;4\n",
            "x y city\n1.5 2.5 a;b\n3 4 c\n",
            "city x y\na,b 1.5 2.5\nc 3 4\n",
        ],
    )
    def test_two_lines_tell_what_separates_values(self, text: str, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, text), id_column="city")
        assert table.points.tolist() == [[1.5, 2.5], [3.0, 4.0]]

    def test_blanks_and_tabs_together(self, tmp_path: Path) -> None:
        assert read_points(written(tmp_path, "1.5 2\t3 4\n5 6\t7 8\n")).shape == (2, 4)
        with pytest.raises(InputError, match=r"line 2 .* has blanks that may part thousands or separate values"):
            read_points(written(tmp_path, "1 234\t5 678\n2 345\t6 789\n"))

    def test_blanks_in_some_columns_between_tabs(self, tmp_path: Path) -> None:
        telephones = read_table(written(tmp_path, "030 1234\t1.5\n089 77\t2\n"), id_column="1", header=False)
        assert (telephones.ids, telephones.points.tolist()) == (("030 1234", "089 77"), [[1.5], [2.0]])
        with pytest.raises(InputError, match=r"line 2 .* has blanks that may part thousands or separate values"):
            read_table(written(tmp_path, "89 1234\t1.5\n89 77\t2\n"), id_column="1")
        with pytest.raises(InputError, match=r"line 2 .* has blanks that may part thousands or separate values"):
            read_points(written(tmp_path, "1 234,5\n2 345,6\n"), decimal=",")
        assert read_points(written(tmp_path, "1 34,5\n2 45,6\n"), decimal=",").tolist() == [[1.0, 34.5], [2.0, 45.6]]

    @pytest.mark.parametrize("mark", ",;\t")
    def test_marks_in_quotation_marks_separate_nothing(self, mark: str, tmp_path: Path) -> None:
        path = written(tmp_path, f'1 "a{mark} b" 2\n3 "c{mark} d" 4\n')
        assert read_points(path, ignore=["2"], header=False).tolist() == [[1.0, 2.0], [3.0, 4.0]]

    @pytest.mark.parametrize(
        ("text", "shape"),
        [
            ("05.20 10.30\t07.10 08.00\n05.30 11.30\t07.20 08.10\n", (2, 4)),
            ("x y\n12 345,5\n23 456,5\n", (2, 2)),
            ("a b\tc\n1 2\t3\n4 5\t6\n", (2, 3)),
            ("1.5\t2 3\n4\t5 6\n", (2, 3)),
            ('"length,cm" "h"\n1,5 2,5\n2,5 3,5\n', (2, 2)),
        ],
    )
    def test_blanks_that_are_clear(self, text: str, shape: tuple[int, int], tmp_path: Path) -> None:
        assert read_points(written(tmp_path, text), decimal="," if "," in text else ".").shape == shape

    def test_blanks_between_what_is_kept(self, tmp_path: Path) -> None:
        path = written(tmp_path, "1.0 2.0 3.0\t1\n4.0 5.0 6.0\t0\n")
        assert read_points(path, ignore=["4"]).tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]

    @pytest.mark.parametrize("text", ["ann\t1,5\nbob\t2,5\n", "1,5\tann\t2,5\n2,5\tbob\t3,5\n"])
    def test_tabs_between_decimal_commas_and_texts(self, text: str, tmp_path: Path) -> None:
        at = 1 + text.split("\n", maxsplit=1)[0].split("\t").index("ann")
        with pytest.raises(InputError, match=r"has a decimal comma; say --decimal ,|is '1,5', not a number"):
            read_table(written(tmp_path, text), id_column=str(at), header=False)
        table = read_table(written(tmp_path, text), id_column=str(at), header=False, decimal=",")
        assert table.ids == ("ann", "bob")

    def test_thousands_in_either_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"line 2 .* has blanks that may part thousands or separate values"):
            read_points(written(tmp_path, "12 345,5\n23 456\n34 567,5\n"), decimal=",")

    def test_a_text_beside_decimal_commas(self, tmp_path: Path) -> None:
        path = written(tmp_path, "a 1,5\nb 2,5\n")
        with pytest.raises(InputError, match="line 1, column 1 is 'a', not a number"):
            read_points(path, decimal=",", ignore=["1"])
        assert read_points(path, decimal=",", ignore=["1"], header=False).tolist() == [[1.5], [2.5]]

    def test_names_of_rows_as_r_writes_them(self, tmp_path: Path) -> None:
        path = written(tmp_path, '"1" 5.1 3.5\n"2" 4.9 3\n"3" 4.7 3.2\n')
        with pytest.raises(InputError, match="numbers of its rows in quotation marks in column 1; leave it out with"):
            read_points(path)
        assert read_points(path, ignore=["1"]).tolist() == [[5.1, 3.5], [4.9, 3.0], [4.7, 3.2]]
        assert read_weights(written(tmp_path, '"1"\n"2"\n"3"\n'), 3).tolist() == [1.0, 2.0, 3.0]
        with pytest.raises(InputError, match="2 column names but the next row has 3 values"):
            read_points(written(tmp_path, "body mass\theight\n1\t70.5\t1.8\n2\t80.5\t1.9\n"))
        assert read_points(written(tmp_path, '"1","2"\n"2","4"\n'), header=False).shape == (2, 2)

    def test_decimal_commas_between_commas(self, tmp_path: Path) -> None:
        quoted = written(tmp_path, '"x","y","z"\n"1,5","2,5","3"\n"4","5,25","6"\n')
        assert read_points(quoted, decimal=",").tolist() == [[1.5, 2.5, 3.0], [4.0, 5.25, 6.0]]
        for text in ("x,y\n1,2\n3,4\n", "1,5,2,5\n3,4,5,6\n", "sep=,\n1,5,2,5\n"):
            with pytest.raises(InputError, match="commas between"):
                read_points(written(tmp_path, text), decimal=",")

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("0,05\n0,17\n-0,33\n1,25\n2,5\n", r"line 1 \('0,05'\)"),
            ("1,5\n-0,33\n2,5\n", r"line 2 \('-0,33'\)"),
            ("# heights\n12,25\n+11,007\n", r"line 3 \('\+11,007'\)"),
        ],
    )
    def test_one_column_of_them_is_not_two(self, text: str, line: str, tmp_path: Path) -> None:
        path = written(tmp_path, text)
        for header in (None, False):
            with pytest.raises(InputError, match=rf"{line} may be one number with a decimal comma, .*; say --dec"):
                read_points(path, header=header)
        assert read_points(path, decimal=",").shape[1] == 1

    @pytest.mark.parametrize("text", ["1,234.50\n2,710.25\n", "12,345\n-1,234.5\n", "1,234,567.5\n2,000,000.0\n"])
    def test_one_column_of_thousands_is_not_several(self, text: str, tmp_path: Path) -> None:
        first = text.splitlines()[0]
        plain = first.replace(",", "")
        with pytest.raises(InputError, match=rf"line 1 \('{first}'\) may be one .* part thousands, .*; write {plain}"):
            read_points(written(tmp_path, text))

    @pytest.mark.parametrize(
        ("text", "width"),
        [
            ("1,2\n3,4\n", 2),
            ("12,345\n999,100\n", 2),
            ("0,0\n-1,10\n", 2),
            ("1,234.5\n12,34.5\n", 2),
            ("0, 05\n1, 17\n", 2),
            ("0.5,05\n1.5,17\n", 2),
            ("0,05,1\n1,25,2\n", 3),
            ("255,128,200\n12,345,678\n", 3),
            ("x,y\n0,05\n1,25\n", 2),
            ("2 2\n0,05\n1,25\n", 2),
            ("1;234.50\n2;710.25\n", 2),
        ],
    )
    def test_several_columns_stay_what_they_are(self, text: str, width: int, tmp_path: Path) -> None:
        assert read_points(written(tmp_path, text)).shape == (2, width)

    def test_whose_columns_have_roles_has_several(self, tmp_path: Path) -> None:
        path = written(tmp_path, "12,001\n13,002\n")
        assert read_table(path, id_column="2").ids == ("001", "002")
        assert read_points(path, ignore=["2"]).tolist() == [[12.0], [13.0]]
        assert read_table(path, features=["1", "2"]).points.shape == (2, 2)

    def test_a_no_break_space_or_a_point_in_a_name_costs_nothing(self, tmp_path: Path) -> None:
        def refuse(*_: object) -> None:
            raise AssertionError

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(text_table, "_checked_rows", refuse)
            assert read_points(written(tmp_path, "a\u00a0b,y\n1,2\n3,4\n")).shape == (2, 2)
            assert read_points(written(tmp_path, "v1.2;y\n1,5;2\n3;4\n"), decimal=",").shape == (2, 2)


class TestComments:
    def test_a_hash_within_quotation_marks_is_none(self, tmp_path: Path) -> None:
        path = written(tmp_path, 'id,x,y\n"a#1",1,2  # "first"\n"b#1",3,4\n')
        table = read_table(path, id_column="id")
        assert (table.ids, table.points.tolist()) == (("a#1", "b#1"), [[1.0, 2.0], [3.0, 4.0]])
        with pytest.raises(InputError, match="line 2, column 2 is '2#3', not a number"):
            read_points(written(tmp_path, '1.5,2\n1.5,"2#3"\n'))

    @pytest.mark.parametrize("text", ["id,x\n#12,1\n13,2\n", "id,x\n12,1\n#13,2\n14,3\n", "id x\na 1\n#b 2\n"])
    def test_a_row_that_looks_like_one_is_refused(self, text: str, tmp_path: Path) -> None:
        message = r"line \d \('#1?\w.*'\) may be a comment, or a point whose column 'id' begins with #"
        with pytest.raises(InputError, match=message):
            read_table(written(tmp_path, text), id_column="id")

    @pytest.mark.parametrize("text", ["#1,1.0,2.0\n2,1.5,2.5\n3,8,9\n", "#a,1,2\nb,3,4\n"])
    @pytest.mark.parametrize("role", ["id_column", "ignore"])
    def test_neither_is_the_first_row_lost(self, text: str, role: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"line 1 .* may be a comment, or a point whose column 1 begins with #"):
            read_table(written(tmp_path, text), header=False, **{role: "1" if role == "id_column" else ["1"]})

    @pytest.mark.parametrize("mark", ",;\t")
    def test_a_title_that_is_a_hash_is_in_doubt(self, mark: str, tmp_path: Path) -> None:
        rows, doubt = (
            "0,1.5,2\n1,3,4\n".replace(",", mark),
            r"line [12] .* may be a comment, or name the columns; remove",
        )
        for titles in (f"#{mark}x{mark}y\n", f"# {mark}x{mark}y # two\n", f"# by hand\n#{mark}x{mark}y\n"):
            with pytest.raises(InputError, match=doubt):
                read_points(written(tmp_path, titles + rows))
        for titles in (f"#{mark}x{mark}y\n", f"#No{mark}x{mark}y\n"):
            with pytest.raises(InputError, match=doubt):
                read_table(written(tmp_path, titles + rows), header=True, id_column="1")
        for comment in ("# x, y; z", f"#{mark}x", "#", f"#{mark}{mark}", f"#{mark}#{mark}#", f"#{mark}1.5{mark}2"):
            assert read_points(written(tmp_path, f"{comment}\n{rows}")).shape == (2, 3)
        years = written(tmp_path, f"# three years\n2001{mark}2002{mark}2003\n{rows}")
        assert read_points(years, header=True).shape == (2, 3)
        assert read_points(written(tmp_path, f"#{mark}x{mark}y\n{rows}"), header=False).shape == (2, 3)
        assert read_points(written(tmp_path, f'"#"{mark}x{mark}y\n{rows}'), ignore=["#"]).shape == (2, 2)

    def test_a_hash_behind_text_is_in_doubt(self, tmp_path: Path) -> None:
        path = written(tmp_path, "x,y,id\n1,2,apt 1 #5\n3,4,b\n")
        for role in ({"id_column": "id"}, {"shown": ["id"]}):
            with pytest.raises(
                InputError, match=r"line 2 .* has a # that may begin a comment or belong to column 'id'"
            ):
                read_table(path, **role)
        assert read_points(path, ignore=["id"]).shape == (2, 2)
        path = written(tmp_path, 'x,y,id\n1,2,"apt 1 #5"\n# other\n3,4,b\n')
        assert read_table(path, id_column="id").ids == ("apt 1 #5", "b")

    def test_a_row_that_is_cut_short_says_why(self, tmp_path: Path) -> None:
        path = written(tmp_path, "id,x,y\na,1,2\nb#1,3,4\n")
        with pytest.raises(InputError, match="line 3 has 1 value before the #, which begins a comment"):
            read_table(path, id_column="id")

    def test_an_id_of_a_pair_is_not_cut(self, tmp_path: Path) -> None:
        names = PointNames(3, ids=["a", "a#1", "Bob"])
        with pytest.raises(InputError, match=r"line 1 .* has a # that may begin"):
            read_constraint_file(written(tmp_path, "SML Bob a#1 5\n"), np.arange(3.0)[:, None], names)
        text = 'SML Bob "a#1" 5 # sure\n# all\n'
        found = read_constraint_file(written(tmp_path, text), np.arange(3.0)[:, None], names)
        assert found.soft_must_link == [(2, 1, 5.0)]

    def test_comments_beside_ids(self, tmp_path: Path) -> None:
        path = written(tmp_path, "# made by hand, in May\nid,x\n# the first, of two\na,1\n#b\nc,2\n")
        assert read_table(path, id_column="id").ids == ("a", "c")
        assert read_points(written(tmp_path, "x,y\n1,2\n#3,4\n5,6\n")).tolist() == [[1.0, 2.0], [5.0, 6.0]]


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2007"])
@pytest.mark.parametrize("head", ["", "mass\n"])
def test_a_no_break_space_separates_nothing(blank: str, head: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="with a no-break space; remove it"):
        read_points(written(tmp_path, f"{head}800\n1{blank}234\n5{blank}678\n"))
    path = written(tmp_path, f"Ada{blank}M 1 2\nBob{blank}K 3 4\n")
    table = read_table(path, id_column="1", header=False)
    assert (table.ids, table.points.tolist()) == ((f"Ada{blank}M", f"Bob{blank}K"), [[1.0, 2.0], [3.0, 4.0]])


class TestPairs:
    POINTS = np.arange(6.0)[:, None]

    def read(self, folder: Path, text: str, ids: str | None = None) -> tuple[list[list[int]], list[list[int]]]:
        names = PointNames(6, ids=[*ids.split("|")]) if ids else None
        found = read_constraint_file(written(folder, text), self.POINTS, names).constraints
        return found.must_link.tolist(), found.cannot_link.tolist()

    @pytest.mark.parametrize("text", ['"CL","0","1"\nML,2,3\n', '"CL" "0" "1"\n"ML" 2 3\n', '"CL";0;1\n"2";"3";"ML"\n'])
    def test_quotation_marks(self, text: str, tmp_path: Path) -> None:
        assert self.read(tmp_path, text) == ([[2, 3]], [[0, 1]])

    def test_a_hash_within_them(self, tmp_path: Path) -> None:
        ids = "a|b|b#1|x y|d|e"
        assert self.read(tmp_path, 'ML,a,"b#1"  # not b\n', ids) == ([[0, 2]], [])
        assert self.read(tmp_path, 'ML a "b#1"\nCL "x y" b\n', ids) == ([[0, 2]], [[1, 3]])

    @pytest.mark.parametrize("line", ["CLL -0 -1", "CLL .5 .6", '"CLL",+0,+1'])
    def test_a_first_line_with_numbers_is_no_titles(self, line: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="line 1 begins with 'CLL', not with"):
            self.read(tmp_path, f"{line}\nML 2 3\n")

    @pytest.mark.parametrize(
        "text",
        [
            "penalty,i,j,kind\n2,0,1,SML\n3,1,4,SCL\n,4,5,ML\n",
            "kind,weight,i,j\nSML,2,0,1\nSCL,3,1,4\nML,,4,5\n",
            ",i,Cost,j,kind\n0,0,2,1,SML\n1,1,3,4,SCL\n2,4,,5,ML\n",
            "i,j,kind,penalty\n0,1,SML,2\n1,4,SCL,3\n4,5,ML,\n",
        ],
    )
    def test_titles_say_where_the_penalty_is(self, text: str, tmp_path: Path) -> None:
        file = read_constraint_file(written(tmp_path, text), self.POINTS)
        assert (file.soft_must_link, file.soft_cannot_link) == ([(0, 1, 2.0)], [(1, 4, 3.0)])
        assert file.constraints.must_link.tolist() == [[4, 5]]

    @pytest.mark.parametrize("text", ["GAMMA 1_5\n", "SML 0 1 1_5\n"])
    def test_numbers_are_those_of_points(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="'1_5' after"):
            read_constraint_file(written(tmp_path, text), self.POINTS)

    def test_titles_of_a_table_of_pandas(self) -> None:
        rows = pd.DataFrame({"penalty": [2, 3], "i": [0, 1], "j": [1, 4]})
        given = {title: rows[[*order]] for title, order in (("first", rows.columns), ("last", ["i", "j", "penalty"]))}
        found = [Instance(self.POINTS, 2, soft_must_link=own).soft for own in given.values()]
        assert found[0].pairs.tolist() == found[1].pairs.tolist() == [[0, 1], [1, 4]]
        assert found[0].apart.tolist() == found[1].apart.tolist() == [2.0, 3.0]

    @pytest.mark.parametrize(
        "text",
        [
            'ML "Smith, John" Bob\n',
            'ML,"Smith, John",Bob\n',
            '"Smith, John"\tBob\tML\n',
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
            ("Cl,Na,ML\n", ([[0, 1]], [])),
            ("CL,Cl,Na\n", ([], [[0, 1]])),
            ("ML Cl, Na\n", ([[0, 1]], [])),
            ("ML a\u00a0b Na\n", ([[1, 2]], [])),
            ('ML,"a;b",Na\n', ([[1, 3]], [])),
            ("\ti\tj\tkind\n0\tCl\tNa\tML\n", ([[0, 1]], [])),
        ],
    )
    def test_ids_like_keywords_and_other_blanks(self, text: str, pairs: object, tmp_path: Path) -> None:
        assert self.read(tmp_path, text, "Cl|Na|a\u00a0b|a;b|d|e") == pairs

    @pytest.mark.parametrize(
        "text", ["nr,a,kind,b\n1,0,SML,5\n", "i,j,kind,year\n0,5,SML,2019\n", "kind,i,j,certainty\nSML,0,5,0.9\n"]
    )
    def test_a_fourth_column_says_what_it_holds(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"line 1 names four columns \(.*\), none of them penalty or confidence"):
            read_constraint_file(written(tmp_path, text), self.POINTS)

    @pytest.mark.parametrize(
        "text", ["a,b,kind\n0,2,SML,3\n", "kind,a,b\nSML,0,2,3\n", '"kind" "i" "j" "penalty"\n"1" "SML" 0 2 3\n']
    )
    def test_a_value_without_a_title_is_no_name_of_a_row(self, text: str, tmp_path: Path) -> None:
        assert read_constraint_file(written(tmp_path, text), self.POINTS).soft_must_link == [(0, 2, 3.0)]

    def test_a_missing_penalty_is_none(self, tmp_path: Path) -> None:
        text = '"kind","i","j","penalty"\n"ML",0,1,NA\n"SML",2,3,1.5\n"SCL",2,4,NA\n"GAMMA",4.5,,\n'
        file = read_constraint_file(written(tmp_path, text), self.POINTS)
        assert (file.soft_must_link, file.soft_cannot_link) == ([(2, 3, 1.5)], [(2, 4)])
        assert file.constraints.must_link.tolist() == [[0, 1]]
        assert file.constraints.cannot_link.tolist() == [[0, 5]]
