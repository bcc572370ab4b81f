"""The dialect of text files with points: what separates values, decimal marks, quotation marks, and comments."""

from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import InputError
from pcsos.io import read_points, read_table, text_table
from tests.io.files import refusal, written


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
        message = rf"line {2 + bool(head)}, column .* is '{field}', but its decimals stand behind a comma; remove"
        with pytest.raises(InputError, match=message):
            read_points(path, decimal=",")

    def test_a_point_elsewhere_is_none_of_theirs(self, tmp_path: Path) -> None:
        path = written(tmp_path, "id;x\na.1;0,5\nb.2;1,5\n")
        assert read_points(path, decimal=",", ignore=["id"]).tolist() == [[0.5], [1.5]]
        path = written(tmp_path, "# from v1.2\n0,5 1\n1,5 2\n")
        assert read_points(path, decimal=",").tolist() == [[0.5, 1.0], [1.5, 2]]

    def test_a_first_line_in_doubt(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="has whole numbers above decimals, so it may name the columns"):
            read_points(written(tmp_path, "17;5\n1,5;2,25\n3,5;4,5\n"), decimal=",")
        assert read_points(written(tmp_path, "17;5\n1;2\n3;4\n"), decimal=",").shape == (2 + 1, 2)

    @pytest.mark.parametrize(
        "text", ["x,y\n1,2\n3,4\n", "1,5,2,5\n3,4,5,6\n", "sep=,\n1,5,2,5\n", '"x","y"\n"1,5","2"\n']
    )
    def test_commas_do_not_separate_values_too(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"commas between names|several commas|not a number|says that ','"):
            read_points(written(tmp_path, text), decimal=",")


class TestDelimiters:
    @pytest.mark.parametrize(
        "text",
        [
            "city\tx\ty\nNew York\t1.5\t2.5\nParis\t3\t4\n",
            "city\tx\ty\nSmith, John\t1.5\t2.5\nb\t3\t4\n",
            "city,x,y\na;b,1.5,2.5\nc,3,4\n",
            "city;x;y\na,b;1.5;2.5\nc;3;4\n",
            "city x y\na,b 1.5 2.5\nc 3 4\n",
            'city x y\n"a;b, c" 1.5 2.5\nc 3 4\n',
        ],
    )
    def test_two_lines_tell_what_separates_values(self, text: str, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, text), id_column="city")
        assert table.points.tolist() == [[1.5, 2.5], [3.0, 4.0]]

    def test_blanks_between_tabs_separate_nothing(self, tmp_path: Path) -> None:
        telephones = read_table(written(tmp_path, "030 1234\t1.5\n089 77\t2\n"), id_column="1")
        assert (telephones.ids, telephones.points.tolist()) == (("030 1234", "089 77"), [[1.5], [2.0]])
        with pytest.raises(InputError, match=r"line 1, column 1 is '1\.5 2', not a number; write plain numbers,"):
            read_points(written(tmp_path, "1.5 2\t3 4\n5 6\t7 8\n"))

    @pytest.mark.parametrize("text", ['1,5\t"ann"\n2,5\t"bob"\n', '1,5\t7"\n2,5\t8"\n'])
    def test_quotation_marks_hide_no_tabs(self, text: str, tmp_path: Path) -> None:
        table = read_table(written(tmp_path, text), id_column="2", decimal=",")
        assert table.points.tolist() == [[1.5], [2.5]]
        with pytest.raises(InputError, match=r"column 1 is '1,5' with a comma; say --decimal ,"):
            read_table(written(tmp_path, text), id_column="2")

    @pytest.mark.parametrize("mark", ",;\t")
    def test_marks_in_quotation_marks_separate_nothing(self, mark: str, tmp_path: Path) -> None:
        path = written(tmp_path, f'1 "a{mark} b" 2\n3 "c{mark} d" 4\n')
        assert read_points(path, ignore=["2"]).tolist() == [[1.0, 2.0], [3.0, 4.0]]

    @pytest.mark.parametrize("told", ["sep=;", "SEP=;", '"sep=;"'])
    def test_a_first_line_may_tell(self, told: str, tmp_path: Path) -> None:
        assert read_points(written(tmp_path, f"{told}\nx;y\n1.5;2\n3;4\n")).tolist() == [[1.5, 2.0], [3.0, 4.0]]
        with pytest.raises(InputError, match="line 3, column 2 is '\\?', a missing value"):
            read_points(written(tmp_path, f"{told}\n1.5;2\n3;?\n"))

    def test_other_delimiters_are_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"line 1 says that '\|' separates the values; use semicolon"):
            read_points(written(tmp_path, "sep=|\n1.5|2\n3|4\n"))

    def test_line_ends_within_quotation_marks(self, tmp_path: Path) -> None:
        text = 'x,id\n1.5,"1\n"\n2.5,"a\n#b\n\n"\n# the last\n9,"8"\n'
        table = read_table(written(tmp_path, text), id_column="id")
        assert (table.ids, table.points.tolist()) == (("1", "a\n#b", "8"), [[1.5], [2.5], [9.0]])
        assert table.place(2) == "line 9"
        with pytest.raises(InputError, match="line 3 has a value that is not all within its quotation marks"):
            read_points(written(tmp_path, '1.5,2\n2.5,3\n"4,5\n6,7\n'))


