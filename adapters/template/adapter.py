#!/usr/bin/env python3
"""An engine behind the protocol of rprcheck: fill in run() and keep the rest (see ADAPTERS.md)."""
import json
import re
import sys
from decimal import Decimal

NAME, VERSION, FEATURES = "my-engine", "1.0", ["R010"]  # R010 FROM, R020 WINDOW, R030 all aggregates


class Refused(Exception):
    """Refused("semantic", "unknown column X"): syntax, semantic, runtime, limit, unsupported or internal."""


def run(sql, tables):
    """Run a statement. tables: {"T": {"columns": [{"name", "type"}], "rows": [[...]]}}, names in upper case.
    Returns [(column name, SQL type)], [rows], True if ORDER BY fixes their order."""
    raise Refused("unsupported", "run() is still to be written")


def check(sql, tables):
    """Raise Refused if the statement is not legal. Engines that cannot only parse may run it."""
    try:
        run(sql, tables)
    except Refused as e:
        if e.args[0] != "runtime":
            raise


def answer(q):
    if q["op"] == "hello":
        return {"protocol": 1, "name": NAME, "version": VERSION, "ops": ["query", "check"], "features": FEATURES}
    tables = {t["name"].upper(): t for t in q.get("tables", [])}
    if q["op"] == "query":
        columns, rows, ordered = run(q["sql"], tables)
        return {"columns": [{"name": n, "type": t} for n, t in columns], "rows": rows, "ordered": ordered}
    if q["op"] == "check":
        check(q["sql"], tables)
        return {"accepted": True}
    raise Refused("unsupported", "this engine does not answer " + q["op"])


def main():
    out, sys.stdout = sys.stdout, sys.stderr  # what the engine prints must not disturb the answers
    for line in sys.stdin:
        q = json.loads(line, parse_float=Decimal)  # exact digits
        if q["op"] == "bye":
            return
        try:
            a = answer(q)
        except Exception as e:
            stage, text = e.args[:2] if isinstance(e, Refused) else ("internal", f"{type(e).__name__}: {e}")
            a = {"error": {"stage": stage, "message": text}}
        text = json.dumps({"id": q["id"], **a} if "id" in q else a, default=lambda x: f"\0{x}\0" if isinstance(x, Decimal) else str(x))
        print(re.sub(r'"\\u0000([^"\\]*)\\u0000"', r"\1", text), file=out, flush=True)  # a Decimal as a number, with its exact digits


if __name__ == "__main__":
    main()
