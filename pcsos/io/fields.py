"""Fields of a line of text: what separates them, and the numbers that they are."""

import csv
import re

#: How programs write a column of truths, as one made of categories is; it counts 1 and 0, as in a table of pandas.
TRUTHS = {"true": 1.0, "false": 0.0}


def delimiter_of(line: str) -> str | None:
    """Return what separates the values of a line; None for blanks."""
    outside = "".join(line.split('"')[::2])
    if ";" in outside:
        return ";"
    columns = outside.strip().split("\t")
    if len(columns) > 1 and all(as_number(column) is not None or has_decimal_comma(column) for column in columns):
        return "\t"
    if "," in outside:
        return ","
    return "\t" if len(columns) > 1 and all(len(column.split()) < 2 for column in columns) else None


def split(line: str, delimiter: str | None) -> list[str]:
    """Return the values of a line, without quotes around them."""
    if delimiter is None:
        return [field.strip('"') for field in re.findall(r'"[^"]*"|\S+', line)] if '"' in line else line.split()
    if '"' in line:
        try:
            return [field.strip() for field in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]
        except csv.Error:
            pass
    return [field.strip() for field in line.split(delimiter)]


def value_of(field: str) -> float | None:
    """Return the value of a number, true or false, or None."""
    value = as_number(field)
    return TRUTHS.get(field.lower()) if value is None else value


def as_number(field: str) -> float | None:
    """Return the value of a decimal number, or None; ``1_000``, which Python alone reads, is none."""
    try:
        return None if "_" in field else float(field)
    except ValueError:
        return None


def has_decimal_comma(field: str) -> bool:
    """Tell whether a value is a number with a comma before its decimals."""
    return "," in field and as_number(field.replace(",", ".")) is not None
