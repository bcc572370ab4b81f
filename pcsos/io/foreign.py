"""Files of other programs, which are refused by name with the line of Python, or of R, that saves what they hold."""

import re
from itertools import islice

from pcsos.base.exceptions import InputError, quoted
from pcsos.io.fields import content_lines
from pcsos.io.source import LINE_END, PathLike

#: How what was read is saved, and what was packed.
CSV, NPY = "in Python with {}.to_csv('points.csv', index=False)", "in Python with numpy.save('points.npy', {})"
FRAME = "in Python with pandas.DataFrame({}).add_prefix('x').to_csv('points.csv', index=False)"
ROWS = "in Python with pandas.DataFrame({}).to_csv('points.csv', index=False, header=False)"
UNPACKED = "in Python with pathlib.Path('points.csv').write_bytes({})"
R = "in R with write.csv({}, 'points.csv', row.names=FALSE)"

#: How a file begins that is no text, what it is called, and how its content is saved and read.
BINARY = {
    rb"PK\x03\x04.{,4000}?(xl/[_a-z]{5}|vnd\.oasis)|\xd0\xcf\x11\xe0": ("a workbook", CSV, "pandas.read_excel({path})"),
    rb"MATLAB 5\.0 MAT-file": ("a MATLAB file", NPY, "scipy.io.loadmat({path})['X']"),
    rb"MATLAB 7\.3 MAT-file|\x89HDF\r\n\x1a\n": ("an HDF5 file", NPY, "h5py.File({path})['X'][()].T"),
    rb"CDF[\x01\x02\x05]": ("a NetCDF file", CSV, "xarray.open_dataset({path}).to_dataframe()"),
    rb"\x80.{,40}joblib": ("a pickle of joblib", NPY, "joblib.load({path})"),
    rb"\x80[\x02-\x05]": ("a pickle", FRAME, "pandas.read_pickle({path})"),
    rb"BZh[1-9]1AY&SY": ("a file packed by bzip2", UNPACKED, "bz2.open({path}).read()"),
    rb"\xfd7zXZ\x00": ("a file packed by xz", UNPACKED, "lzma.open({path}).read()"),
    rb"\x28\xb5\x2f\xfd": ("a file packed by zstd", UNPACKED, "pyarrow.CompressedInputStream({path}, 'zstd').read()"),
    rb".{257}ustar": ("an archive of tar", "with python -m tarfile -e {}", "{path}"),
    rb"(ARROW1|FEA1)\x00": ("a Feather file", CSV, "pandas.read_feather({path})"),
    rb"\xff{4}.{3}\x00\x10\x00": ("a stream of Arrow", CSV, "pyarrow.ipc.open_stream({path}).read_pandas()"),
    rb"ORC[\x00-\x08\n]": ("an ORC file", CSV, "pandas.read_orc({path})"),
    rb"<stata_dta>|[q-s][\x01\x02]\x01\x00": ("a Stata file", CSV, "pandas.read_stata({path})"),
    rb"\$FL[23]@\(#\)": ("an SPSS file", CSV, "pandas.read_spss({path})"),
    rb"\x00{12}\xc2\xea\x81\x60": ("a SAS file", CSV, "pandas.read_sas({path}, format='sas7bdat')"),
    rb"HEADER RECORD\*{7}LIB": ("a transport file of SAS", CSV, "pyreadstat.read_xport({path})[0]"),
    rb"SIMPLE  =": ("a FITS file", CSV, "astropy.table.Table.read({path}).to_pandas()"),
    rb"RD[AX]\d\n": ("a workspace of R", R, "get(load({path}))"),
    rb"X\n\x00{3}[\x02\x03]": ("an object of R", R, "readRDS({path})"),
    rb"SQLite f.{8}(?!.{52}pcRS)": ("a database", ROWS, "sqlite3.connect({path}).execute('SELECT * FROM points')"),
    rb"\x00\x00\x27\x0a\x00": ("a shapefile", CSV, "geopandas.read_file({path}).get_coordinates()"),
    rb"\x89PNG|\xff\xd8\xff": ("an image", NPY, "numpy.reshape(PIL.Image.open({path}).convert('RGB'), (-1, 3))"),
}  # fmt: skip

NUMBER = r"[-+.\d][-+.\de]*"

