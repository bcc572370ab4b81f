"""Files of other programs, which are refused by name with the line of Python that saves what they hold."""

import re

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.fields import content_lines
from pcsos.io.source import LINE_END, PathLike

TO_CSV, TO_NPY = "{}.to_csv('points.csv', index=False)", "numpy.save('points.npy', {})"

#: What files are called that are no text, and how Python reads and saves their points.
BINARY = {
    "workbook": ("a workbook of a spreadsheet", TO_CSV, "pandas.read_excel({path})"),
    "MATLAB": ("a MATLAB file", TO_NPY, "scipy.io.loadmat({path})['X']"),
    "HDF5": ("an HDF5 file", TO_NPY, "h5py.File({path})['X'][()].T"),
}

#: How a text begins, what it is called, and how Python reads and saves its points.
TEXTS = {
    r"@relation\b": (
        "an ARFF or KEEL file", TO_CSV, "pandas.read_csv({path}, header=None, skiprows={above}).add_prefix('x')"
    ),
    r"(NAME|TYPE|COMMENT|DIMENSION)\s*:": (
        "a TSPLIB file", TO_NPY, "numpy.loadtxt({path}, skiprows={above}, usecols=(1, 2), comments='EOF')"
    ),
    r"[-+.\de]+(\s+\d+:[-+.\de]+)+\s*$": (
        "a libsvm file", TO_NPY, "sklearn.datasets.load_svmlight_file({path})[0].toarray()"
    ),
    r'\{.*"FeatureCollection"': (
        "a GeoJSON file", TO_NPY,
        "[f['geometry']['coordinates'] for f in json.loads(pathlib.Path({path}).read_text())['features']]",
    ),
    r"\[+\s*[-+.\d][-+.\de]*\s+[-+.\d]": (
        "an array as NumPy prints it", TO_NPY,
        "numpy.loadtxt(pathlib.Path({path}).read_text().translate({{91: ' ', 93: ' '}}).splitlines())",
    ),
    r"\[,1\]": ("a matrix as R prints it", TO_CSV, "pandas.read_csv({path}, sep=r'\\s+').add_prefix('x')"),
    r"[\[{]": ("a JSON file", TO_CSV, "pandas.read_json({path}, lines={is_lines}, precise_float=True).add_prefix('x')"),
    r"\+-[-+]*\+\s*$": ("a table drawn in text", TO_CSV, "pandas.read_csv({path}, sep='|', comment='+').iloc[:, 1:-1]"),
    r"\|.*\|\s*$": ("a table of Markdown", TO_CSV, "pandas.read_csv({path}, sep='|').iloc[1:, 1:-1]"),
    r"[^;,\t]+\|[^;,\t]+$": ("a table with | between its values", TO_CSV, "pandas.read_csv({path}, sep='|')"),
}  # fmt: skip

#: What stands above the rows of a text of another program.
ABOVE_ROWS = re.compile(rb"^\s*(@data|NODE_COORD_SECTION)\b", re.IGNORECASE | re.MULTILINE)

#: How a line of a file with constraints begins.
CONSTRAINT = re.compile(r'\{\s*"(s?[mc]l|must|cannot|soft)|(S?[MC]L|GAMMA|DELTA)[\s,;]+[-+.\d]', re.IGNORECASE)


def refuse_binary(kind: str, path: PathLike) -> None:
    """Raise an :class:`InputError` for a file of another program that is no text."""
    if kind in BINARY:
        _refuse(*BINARY[kind], path)


def refuse_text(data: bytes, path: PathLike) -> None:
    """Raise an :class:`InputError` for a text of another program, or one with constraints in place of points."""
    lines = (line for line in content_lines(data) if not line[1].startswith("%"))
    number, first = next(lines, (0, ""))
    first = first.strip()
    if CONSTRAINT.match(first):
        word = re.split(r"[\s,;]", first, maxsplit=1)[0]
        raise InputError(
            f"{path} line {number} begins with {quoted(word)} like a constraint file; give the points here and "
            "constraints with --constraints"
        )
    is_lines = first.endswith("}") and next(lines, None) is not None
    for pattern, foreign in TEXTS.items():
        if re.match(pattern, first, re.IGNORECASE):
            above = ABOVE_ROWS.search(data)
            skipped = len(LINE_END.findall(data, 0, above.end())) + 1 if above else number
            _refuse(*foreign, path, above=skipped, is_lines=is_lines)


def _refuse(called: str, saving: str, reading: str, path: PathLike, **details: object) -> None:
    line = saving.format(reading.format(path=repr(str(path)), **details))
    raise InputError(f"{path} is {called}, which is not read here; save its points in Python with {line}")
