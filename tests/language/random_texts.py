"""Random texts: queries drawn over the whole grammar, as text, with odd names and literals."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

Draw = Callable[[st.SearchStrategy], str]

# Letters that a name in backticks or a text in quotes may hold and a careless reader or writer would lose.
ODD = "aZ_0 \t\n.,;:()[]{}<>=+-*/%'\"`\\#$@!?&|^~äßλ中\u00a0\u2028"
PLAIN_NAMES = """
    S T R k v price vehicleId _x a1 Open Close User Timestamp range rows now frequency slide partition partitioned
    istream dstream rstream date first last desc asc nulls filter window key op tick delay tuples seconds
    heartbeat idle after sample percent seed stream relation view query set show explain if row values true_ day
    asof for system_time
""".split()
RESERVED_NAMES = ["`select`", "`Order`", "`from`", "`AS`", "`left`", "`minus`"]
UNITS = ["MILLISECONDS", "SECOND", "SECONDS", "minutes", "HOUR", "DAYS", "WEEKS"]
FUNCTIONS = ["ABS", "upper", "COALESCE", "my_function", "COUNT", "left", "RIGHT", "replace", "Date", "IF", "exists"]
BINARY = ["+", "-", "*", "/", "%", "DIV", "||", "&", "|", "^"]
JOINS = [
    "JOIN",
    "INNER JOIN",
    "LEFT OUTER JOIN",
    "right join",
    "FULL JOIN",
    "semi join",
    "LEFT ANTI JOIN",
    "RIGHT SEMI JOIN",
]
JOINS += ["asof join", "ASOF LEFT OUTER JOIN", "LEFT ASOF JOIN"]
COMPARISONS = ["=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>"]
TYPES = """
    INT BIGINT integer LONG TINYINT SMALLINT DOUBLE FLOAT real STRING text BOOLEAN DATE TIMESTAMP TIMESTAMP_NTZ BINARY
    DECIMAL DECIMAL(8) NUMERIC(10,2) VARCHAR(20) CHAR(3) ARRAY<INT> MAP<STRING,ARRAY<DOUBLE>> STRUCT<a:INT,b:STRING>
    STRUCT<`odd-name`:INT>