#: How the first lines of a text begin, what it is called, and how its points are saved and read.
TEXTS = {
    r"@relation\b": ("an ARFF or KEEL file", FRAME, "pandas.read_csv({path}, header=None, skiprows={above})"),
    r"(NAME|TYPE|COMMENT|DIMENSION)\s*:": (
        "a TSPLIB file", NPY, "numpy.loadtxt({path}, skiprows={above}, usecols=(1, 2), max_rows={dimension})"
    ),
    rf"[-+.\de,]+(\s+qid:\d+)?(\s+\d+:{NUMBER})+\s*(#.*)?$": (
        "a libsvm file", NPY, "sklearn.datasets.load_svmlight_file({path})[0].toarray()"
    ),
    r"%%MatrixMarket\b": ("a MatrixMarket file", NPY, "scipy.sparse.coo_array(scipy.io.mmread({path})).toarray()"),
    r'\{.*"FeatureCollection"': (
        "a GeoJSON file", NPY, "[f['geometry']['coordinates'] for f in json.loads({text})['features']]"
    ),
    r"structure\(|list\(|c\([-+.\d]|\w+ *<-": ("code of R", R, "source({path})$value"),
    rf"(\w+ *= *)?(\[+ *{NUMBER} [^\[\]\n]*[\];]|\[\[ *{NUMBER}\s|\w*[({{][({{\[ ]*{NUMBER}[\s,]+[-+.\d])": (
        "an array as programs print it", ROWS,
        r"[row.replace(',', ' ').split() for row in re.findall(r'[^][(){{}};]*(?:\d|nan)[^][(){{}};]*', {text})]",
    ),
    rf"\w+ *= *\[ *{NUMBER}[^\[\]\n;]*$": (
        "a matrix as MATLAB writes it", ROWS,
        r"[row.split() for row in re.findall(r'[-+.\d][^][;%\n]*', {text}.partition('[')[2].replace(',', ' '))]",
    ),
    r"\[,1\]": ("a matrix as R prints it", FRAME, r"pandas.read_csv({path}, sep=r'\s+')"),
    r"\d+[×x]\d+ .*:$|\w+ *=$": ("a matrix as programs display it", NPY, "numpy.loadtxt({path}, skiprows={above})"),
    r'[\[{]\s*(["\[{}\]]|[-+.\d]|$)': (
        "a JSON file", FRAME, "pandas.read_json({path}, lines={is_lines}, precise_float=True)"
    ),
    r"(---\s+)?-\s+([\[{'\"]|\w+:|-\s+[-+.\d]|[-+.\d]+$)": ("a YAML file", FRAME, "yaml.safe_load({text})"),
    r"--[\s\S]*PostgreSQL": (
        "a dump of PostgreSQL", ROWS,
        r"[row.split('\t') for row in {text}.partition('FROM stdin;\n')[2].partition('\n\\.')[0].splitlines()]",
    ),
    r"(INSERT INTO|(CREATE|DROP) TABLE|PRAGMA)\s|--(\s|$)|/\*!": (
        "a dump of SQL", ROWS, r"[row.split(',') for row in re.findall(r'(?i:values|,)\s*\(([^()]*)\)', {text})]"
    ),
    r"\\(begin|documentclass|hline|toprule)\b|[^&\n]*&.*\\\\$": (
        "a table of LaTeX", ROWS, r"[row.split('&') for row in re.findall(r'(.*&.*)\\\\', {text})]"
    ),
    r"<[\s\S]*<kml\b": ("a KML file", ROWS, r"re.findall(r'<coordinates>\s*([^,]+),([^,<\s]+)', {text})"),
    r"<[\s\S]*<gpx\b": ("a GPX file", CSV, "pandas.read_xml({path}, xpath='//*[@lat]')[['lon', 'lat']]"),
    r"<(!doctype html|html|table|div|head|body)\b": ("a page of HTML", CSV, "pandas.read_html({path})[0]"),
    r"<(\?xml|\w)": ("an XML file", CSV, "pandas.read_xml({path})"),
    r"(ply|VERSION [.\d]+)$": ("a cloud of points", NPY, "open3d.io.read_point_cloud({path}).points"),
    r"!\w+\t": ("a series matrix of GEO", CSV, r"pandas.read_csv({path}, sep='\t', comment='!')"),
    r"\+-[-+]*\+$": ("a table drawn in text", CSV, "pandas.read_csv({path}, sep='|', comment='+').iloc[:, 1:-1]"),
    r"\|.*\|$|.*\|.*\n[-:| ]+$": (
        "a table of Markdown", CSV, "pandas.read_csv({path}, sep='|').iloc[1:].dropna(axis=1, how='all')"
    ),
    r"[^;,\t\n]+\|[^;,\t\n]+$": ("a table with | between its values", CSV, "pandas.read_csv({path}, sep='|')"),
}  # fmt: skip

#: What stands above the rows of a text of another program.
ABOVE_ROWS = re.compile(rb"^\s*(@data|NODE_COORD_SECTION)\b", re.IGNORECASE | re.MULTILINE)
DIMENSION = re.compile(rb"^DIMENSION\s*:\s*(\d+)", re.MULTILINE)

#: How a line of a file with constraints begins.
CONSTRAINT = re.compile(
    r'\{\s*"(s?[mc]l|must|cannot|soft)|(S?[MC]L|GAMMA|DELTA)[\s,;]+([-+.\d]|.*\nS?[MC]L\b)', re.IGNORECASE
)


def refuse_binary(data: bytes, path: PathLike) -> None:
    """Raise an :class:`InputError` for a file of another program that is no text."""
    for pattern, foreign in BINARY.items():
        if re.match(pattern, data, re.DOTALL):
            _refuse(*foreign, path)


def refuse_text(data: bytes, path: PathLike) -> None:
    """Raise an :class:`InputError` for a text of another program, or one with constraints in place of points."""
    lines = (line for line in content_lines(data) if not re.match("%(?!%MatrixMarket)", line[1]))
    (number, first), *below = [(number, line.strip()) for number, line in islice(lines, 5)] or [(0, "")]
    head = "\n".join([first, *(line for _, line in below)])
    if CONSTRAINT.match(head):
        word = re.split(r"[\s,;]", first, maxsplit=1)[0]
        raise InputError(
            f"{path} line {number} begins with {quoted(word)} like a constraint file; give the points here and "
            "constraints with --constraints"
        )
    for pattern, foreign in TEXTS.items():
        if re.match(pattern, head, re.IGNORECASE | re.MULTILINE):
            above, told = ABOVE_ROWS.search(data), DIMENSION.search(data)
            skipped = len(LINE_END.findall(data, 0, above.end())) + 1 if above else number
            is_lines = first.endswith(("]", "}")) and bool(below)
            _refuse(*foreign, path, above=skipped, dimension=told and int(told[1]), is_lines=is_lines)


def _refuse(called: str, saving: str, reading: str, path: PathLike, **details: object) -> None:
    line = saving.format(
        reading.format(path=repr(str(path)), text=f"pathlib.Path({str(path)!r}).read_text()", **details)
    )
    raise InputError(f"{path} is {called}, which is not read here; save what it holds {line}")
