"""A small engine that answers map. Its one mistake is named on the command line:
javascript (an empty iteration fails), java (it stops below the bound), longest, none."""
import json, re, sys
MISTAKE = sys.argv[1]

def parse(t):  # an alternation: a list of branches, each a list of (primary, n, m, lazy)
    branches = [[]]
    while t and t[0] != ")":
        if t[0] == "|": branches.append([]); t.pop(0); continue
        p = t.pop(0)
        if p == "(": p = parse(t); t.pop(0)
        elif not p.isalpha(): raise ValueError(p)
        q = t.pop(0) if t and t[0][0] in "*+?{" else "{1}"
        n, m = {"*": ("0", ""), "+": ("1", ""), "?": ("0", "1")}.get(q) or (q.strip("{}") + "," + q.strip("{}")).split(",")[:2]
        lazy = t[:1] == ["?"] and q != "{1}" and bool(t.pop(0))
        branches[-1].append((p, int(n or 0), int(m) if m else 1 << 30, lazy))
    return branches

def primary(p, at, rows):  # yields (end, path) in order of preference
    if isinstance(p, list):
        for branch in p: yield from sequence(branch, at, rows)
    elif at < len(rows) and p in rows[at]: yield at + 1, [p]

def sequence(items, at, rows):
    if not items: yield at, []; return
    for middle, a in loop(items[0], 0, at, rows):
        for end, b in sequence(items[1:], middle, rows): yield end, a + b

def loop(item, count, at, rows):
    p, n, m, lazy = item
    if lazy and count >= n: yield at, []
    for middle, a in primary(p, at, rows) if count < m else ():
        if middle == at and (count + 1 >= n or MISTAKE == "java"):
            if MISTAKE != "javascript" or count < n: yield at, a
        else:
            for end, b in loop(item, count + 1, middle, rows): yield end, a + b
    if not lazy and count >= n: yield at, []

for q in map(json.loads, sys.stdin):
    a = {"id": q.get("id", ""), "protocol": 1, "name": "toy", "version": MISTAKE, "ops": ["map"]}
    try:
        if q["op"] == "map":
            p, rows = parse(re.findall(r"\{[\d,]*\}|\w+|\S", q["pattern"])), q["rows"]
            found = [(path for _, path in primary(p, i, rows)) for i in range(len(rows))]
            a["mappings"] = [max(f, key=len, default=None) if MISTAKE == "longest" else next(f, None) for f in found]
    except ValueError: a["error"] = {"stage": "unsupported", "message": "only | ( ) and quantifiers"}
    print(json.dumps(a), flush=True)