""".split()


def backticked(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


names: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(PLAIN_NAMES),
    st.sampled_from(PLAIN_NAMES),
    st.sampled_from(RESERVED_NAMES),
    st.text(ODD, min_size=1, max_size=6).map(backticked),
)
texts: st.SearchStrategy[str] = st.one_of(
    st.text(ODD, max_size=8).map(lambda text: "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"),
    st.text(ODD, max_size=8).map(lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'),
)
numbers: st.SearchStrategy[str] = st.one_of(
    st.integers(0, 10**20).map(str),
    st.sampled_from(["0", "007", "1.5", ".5", "1.", "1e3", "2.5E-3", "10L", "5s", "2Y", "1.5d", "3F"]),
)
literals: st.SearchStrategy[str] = st.one_of(
    numbers,
    texts,
    st.sampled_from(["NULL", "true", "FALSE", "DATE '2024-02-29'", "TIMESTAMP '2024-02-29 10:00:00'"]),
    st.sampled_from(["INTERVAL 3 DAYS", "interval '5' minute", "INTERVAL '2' HOURS", "INTERVAL -1 MONTH"]),
    st.sampled_from(["INTERVAL '1 month 2 days'", "interval '1-2' year to month", "INTERVAL 1 DAY 2 HOURS"]),
)
NONE, FEW = st.just(0), st.sampled_from([0, 0, 0, 1, 1, 2])
counts = st.sampled_from(["1", "7", "50,000", "1,000,000", "12.0"])


def columns(draw: Draw) -> str:
    table = f"{draw(names)}." if draw(st.booleans()) else ""
    return table + draw(names)


def listed(draw: Draw, one: Callable[[Draw, int], str], depth: int) -> str:
    return ", ".join(one(draw, depth) for _ in range(1 + draw(FEW)))


# Expressions ----------------------------------------------------------------------------------------------
# Loosest first, as in the grammar; nothing is put in parentheses unless the draw says so.


def expression(draw: Draw, depth: int) -> str:
    """Any scalar expression."""
    return draw(st.sampled_from(LEVELS))(draw, depth)


def logic(draw: Draw, depth: int) -> str:
    sides = [negation(draw, depth - 1) for _ in range(1 + draw(FEW))]
    return sides[0] + "".join(f" {draw(st.sampled_from(['AND', 'OR', 'or']))} {side}" for side in sides[1:])


def negation(draw: Draw, depth: int) -> str:
    return draw(st.sampled_from(["", "", "NOT ", "not not "])) + predicate(draw, depth)


def predicate(draw: Draw, depth: int) -> str:
    left = arithmetic(draw, depth)
    for _ in range(draw(FEW if depth > 0 else NONE)):
        left += " " + draw(st.sampled_from([comparison, comparison, range_test, is_test]))(draw, depth - 1)
    return left


def comparison(draw: Draw, depth: int) -> str:
    if draw(st.integers(0, 5)) == 0:
        inside = query(draw, depth) if draw(st.booleans()) else expression(draw, depth)
        word = draw(st.sampled_from(["ANY", "some", "ALL"]))
        return f"{draw(st.sampled_from(['=', '<>', '<', '>=']))} {word} ({inside})"
    return f"{draw(st.sampled_from(COMPARISONS))} {arithmetic(draw, depth)}"


def range_test(draw: Draw, depth: int) -> str:
    form = draw(
        st.sampled_from(["IN", "IN query", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "ESCAPE", "SYMMETRIC", "ANY"])
    )
    right = {
        "IN": lambda: f"IN ({listed(draw, expression, depth)})",
        "IN query": lambda: f"IN ({query(draw, depth)})",
        "BETWEEN": lambda: f"BETWEEN {arithmetic(draw, depth)} AND {arithmetic(draw, depth)}",
        "SYMMETRIC": lambda: f"BETWEEN SYMMETRIC {arithmetic(draw, depth)} AND {arithmetic(draw, depth)}",
        "ANY": lambda: f"LIKE {draw(st.sampled_from(['ANY', 'all']))} ({listed(draw, arithmetic, depth)})",
        "ESCAPE": lambda: f"LIKE {arithmetic(draw, depth)} ESCAPE '!'",
    }.get(form, lambda: f"{form} {arithmetic(draw, depth)}")()
    return draw(st.sampled_from(["", "NOT "])) + right


def is_test(draw: Draw, depth: int) -> str:
    right = draw(st.sampled_from(["NULL", "TRUE", "false", f"DISTINCT FROM {arithmetic(draw, depth)}"]))
    return f"IS {draw(st.sampled_from(['', 'NOT ']))}{right}"


def arithmetic(draw: Draw, depth: int) -> str:
    text = unary(draw, depth)
    for _ in range(draw(FEW if depth > 0 else NONE)):
        text += f" {draw(st.sampled_from(BINARY))} {unary(draw, depth - 1)}"
    return text


def unary(draw: Draw, depth: int) -> str:
    return draw(st.sampled_from(["", "", "", "", "- ", "~", "+", "- - "])) + atom(draw, depth)


def atom(draw: Draw, depth: int) -> str:
    if depth <= 0:
        return draw(literals) if draw(st.booleans()) else columns(draw)
    return draw(st.sampled_from(ATOMS))(draw, depth - 1)


def parens(draw: Draw, depth: int) -> str:
    return f"({listed(draw, expression, depth)})"


def case(draw: Draw, depth: int) -> str:
    start = f"CASE {expression(draw, depth)}" if draw(st.booleans()) else "CASE"
    branches = "".join(
        f" WHEN {expression(draw, depth)} THEN {expression(draw, depth)}" for _ in range(draw(st.integers(1, 2)))
    )
    end = f" ELSE {expression(draw, depth)}" if draw(st.booleans()) else ""
    return f"{start}{branches}{end} END"


def cast(draw: Draw, depth: int) -> str:
    kind = draw(st.sampled_from(TYPES))
    if draw(st.booleans()):
        return f"({expression(draw, depth)})::{kind}"
    return f"{draw(st.sampled_from(['CAST', 'try_cast']))}({expression(draw, depth)} AS {kind})"


def call(draw: Draw, depth: int) -> str:
    function = draw(st.sampled_from(FUNCTIONS))
    form = draw(st.sampled_from(["plain", "plain", "none", "star", "distinct", "filter", "lambda", "lambda2"]))
    arguments = {
        "plain": lambda: listed(draw, expression, depth),
        "none": lambda: "",
        "star": lambda: "*",
        "distinct": lambda: f"DISTINCT {listed(draw, expression, depth)}",
        "filter": lambda: expression(draw, depth),
        "lambda": lambda: f"{columns(draw)}, x -> {expression(draw, depth)}",
        "lambda2": lambda: f"{columns(draw)}, (x, y) -> {expression(draw, depth)}",
    }[form]()
    condition = f" FILTER (WHERE {expression(draw, depth)})" if form == "filter" else ""
    return f"{function}({arguments}){condition}"


def reach(draw: Draw, depth: int) -> str:
    """An index or a field behind something."""
    inside = draw(st.sampled_from([columns(draw), f"({expression(draw, depth)})", f"f({atom(draw, depth)})"]))
    index = f"[{expression(draw, depth)}]" if draw(st.booleans()) else f".{draw(names)}"
    return inside + index


def subquery(draw: Draw, depth: int) -> str:
    return draw(st.sampled_from(["", "EXISTS "])) + f"({query(draw, depth)})"


def extract(draw: Draw, depth: int) -> str:
    return f"EXTRACT({draw(st.sampled_from(['YEAR', 'second']))} FROM {expression(draw, depth)})"


def leaf(draw: Draw, depth: int) -> str:
    return atom(draw, 0)


LEVELS = [logic, negation, predicate, predicate, arithmetic, arithmetic]
ATOMS = [leaf, leaf, parens, case, cast, call, call, reach, subquery, extract]


# Windows --------------------------------------------------------------------------------------------------


def duration(draw: Draw, tuples: bool = False) -> str:
    return f"{draw(counts)} {draw(st.sampled_from([*UNITS, 'TUPLES'] if tuples else UNITS))}"


def frequency(draw: Draw) -> str:
    # Behind a comma, a word such as RANGE begins the other half of the window; in backticks it is a name.
    by = f" PARTITIONED BY {columns(draw)}, {draw(st.sampled_from(['v', '`range`', '`select`']))}"
    by = draw(st.sampled_from(["", by]))
    return f"FREQUENCY {duration(draw, tuples=True)}{by}"


def seed(draw: Draw) -> str:
    return draw(st.sampled_from(["", "", " SEED 7", " repeatable (12)"]))


def sample(draw: Draw) -> str:
    return f" SAMPLE {draw(st.sampled_from(['10', '0.5', '12.50', '100']))} PERCENT{seed(draw)}"


def window(draw: Draw) -> str:
    if not draw(st.integers(0, 3)):
        return f"[{pane_window(draw)}]"
    rows = draw(st.sampled_from(["1", "50,000", "7 SLIDE 3"]))
    by = columns(draw) + draw(st.sampled_from(["", ", k", ", `select`"]))
    slide = f" SLIDE {duration(draw)}" if draw(st.booleans()) else ""
    size = draw(st.sampled_from([duration(draw), draw(counts)])) + slide
    whole = f"RANGE {duration(draw, tuples=True)}"
    forms = ["NOW", "RANGE UNBOUNDED", "ROWS UNBOUNDED", f"RANGE {size}", f"ROWS {rows}"]
    forms += [f"SAMPLE 100 ROWS{seed(draw)}"]
    forms += [f"PARTITION BY {by} ROWS {rows}", whole, frequency(draw), f"{whole}, {frequency(draw)}"]
    return f"[{draw(st.sampled_from([*forms, f'{frequency(draw)}, {whole}']))}]"


INTERVALS = ["10 SECONDS", "5", "INTERVAL '5' MINUTE", "interval '1.5 hours'", "'10 sec'", "INTERVAL 3 days", "5 min"]
SHIFTS = st.sampled_from(["", "", " OFFSET 2 s"])
EMITS = st.sampled_from(["", "", " EMIT CHANGES", " emit final", " EMIT ON WINDOW CLOSE"])


def pane_window(draw: Draw) -> str:
    size, every = draw(st.sampled_from(INTERVALS)), draw(st.sampled_from(INTERVALS))
    match draw(st.sampled_from(["TUMBLE", "hop", "CUMULATE", "SESSION", "by"])):
        case "TUMBLE":
            return f"TUMBLE {size}{draw(SHIFTS)}"
        case "SESSION":
            return f"SESSION {size}"
        case "by":
            return f"PARTITION BY {columns(draw)}, `select` SESSION {size}"
        case word:
            return f"{word} {size} EVERY {every}{draw(SHIFTS)}"


def window_table(draw: Draw, depth: int) -> str:
    of = f"({query(draw, depth - 1)})" if depth > 0 and draw(st.booleans()) else draw(names)
    of = draw(st.sampled_from(["TABLE ", "", "DATA => TABLE "])) + of
    if draw(st.booleans()):
        return f"TUMBLE({of}, DESCRIPTOR(ts), {draw(st.sampled_from(INTERVALS))})"
    time = draw(st.sampled_from(["ts", "R.`from`", "DESCRIPTOR(ts)", "TIMECOL => DESCRIPTOR(v)"]))
    size, every = draw(st.sampled_from(INTERVALS)), draw(st.sampled_from(INTERVALS))
    text = f"SESSION({of} PARTITION BY k, `from`, DESCRIPTOR(v), {size})"
    if word := draw(st.sampled_from(["hop", "CUMULATE", ""])):
        text = f"{word}({of}, {time}, {every}, {size}{draw(st.sampled_from(['', ', 1 HOUR']))})"
    return f"TABLE({text})" if draw(st.booleans()) else text


# Queries --------------------------------------------------------------------------------------------------


def item(draw: Draw, depth: int) -> str:
    """A FROM item with its window before or after its alias."""
    this = f"({query(draw, depth - 1)})" if depth > 0 and draw(st.booleans()) else draw(names)
    this = f"{draw(st.sampled_from(['', 'LATERAL ']))}{this}" if this.startswith("(") else this
    this = window_table(draw, depth) if not draw(st.integers(0, 5)) else this
    brackets = f" {window(draw)}" if draw(st.booleans()) else ""
    brackets = sample(draw) + brackets if not draw(st.integers(0, 3)) else brackets
    alias = draw(st.sampled_from(["", " AS ", " AS "]))
    alias = alias + draw(names) if alias else ""
    if alias and draw(st.booleans()) and draw(st.booleans()):
        return f"{this}{brackets}{alias} ({', '.join(draw(names) for _ in range(2))})"
    as_of = f" FOR system_time AS OF {columns(draw)}" if not draw(st.integers(0, 5)) else ""
    return f"{this}{alias}{brackets}{as_of}" if draw(st.booleans()) else f"{this}{brackets}{as_of}{alias}"


def from_items(draw: Draw, depth: int) -> str:
    """Items between commas and joins."""
    text = item(draw, depth)
    for _ in range(draw(FEW)):
        kind = draw(st.sampled_from([",", ",", *JOINS]))
        right = item(draw, depth)
        if draw(st.booleans()) and draw(st.booleans()):
            right = f"({item(draw, depth)} CROSS JOIN {right})"
        if kind == ",":
            text += f", {right}"
        elif not draw(st.integers(0, 5)):
            text += f" {draw(st.sampled_from(['NATURAL JOIN', 'natural left outer join']))} {right}"
        elif draw(st.booleans()):
            match = draw(st.sampled_from(["", " match_condition (a >= b)"])) if "asof" in kind.lower() else ""
            text += f" {kind} {right}{match} ON {expression(draw, depth)}"
        else:
            text += f" {kind} {right} USING ({draw(names)}, {draw(names)})"
    return text


def select_item(draw: Draw, depth: int) -> str:
    if draw(st.booleans()) and draw(st.booleans()):
        return draw(st.sampled_from(["*", f"{draw(names)}.*"]))
    alias = f" AS {draw(names)}" if draw(st.booleans()) else ""
    return expression(draw, depth) + alias


def select(draw: Draw, depth: int) -> str:
    distinct = draw(st.sampled_from(["", "", "DISTINCT ", "ALL "]))
    items = listed(draw, select_item, depth)
    often = f" [{frequency(draw)}]" if draw(st.booleans()) and draw(st.booleans()) else ""
    operator = draw(st.sampled_from(["", "", "ISTREAM", "dstream", "Rstream"]))
    if operator:
        head = f"SELECT {operator}({distinct.replace('ALL ', '')}{items})"
    else:
        head = f"SELECT {distinct}{items}{often}"
    parts = [head, f"FROM {from_items(draw, depth)}"]
    if draw(st.booleans()):
        parts.append(f"WHERE {expression(draw, depth)}")
    if draw(st.booleans()) and draw(st.booleans()):
        parts.append(f"GROUP BY {listed(draw, expression, depth)}")
        parts.append(f"HAVING {expression(draw, depth)}")
    return "\n".join(parts)


def one(draw: Draw, depth: int) -> str:
    if depth <= 0:
        return select(draw, depth)
    form = draw(st.sampled_from(["select", "select", "parens", "limited", "ISTREAM", "rstream"]))
    if form == "select":
        return select(draw, depth)
    if form == "parens":
        return f"({query(draw, depth - 1)})"
    if form == "limited":
        return f"({select(draw, depth - 1)} ORDER BY {draw(names)} LIMIT 2{draw(EMITS)})"
    return f"{form}({query(draw, depth - 1)})"


def query(draw: Draw, depth: int) -> str:
    """Any query: one, several in set operations, under WITH, with an order."""
    text = one(draw, depth)
    if depth > 0:
        for _ in range(draw(FEW)):
            word = draw(st.sampled_from(["UNION", "UNION ALL", "EXCEPT", "minus all", "INTERSECT", "INTERSECT ALL"]))
            text += f"\n{word}\n{one(draw, depth - 1)}"
    if draw(st.booleans()) and draw(st.booleans()) and not text.endswith(")"):
        text += f"\nORDER BY {', '.join(order_key(draw) for _ in range(2))} LIMIT {draw(st.integers(0, 9))}"
        text += draw(st.sampled_from(["", " OFFSET 3"]))
    if depth > 0 and draw(st.booleans()) and draw(st.booleans()):
        named = draw(st.sampled_from(["", f" ({draw(names)}, {draw(names)})"]))
        text = f"WITH {draw(names)}{named} AS ({select(draw, depth - 1)})\n{text}"
    return text


def order_key(draw: Draw) -> str:
    way = draw(st.sampled_from(["", " ASC", " DESC"]))
    return expression(draw, 1) + way + draw(st.sampled_from(["", " NULLS FIRST", " nulls last"]))


@st.composite
def queries(draw: Draw, depth: int = 2) -> str:
    return query(draw, depth)


@st.composite
def expressions(draw: Draw, depth: int = 3) -> str:
    return expression(draw, depth)
