import json

from pcsos.report.markup import Markup, element, script_data, table

HOSTILE = '</td><script>alert("1")</script>&amp;'


def test_text_is_escaped_wherever_it_enters() -> None:
    assert element("p", "a < b & c") == "<p>a &lt; b &amp; c</p>"
    assert element("p", "x", title='"><b>') == '<p title="&quot;&gt;&lt;b&gt;">x</p>'
    assert "<script" not in table(HOSTILE, [HOSTILE], [(HOSTILE, HOSTILE)])


def test_what_is_html_already_stays_so() -> None:
    assert element("p", element("b", "1 < 2")) == "<p><b>1 &lt; 2</b></p>"
    assert element("p", Markup("&amp;")) == "<p>&amp;</p>"


def test_data_of_a_script_cannot_end_it() -> None:
    values = {"text": "</script><!-- \u2028 &"}
    data = script_data(values)
    assert not set("<>&\u2028") & set(data)
    assert json.loads(data) == values
