"""Explain: a logical plan as a tree of text, a Mermaid flowchart or JSON.

JSON has the papers' name of an operator, where it has one, as `paper`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from tailrace.catalog.sources import Relation
from tailrace.logical import family_nodes, nodes
from tailrace.logical.asof_nodes import AsofJoin
from tailrace.logical.expressions import TRUE, Column, Expression, all_of, conjuncts
from tailrace.logical.over import Over, TopOfPartition, WindowFunction
from tailrace.logical.plan import Plan
from tailrace.logical.text.expression_text import aggregation_text, text_of, window_call_text
from tailrace.logical.time.window_tables import AssignWindows, SessionWindow, TableWindow
from tailrace.logical.windows import RowWindow, Window
from tailrace.schema import Schema

PAPER_NAMES = {
    "stream": "stream-shepherd",
    "reorder": "stream-shepherd",
    "window": "seq-window",
    "join": "binary-join",
    "multi-join": "mjoin",
    "distinct": "duplicate-eliminate",
    "sample": "stream-sample",
    "expire": "W-Expire",
    "grouped-filter": "grouped filter",
    "stem": "SteM",
    "jump-window": "F(W)",
    "frequency": "F",
}  # by the name of an operator in EXPLAIN: its name in STREAM's Table 1 (CQL §12.5), SW, CACQ or CSQL, if that differs


def label(plan: Plan) -> str:
    """The node on one line, without its inputs.

    >>> from tailrace.catalog.sources import Stream
    >>> from tailrace.logical.windows import TimeWindow
    >>> from tailrace.types import INT
    >>> label(nodes.ApplyWindow(nodes.Scan(Stream("S", Schema.of(("k", INT)))), TimeWindow(30)))
    'window [RANGE 30]'
    """
    name, detail = operator(plan)
    return f"{name} {detail}".rstrip()


def texts(expressions: Sequence[Expression], schema: Schema) -> str:
    return ", ".join(text(expression, schema) for expression in expressions)


def text(expression: Expression, schema: Schema) -> str:
    """An expression's text, with columns named as in the input's schema."""
    return text_of(expression, lambda column: column_text(column, schema))


def column_text(column: Column, schema: Schema) -> str:
    """A column's name, followed by its position if several columns have this name."""
    name = schema[column.index].name
    return name if len(schema.find(name)) == 1 else f"{name}#{column.index}"


def columns_text(indexes: Sequence[int], schema: Schema) -> str:
    return ", ".join(column_text(Column(index, schema[index].type), schema) for index in indexes)


@singledispatch
def operator(plan: Plan) -> tuple[str, str]:
    """A node's operator name, and its details: a predicate, the keys, the window."""
    raise AssertionError(f"no text for {type(plan).__name__}")


@operator.register
def _(plan: nodes.Scan) -> tuple[str, str]:
    static = "static " if isinstance(plan.source, Relation) and plan.source.is_static else ""
    return ("stream" if plan.source.word == "stream" else "relation"), f"{static}{plan.source.name}{plan.schema}"


@operator.register
def _(plan: family_nodes.TaggedScan) -> tuple[str, str]:
    return "grouped-filter", columns_text(plan.columns, plan.child.schema)


@operator.register
def _(plan: family_nodes.FamilyMembers) -> tuple[str, str]:
    return "family-members", ""


@operator.register
def _(plan: family_nodes.Stem) -> tuple[str, str]:
    turn = f", {plan.turn + 1}" if plan.turn else ""
    keys = ", ".join(text(key, plan.child.schema) for key in plan.keys)
    return "stem", f"by {keys}{', of rows' if plan.rows else ', beside rows' if plan.beside else ''}{turn}"


@operator.register
def _(plan: family_nodes.StemJoin) -> tuple[str, str]:
    columns = [field for stem in plan.stems for field in stem.schema]
    return "stem-join", columns_text(plan.columns, Schema(tuple(columns)))


@operator.register
def _(plan: nodes.ApplyWindow) -> tuple[str, str]:
    return "window", window_text(plan.window, plan.schema)


@operator.register
def _(plan: AssignWindows) -> tuple[str, str]:
    return "assign-windows", f"{window_text(plan.window, plan.schema)}{', when finished' if plan.finished else ''}"