class TestOneNumberALine:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("0,05\n0,17\n-0,33\n1,25\n2,5\n", r"line 1 \('0,05'\)"),
            ("1,5\n-0,33\n2,5\n", r"line 2 \('-0,33'\)"),
            ("\ufeff# heights\r\n12,25\r\n+11,007\r\n", r"line 3 \('\+11,007'\)"),
            ("12,25\r11,07\r", r"line 2 \('11,07'\)"),
        ],
    )
    def test_one_column_of_decimals_is_not_two(self, text: str, line: str, tmp_path: Path) -> None:
        path = written(tmp_path, text.encode())
        for header in (None, False):
            with pytest.raises(InputError, match=rf"{line} may be one number, or several; .* say --decimal ,"):
                read_points(path, header=header)
        assert read_points(path, decimal=",").shape[1] == 1

    @pytest.mark.parametrize("text", ["1,234.50\n2,710.25\n", "12,345\n-1,234.5\n", "1,234,567.5\n2,000,000.0\n"])
    def test_one_column_of_thousands_is_not_several(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"line . \('.*\.\d+'\) may be one number, or several; .* parts thousands"):
            read_points(written(tmp_path, text))

    @pytest.mark.parametrize("decimal", ".,")
    @pytest.mark.parametrize("text", ["1 234,5\n2 345,6\n", "12 345,5\n23 456\n34 567,5\n"])
    def test_blanks_may_part_thousands(self, text: str, decimal: str, tmp_path: Path) -> None:
        text = text.replace(",", decimal)
        with pytest.raises(InputError, match=r"line 1 .* may be one number, or several"):
            read_points(written(tmp_path, text), decimal=decimal)
        with pytest.raises(InputError, match="1 column name but the next row has 2 values"):
            read_points(written(tmp_path, f"mass\n{text}"), decimal=decimal)

    @pytest.mark.parametrize(
        ("text", "width"),
        [
            ("1,2\n3,4\n", 2),
            ("12,345\n999,100\n", 2),
            ("0,0\n-1,10\n", 2),
            ("1,234.5\n12,34.5\n", 2),
            ("0, 05\n1, 17\n", 2),
            ("12 345\n999 100\n", 2),
            ("1 234.5\n12 34.5\n", 2),
            ("0.5,05\n1.5,17\n", 2),
            ("0,05,1\n1,25,2\n", 3),
            ("255,128,200\n12,345,678\n", 3),
            ("x,y\n0,05\n1,25\n", 2),
            ("2 2\n0,05\n1,25\n", 2),
            ("sep=,\n0,05\n1,25\n", 2),
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


class TestComments:
    def test_a_line_that_begins_with_a_hash_is_one(self, tmp_path: Path) -> None:
        path = written(tmp_path, "# made by hand, in May\nid,x\n  # the first, of two\na,1\n#b\nc,2\n# end")
        assert read_table(path, id_column="id").ids == ("a", "c")
        assert read_points(written(tmp_path, "x,y\n1,2\n#3,4\n5,6\n")).tolist() == [[1.0, 2.0], [5.0, 6.0]]

    def test_any_other_hash_is_none(self, tmp_path: Path) -> None:
        path = written(tmp_path, 'x,y,id\n1,2,apt 1 #5\n3,4,"b#1"\n5,6,"#c"\n')
        assert read_table(path, id_column="id").ids == ("apt 1 #5", "b#1", "#c")

    @pytest.mark.parametrize(
        "text", ["1.5 2 # x\n3 4\n", "2 2 # n d\n1.5 2\n3 4\n", "x,y\n1.5,2\n3,4 # last\n", "1\n2 #3\n"]
    )
    def test_behind_values_there_are_none(self, text: str, tmp_path: Path) -> None:
        with pytest.raises(
            InputError, match=r"line \d.*(correct that line, and |; )write comments on lines of their own"
        ):
            read_points(written(tmp_path, text))

    def test_names_in_one_are_not_those_of_the_header(self, tmp_path: Path) -> None:
        """As NumPy writes them; the first point would be lost."""
        path = tmp_path / "points.csv"
        np.savetxt(path, [[1.0, 2.0], [3.0, 4.0]], delimiter=",", header="x,y")
        assert read_points(path).shape == (2, 2)
        with pytest.raises(InputError, match=r"line 2 .* has numbers below a comment like names; remove its #"):
            read_points(path, header=True)
        np.savetxt(path, [[1.0, 2.0], [3.0, 4.0]], delimiter=",", header="x,y", comments="")
        assert read_points(path, header=True).shape == (2, 2)
        years = written(tmp_path, "# three years\n2001,2002,2003\n0,1.5,2\n1,3,4\n")
        assert read_points(years, header=True).shape == (2, 3)

    @pytest.mark.parametrize(
        "text",
        ["id,x\n#12,1\n13,2\n", "id x\na 1\n#b 2\n", "#1,1.0,2.0\n2,1.5,2.5\n3,8,9\n", "#a;1;2\nb;3;4\n"],
    )
    @pytest.mark.parametrize("role", ["id_column", "ignore"])
    def test_a_row_that_looks_like_one_is_refused(self, text: str, role: str, tmp_path: Path) -> None:
        with pytest.raises(
            InputError, match=r"line \d \('#.*'\) may be a comment, or a point whose first value begins"
        ):
            read_table(written(tmp_path, text), **{role: "1" if role == "id_column" else ["1"]})

    @pytest.mark.parametrize(
        ("text", "line"), [("x,y\n1,2\n#N/A,5\n3,4\n", 3), ("1,2\n3,#DIV/0!\n", 2), ("#VALUE!\n1\n", 1)]
    )
    def test_errors_of_a_spreadsheet_are_none(self, text: str, line: int, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=rf"line {line}, column .* is '#.*', a missing value"):
            read_points(written(tmp_path, text))
        path = written(tmp_path, "# rows with #N/A are left out\n1,2\n3,4\n")
        assert read_points(path).tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2007"])
@pytest.mark.parametrize("head", ["", "mass\n"])
def test_a_no_break_space_separates_nothing(blank: str, head: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="with a no-break space; remove it"):
        read_points(written(tmp_path, f"{head}800\n1{blank}234\n5{blank}678\n"))
    path = written(tmp_path, f"Ada{blank}M 1 2\nBob{blank}K 3 4\n")
    table = read_table(path, id_column="1")
    assert (table.ids, table.points.tolist()) == ((f"Ada{blank}M", f"Bob{blank}K"), [[1.0, 2.0], [3.0, 4.0]])


def test_no_break_spaces_and_points_in_names_cost_nothing(tmp_path: Path) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_table, "_checked_rows", refuse)
        assert read_points(written(tmp_path, "a\u00a0b,y\n1,2\n3,4\n")).shape == (2, 2)
        assert read_points(written(tmp_path, "v1.2;y\n1,5;2\n3;4\n"), decimal=",").shape == (2, 2)


def test_lines_that_end_as_on_old_computers_are_counted(tmp_path: Path) -> None:
    for value, message in ((b"\x00", "line 3 holds the byte 0x00"), (b"#N/A", "line 3, column 'y' is '#N/A'")):
        with pytest.raises(InputError, match=message):
            read_points(written(tmp_path, b"x,y\r1,2\r3," + value + b"\r"))


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        (
            "shop;x;y\na;1,5;2\nb;3;4\n",
            "leave the column out with --ignore shop, or say --id shop if it names the points$",
        ),
        (
            "shop;x;town\na;1.5;u\nb;3;v\n",
            "column 'shop' is 'a', not a number; write plain numbers, leave the column out with --ignore shop, or",
        ),
        (
            "x,y\n1,4\n2,5\n3,1\nTotal,10\n",
            "line 5, column 'x' is 'Total', not a number; remove that row if it sums up",
        ),
        ("x,y\n1,4\n2,5\nb,1\na,10\n", "line 4, column 'x' is 'b', not a number; write plain numbers, leave"),
        ("x,y\n$1.5,20%\n2,3\n", "column 'x' is '\\$1.5', not a number; write plain numbers, leave"),
        (" 1.5D+00 2D3\n", "column 1 is '1.5D\\+00', not a number; write e in place of D"),
        ("x,y\n1,4d\n", "column 'y' is '4d', not a number; write plain"),
        ("x;y\n1,5;2\n3;4\n", "column 'x' is '1,5' with a comma; say --decimal , if it is a decimal comma"),
    ],
)
def test_remedies_name_the_columns_that_are_text(text: str, remedy: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=remedy):
        read_points(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "line"),
    [('"1"2,3\n4,5\n', 1), ('x\ty\n1\t2\n"007".5\t3\n', 3), ('1.3;0.5\n2;"64', 2), ('1,2\n3,"4\n5,6\n', 2)],
)
def test_values_that_are_half_in_quotation_marks_are_refused(text: str, line: int, tmp_path: Path) -> None:
    message = refusal(read_points, written(tmp_path, text))
    assert f"line {line} has a value that is not all within its quotation marks" in message


@pytest.mark.parametrize("text", ['"1","2"\n"3","4"\n', '1, "2"\n3, "4"\n', '1\t"2"\n3\t"4"\n', '"1" 2\n"3" 4\n'])
def test_values_in_quotation_marks_are_read(text: str, tmp_path: Path) -> None:
    assert read_points(written(tmp_path, text)).tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_column_of_decimal_commas_below_one_is_refused(tmp_path: Path) -> None:
    assert "--decimal ," in refusal(read_points, written(tmp_path, "0,5\n0,25\n0,75\n"))
    assert read_points(written(tmp_path, "x,y\n0,5\n0,25\n"), header=True).tolist() == [[0.0, 5.0], [0.0, 25.0]]
