#!/usr/bin/env python3
"""The PyPI package pandas-match-recognize behind the protocol of rprcheck.

The package runs one recognition over one DataFrame and takes the SQL text of
the standard. NaN stands for NULL, so that an integer column with NULLs is one
of floats. What it does with the SELECT around the recognition is no row pattern
recognition: only plain lists of columns are put to it, anything else is
answered as unsupported.
"""
import contextlib
import json
import logging
import math
import re
import sys
from decimal import Decimal
from importlib import metadata

logging.disable(logging.CRITICAL)
with contextlib.redirect_stdout(sys.stderr):
    import numpy
    import pandas
    from pandas_match_recognize import match_recognize

WORD = r'(?:"(?:[^"]|"")*"|[A-Za-z_][A-Za-z_0-9]*)'
ITEM = rf"(?:\*|{WORD}(?:\s*\.\s*(?:{WORD}|\*))?)(?:\s+(?:AS\s+)?{WORD})?"
HEAD = re.compile(rf"\s*SELECT\s+({ITEM}(?:\s*,\s*{ITEM})*)\s+FROM\s+({WORD})(?:\s+(?:AS\s+)?(?!MATCH_RECOGNIZE\b){WORD})?\s+MATCH_RECOGNIZE\s*\(", re.I)
TAIL = re.compile(rf"\s*(?:(?:AS\s+)?(?!ORDER\b){WORD})?\s*(ORDER\s+BY\s.*)?\s*", re.I | re.S)
QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")


class Refused(Exception):
    """Stage and message of an answer that is an error."""


def closing(sql, start):
    """The place behind the parenthesis that closes the one before start."""
    depth, at = 1, start
    while at < len(sql):
        quoted = QUOTED.match(sql, at)
        if quoted:
            at = quoted.end()
            continue
        depth += {"(": 1, ")": -1}.get(sql[at], 0)
        at += 1
        if depth == 0:
            return at
    raise Refused("syntax", "a parenthesis is not closed")


def split(sql):
    """The name of the table and the ORDER BY of a statement that the package can be asked."""
    head = HEAD.match(sql)
    if not head:
        raise Refused("unsupported", "the adapter asks one recognition over a named table, with a plain select list")
    tail = TAIL.fullmatch(sql, closing(sql, head.end()))
    if not tail:
        raise Refused("unsupported", "the adapter asks nothing behind the recognition but ORDER BY")
    return head.group(2), tail.group(1)


def frame(table, sql):
    """A table of the protocol as a DataFrame. Its columns are spelt as the statement spells them."""
    columns = {}
    for i, c in enumerate(table["columns"]):
        spelt = re.search(rf"(?<![\w\"]){re.escape(c['name'])}(?![\w\"])", sql, re.I)
        values = [row[i] for row in table["rows"]]
        columns[spelt.group(0) if spelt else c["name"].lower()] = column(values, c["type"])
    return pandas.DataFrame(columns)


def column(values, sql_type):
    missing = any(v is None for v in values)
    if sql_type in ("smallint", "integer", "bigint") and not missing:
        return pandas.Series(values, dtype="int64")
    if sql_type in ("smallint", "integer", "bigint", "real", "double precision") or sql_type.startswith("decimal"):
        return pandas.Series([math.nan if v is None else float(v) for v in values], dtype="float64")
    if sql_type == "boolean" and not missing:
        return pandas.Series(values, dtype="bool")
    if sql_type.startswith(("date", "timestamp")) and "array" not in sql_type:
        return pandas.to_datetime(pandas.Series(values, dtype="object"), format="ISO8601")
    if sql_type == "boolean" or sql_type.startswith(("varchar", "char")):
        return pandas.Series(values, dtype="object")
    raise Refused("unsupported", "the adapter has no column of type " + sql_type)


def plain(value):
    """A value of a DataFrame for JSON; NaN, NaT and None are NULL."""
    if isinstance(value, numpy.generic):
        value = value.item()
    if value is None or value is pandas.NaT or isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def type_of(values):
    """The SQL type of a column of plain values: pandas has lost what it was."""
    kinds = {type(v) for v in values if v is not None}
    if kinds == {bool}:
        return "boolean"
    if {v for v in values if isinstance(v, str)} & {"Infinity", "-Infinity"} and kinds <= {int, float, str}:
        return "double precision"
    if kinds <= {int}:
        return "bigint" if all(v is None or -(2**63) <= v < 2**63 for v in values) else "decimal(38,0)"
    if kinds <= {int, float, Decimal}:
        return "double precision"
    if kinds == {pandas.Timestamp}:
        return "timestamp"
    if kinds == {list}:
        return type_of([x for v in values if v is not None for x in v]) + " array"
    return "varchar"


def stage_of(error):
    text = str(error).lower()
    if "syntax error" in text or "failed to parse" in text:
        return "syntax"
    if "skip" in text and ("not present in" in text or "first row" in text or "infinite loop" in text):
        return "runtime"
    return "semantic" if isinstance(error, (ValueError, NotImplementedError)) else "internal"


def first(message):
    """A message without the list of all tokens and the repetition of the statement."""
    return re.split(r" expecting \{|\s*\n?Snippet:| \(Line: ", message)[0][:300]


def run(sql, tables):
    name, order = split(sql)
    table = tables.get(name.strip('"') if name.startswith('"') else name.upper())
    if table is None:
        raise Refused("semantic", "there is no table " + name)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            result = match_recognize(sql, frame(table, sql))
    except Refused:
        raise
    except Exception as e:
        raise Refused(stage_of(e), f"{type(e).__name__}: {first(str(e))}") from e
    names = [str(c) for c in result.columns]
    values = [[plain(v) for v in result.iloc[:, i].tolist()] for i in range(len(names))]
    return names, [type_of(v) for v in values], [list(r) for r in zip(*values)], order is not None


def answer(q):
    if q["op"] == "hello":
        return {"protocol": 1, "name": "pandas-match-recognize", "version": metadata.version("pandas_match_recognize"),
                "dialect": "iso", "ops": ["query", "check"], "features": ["R010"]}
    tables = {t["name"]: t for t in q.get("tables", [])} | {t["name"].upper(): t for t in q.get("tables", [])}
    if q["op"] == "query":
        names, types, rows, ordered = run(q["sql"], tables)
        folded = [n.upper() if re.fullmatch(r"[A-Za-z_]\w*", n) else n for n in names]
        return {"columns": [{"name": n, "type": t} for n, t in zip(folded, types)], "rows": rows, "ordered": ordered}
    if q["op"] == "check":
        try:
            run(q["sql"], tables)  # the package cannot check without running
        except Refused as e:
            if e.args[0] != "runtime":
                raise
        return {"accepted": True}
    raise Refused("unsupported", "the adapter does not answer " + q["op"])


def main():
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        q = json.loads(line, parse_float=Decimal)
        if q["op"] == "bye":
            return
        try:
            a = answer(q)
        except Refused as e:
            a = {"error": {"stage": e.args[0], "message": e.args[1]}}
        except Exception as e:
            a = {"error": {"stage": "internal", "message": f"{type(e).__name__}: {e}"}}
        text = json.dumps({"id": q["id"], **a} if "id" in q else a, default=lambda x: f"\0{x}\0" if isinstance(x, Decimal) else str(x))
        print(re.sub(r'"\\u0000([^"\\]*)\\u0000"', r"\1", text), file=out, flush=True)  # a Decimal as a number, with its exact digits


if __name__ == "__main__":
    main()