def window_text(window: Window | TableWindow, schema: Schema) -> str:
    written = str(window)
    if isinstance(window, RowWindow | SessionWindow) and window.partition:
        by_position = ", ".join(f"#{index}" for index in window.partition)
        written = written.replace(by_position, columns_text(window.partition, schema), 1)
    return written


@operator.register
def _(plan: nodes.Select) -> tuple[str, str]:
    return "select", text(plan.predicate, plan.child.schema)


@operator.register
def _(plan: nodes.Project) -> tuple[str, str]:
    parts = []
    for expression, name in zip(plan.expressions, plan.names, strict=True):
        written = text(expression, plan.child.schema)
        parts.append(written if written == name else f"{written} AS {name}")
    return "project", ", ".join(parts)


@operator.register
def _(plan: nodes.Join) -> tuple[str, str]:
    outer = "" if plan.how == "inner" else f"{plan.how} "
    return "join", f"{outer}on {text(plan.condition, plan.schema)}"


@operator.register
def _(plan: nodes.SemiJoin) -> tuple[str, str]:
    return ("antijoin" if plan.anti else "semijoin"), f"on {both_sides(plan, plan.condition)}"


@operator.register
def _(plan: nodes.MarkJoin) -> tuple[str, str]:
    return "markjoin", f"on {both_sides(plan, plan.condition)}"


@operator.register
def _(plan: nodes.SingleJoin) -> tuple[str, str]:
    return "singlejoin", f"on {both_sides(plan, plan.condition)}"


@operator.register
def _(plan: AsofJoin) -> tuple[str, str]:
    parts = [part for part in (*conjuncts(plan.condition), plan.nearest, *conjuncts(plan.within)) if part != TRUE]
    return "asof-join", f"{'left ' if plan.how == 'left' else ''}on {both_sides(plan, all_of(parts))}"


def both_sides(plan: nodes.Binary, condition: Expression) -> str:
    return text(condition, plan.left.schema + plan.right.schema)


@operator.register
def _(plan: nodes.Aggregate) -> tuple[str, str]:
    schema = plan.child.schema
    columns = [
        aggregation_text(aggregation, lambda column: column_text(column, schema)) for aggregation in plan.aggregations
    ]
    keys = f" by {texts(plan.keys, schema)}" if plan.keys else ""
    return "aggregate", f"{', '.join(columns)}{keys}".strip()


@operator.register
def _(plan: nodes.Distinct) -> tuple[str, str]:
    return "distinct", ""


@operator.register
def _(plan: nodes.Union) -> tuple[str, str]:
    return "union", "all"


@operator.register
def _(plan: nodes.Except) -> tuple[str, str]:
    return "except", "all" if plan.all else ""


@operator.register
def _(plan: nodes.Intersect) -> tuple[str, str]:
    return "intersect", "all" if plan.all else ""


@operator.register
def _(plan: nodes.TopK) -> tuple[str, str]:
    keys = [order_text(key, plan.schema) for key in plan.order]
    offset = f" offset {plan.offset}" if plan.offset else ""
    return "top-k", f"{plan.limit if plan.limit is not None else 'all'} by {', '.join(keys)}{offset}"


def order_text(key: nodes.OrderKey, schema: Schema) -> str:
    usual = key.nulls_first != key.descending
    nulls = "" if usual else f" NULLS {'FIRST' if key.nulls_first else 'LAST'}"
    return f"{text(key.expression, schema)}{' DESC' if key.descending else ''}{nulls}"


@operator.register
def _(plan: Over) -> tuple[str, str]:
    functions = [function_text(each, plan.child.schema) for each in plan.functions]
    return "over", f"{', '.join(functions)}{sorted_text(plan)}"


@operator.register
def _(plan: TopOfPartition) -> tuple[str, str]:
    return "top", f"{plan.limit}{' with ties' if plan.ties else ''}{sorted_text(plan)}"


def sorted_text(plan: Over | TopOfPartition) -> str:
    partition = f" of each {texts(plan.partition, plan.child.schema)}" if plan.partition else ""
    order = f" by {', '.join(order_text(key, plan.child.schema) for key in plan.order)}" if plan.order else ""
    return partition + order


def function_text(function: WindowFunction, schema: Schema) -> str:
    """A window function with its frame, if that is not the usual one."""
    call = window_call_text(function, lambda column: column_text(column, schema))
    return f"{call} {function.frame}" if function.has_frame and not function.frame.is_whole else call


@operator.register
def _(plan: nodes.ToStream) -> tuple[str, str]:
    return f"{plan.operator[0]}-stream", ""


@operator.register
def _(plan: nodes.JumpWindow) -> tuple[str, str]:
    return (
        "jump-window",
        f"range {plan.range}, frequency {plan.frequency}{partition_text(plan.partition, plan.schema)}",
    )


@operator.register
def _(plan: nodes.Append) -> tuple[str, str]:
    return "append", "each step's result"


@operator.register
def _(plan: nodes.FrequencySample) -> tuple[str, str]:
    return "frequency", f"every {plan.frequency}{partition_text(plan.partition, plan.schema)}"


@operator.register
def _(plan: nodes.HashSample) -> tuple[str, str]:
    return "sample", str(plan.rate)


def partition_text(partition: Sequence[int], schema: Schema) -> str:
    return f" by {columns_text(partition, schema)}" if partition else ""


# Trees ----------------------------------------------------------------------------------------------------


def tree(plan: Plan) -> str:
    """The plan as an indented tree; each line ends in what the node produces: stream, relation or steps."""
    lines: list[str] = []

    def visit(node: Plan, lead: str, below: str) -> None:
        lines.append(f"{lead}{label(node)}  → {node.kind}")
        for index, child in enumerate(node.children):
            last = index == len(node.children) - 1
            visit(child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))

    visit(plan, "", "")
    return "\n".join(lines)


def graph(plans: dict[str, Plan]) -> dict[str, Any]:
    """The plans of several queries as one graph: equal sub-plans are one node, used by all their queries."""
    numbers: dict[Plan, int] = {}
    operators: list[dict[str, Any]] = []

    def visit(node: Plan, query: str) -> int:
        if node not in numbers:
            inputs = [visit(child, query) for child in node.children]
            numbers[node] = len(operators)
            name, detail = operator(node)
            columns = [{"name": field.name, "type": str(field.type)} for field in node.schema]
            operators.append(
                {
                    "id": numbers[node],
                    "operator": name,
                    "paper": PAPER_NAMES.get(name),
                    "detail": detail,
                    "kind": str(node.kind),
                    "columns": columns,
                    "inputs": inputs,
                    "queries": [],
                }
            )
        mark(numbers[node], query)
        return numbers[node]

    def mark(number: int, query: str) -> None:
        if query not in operators[number]["queries"]:
            operators[number]["queries"].append(query)
            for below in operators[number]["inputs"]:
                mark(below, query)

    outputs = {name: visit(plan, name) for name, plan in plans.items()}
    return {"operators": operators, "outputs": outputs}


def mermaid(plans: dict[str, Plan]) -> str:
    """The graph as a Mermaid flowchart: streams are round, relations square; nodes of several queries are thick."""
    drawn = graph(plans)
    lines = ["flowchart BT"]
    for node in drawn["operators"]:
        shape = BOX[node["kind"]]
        words = escape(f"{node['operator']} {node['detail']}".rstrip())
        lines.append(f'  n{node["id"]}{shape[0]}"{words}"{shape[1]}')
    for node in drawn["operators"]:
        lines.extend(f"  n{below} --> n{node['id']}" for below in node["inputs"])
    for name, number in drawn["outputs"].items():
        lines += [
            f'  q{number}_{len(lines)}[["output {escape(name)}"]]',
            f"  n{number} --> q{number}_{len(lines)}",
        ]
    shared = [f"n{node['id']}" for node in drawn["operators"] if len(node["queries"]) > 1]
    if shared:
        lines += ["  classDef shared stroke-width:3px", f"  class {','.join(shared)} shared"]
    return "\n".join(lines)


BOX: dict[str, tuple[str, str]] = {"stream": ("([", "])"), "relation": ("[", "]"), "steps": ("{{", "}}")}


def escape(words: str) -> str:
    return words.replace("&", "&amp;").replace('"', "#quot;").replace("<", "&lt;")
