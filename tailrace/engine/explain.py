"""Explain: writes what `check` and `explain` say about a script, as text, Mermaid or JSON."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tailrace.analysis.statements.definitions import Outcome
from tailrace.analysis.statements.replies import Described, Description, Explanation, Listing, Remark, StatementText
from tailrace.analysis.tables.windows import describe
from tailrace.catalog.declared_tables import Table
from tailrace.catalog.sources import Relation
from tailrace.deep_stack import on_deep_stack
from tailrace.engine.pipeline import PlanningSession, query_set
from tailrace.errors import RunError
from tailrace.logical.plan import Plan
from tailrace.logical.queries import Definition, QueryDefinition
from tailrace.logical.text.explain import graph, mermaid, tree
from tailrace.rewrite.rewriter import RewriteResult, RewriteStep, rewrite

if TYPE_CHECKING:
    from tailrace.staging.stages import StagedPlan


def check_report(session: PlanningSession) -> str:
    """The text for each statement, in order: the meaning of views and queries, the output of SHOW and EXPLAIN."""
    return "\n\n".join(outcome_text(session, outcome) for outcome in session.program.outcomes)


def outcome_text(session: PlanningSession, outcome: Outcome, failures: Mapping[str, str] | None = None) -> str:
    """What a statement says; `failures` has why queries are quarantined, by name."""
    match outcome:
        case Listing():
            return listing_text(outcome, failures or {})
        case Explanation():
            settings = session.program.settings
            return "\n\n".join(
                f"{name}\n{indent(tree(rewrite(plan, settings).plan))}" for name, plan in outcome.plans.items()
            )
        case Description():
            return description_text(outcome.entry)
        case StatementText():
            return outcome.text
        case Remark():
            return f"note: {outcome.text}"
        case Definition():
            return derived_text(outcome)
    raise AssertionError(f"no outcome {type(outcome).__name__}")


def derived_text(derived: Definition) -> str:
    """A view's or query's kind and columns, the defaults that were added to it, and its expanded text."""
    lines = [head(derived)]
    for note in derived.notes:
        lines.append(f"  {'default' if note.is_default else 'note'}: {note.text}")
    return "\n".join([*lines, indent(derived.expanded_text(pretty=True))])


def head(derived: Definition) -> str:
    target = f" into {derived.format}" if isinstance(derived, QueryDefinition) and derived.format else ""
    article = "query" if isinstance(derived, QueryDefinition) else "view"
    return f"{article} {derived.name}: {derived.kind} {derived.schema}{target}"


def listing_text(listing: Listing, failures: Mapping[str, str]) -> str:
    title = "queries" if listing.word == "query" else f"{listing.word}s"
    lines = []
    for entry in listing.entries:
        lines.append(entry_text(entry))
        if entry.name in failures:
            lines.append(f"  quarantined: {failures[entry.name]}")
    return "\n".join([title, *(f"  {line}" for line in lines or ["none"])])


def description_text(entry: Described) -> str:
    """What DESCRIBE says: the kind, a line for each column, and where the rows come from or go."""
    width = max((len(field.name) for field in entry.schema), default=0)
    lines = [f"  {field.name:{width}}  {field.type}" for field in entry.schema]
    if isinstance(entry, Definition):
        target = f", into {entry.format}" if isinstance(entry, QueryDefinition) and entry.format else ""
        return "\n".join([f"{entry.word} {entry.name}, a {entry.kind}{target}", *lines])
    _, _, rest = entry_text(entry).partition(str(entry.schema))
    return "\n".join([f"{entry.word} {entry.name}{rest}", *lines])


def entry_text(entry: Described) -> str:
    if isinstance(entry, Definition):
        return f"{entry.name}: {entry.kind} {entry.schema}"
    parts = [f"{entry.name}{entry.schema}"]
    if isinstance(entry, Table):
        return ", ".join([*parts, f"into {entry.format}"])
    parts += [f"using {entry.format}"] if entry.format else []
    delay = f" delay {entry.delay}" if entry.delay else ""
    shown = entry.event_time.shown if entry.event_time else entry.timestamp
    parts += [f"timestamp by {shown}{delay}"] if shown else []
    parts += [f"heartbeat by {entry.heartbeat}"] if entry.heartbeat else []
    parts += [f"idle after {describe(entry.idle)}"] if entry.idle else []
    if isinstance(entry, Relation):
        parts += [f"op by {entry.op}"] if entry.op else []
        parts += ["static"] if entry.is_static else []
    parts += [f"key ({', '.join(entry.key)})"] if entry.key else []
    return ", ".join(parts)


def indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


# EXPLAIN --------------------------------------------------------------------------------------------------


def explain_report(session: PlanningSession, derived: Iterable[Definition], form: str) -> str:
    """The plans of queries or views and what each rule changed; for all of a script's queries, also their stages."""
    chosen = {entry.name: (entry, session.rewrite(entry)) for entry in derived}
    if form == "mermaid":
        return mermaid({name: rewritten.plan for name, (_, rewritten) in chosen.items()})
    if form == "json":
        return json.dumps(explain_json(chosen), indent=2, ensure_ascii=False)
    parts = [explain_text(entry, rewritten) for entry, rewritten in chosen.values()]
    if chosen and list(chosen) == list(session.program.queries):
        parts.append(f"On Spark\n{indent(spark_text(session))}")
    return "\n\n\n".join(parts)


def spark_text(session: PlanningSession) -> str:
    """The stages in which all standing queries run together, or the reason why they cannot."""
    from tailrace.staging.explain import stages_text

    try:
        staged = stages(session)
    except RunError as problem:
        return problem.message
    text = on_deep_stack(lambda: stages_text(staged, names_of(staged, session.program.queries.values())))
    beside = ", ".join(name for name in session.program.queries if name in session.program.catalog.system_queries)
    roads = on_deep_stack(lambda: read_texts(staged, session.program.settings.scan))
    roads += on_deep_stack(lambda: write_texts(staged, session.program.queries, session.program.settings.scan))
    return "\n".join([*filter(None, [text]), *roads, *([f"beside the run: {beside}"] if beside else [])])


def read_texts(staged: StagedPlan, scan: str) -> list[str]:
    """For each source, who reads its rows: tasks with Arrow, or Spark by its own readers, and then why."""
    from tailrace.exchange.prepare_input import can_prepare
    from tailrace.scan.support import why_spark_reads
    from tailrace.staging.stages import StageOutput

    found: dict[str, str | None] = {}
    for feed in staged.feeds:
        if not isinstance(feed.origin, StageOutput) and feed.origin.format:
            reason = "SET scan" if scan == "spark" else why_spark_reads(feed.origin)
            left = None if can_prepare(feed) else "an expression is left to Spark SQL"
            found[feed.origin.name] = found.get(feed.origin.name) or reason or left
    return [
        f"{name} is read by {'tasks, with Arrow' if reason is None else f'Spark: {reason}'}"
        for name, reason in found.items()
    ]


def write_texts(staged: StagedPlan, queries: Mapping[str, QueryDefinition], scan: str) -> list[str]:
    """For each output that goes to files, who writes them: tasks with Arrow, or Spark by its writers, and then why."""
    from tailrace.catalog.formats import FILES
    from tailrace.exchange.prepare_input import can_prepare
    from tailrace.write.sink_support import why_not_written

    found = []
    for output, feed in staged.outputs.items():
        members = list(staged.families.get(output, {0: output}).values())
        into = [queries[name] for name in members if (queries[name].format or "").lower() in FILES]
        left = "SET scan" if scan == "spark" else None if can_prepare(feed) else "an expression is left to Spark SQL"
        reasons = [
            why_not_written(query.format or "", query.options, [(field.name, field.type) for field in query.schema])
            for query in into
        ]
        if into:
            reason = left or next(filter(None, reasons), None)
            by = "tasks, with Arrow" if reason is None else f"Spark: {reason}"
            found.append(
                f"{staged.display_name(output)} {'are' if output in staged.families else 'is'} written by {by}"
            )
    return found


def stages(session: PlanningSession) -> StagedPlan:
    """The stages of all standing queries in the first plan version of a run."""
    return query_set(session).versions.preview(None, -1)


def names_of(staged: StagedPlan, queries: Iterable[QueryDefinition]) -> dict[str, Sequence[str]]:
    """The column names of each query and of each family, whose first column is the member's number."""
    names: dict[str, Sequence[str]] = {query.name: query.names for query in queries}
    for family, members in staged.families.items():
        names[family] = ("member", *names[next(iter(members.values()))])
    return names


def explain_text(entry: Definition, rewritten: RewriteResult) -> str:
    parts = [derived_text(entry), f"logical plan\n{indent(tree(entry.plan))}"]
    if rewritten.steps:
        steps = [step_text(number, step) for number, step in enumerate(rewritten.steps, start=1)]
        parts.append("rewrites\n" + "\n".join(steps))
        parts.append(f"final plan\n{indent(tree(rewritten.plan))}")
    else:
        parts.append("no rule applies: this is the final plan")
    return "\n\n".join(parts)


def step_text(number: int, step: RewriteStep) -> str:
    """A rule and the lines of the plan it changed."""
    before, after = tree(step.before).split("\n"), tree(step.after).split("\n")
    marked = difflib.unified_diff(before, after, lineterm="", n=0)
    changed = [f"{line[0]} {line[1:]}" for line in marked if not line.startswith(("---", "+++", "@@"))]
    return "\n".join([f"  {number}. {step.rule}", *(f"     {line}" for line in changed)])


def explain_json(chosen: dict[str, tuple[Definition, RewriteResult]]) -> dict[str, Any]:
    final: dict[str, Plan] = {name: rewritten.plan for name, (_, rewritten) in chosen.items()}
    return {
        "queries": {name: query_json(entry, rewritten) for name, (entry, rewritten) in chosen.items()},
        "plan": graph(final),
    }


def query_json(entry: Definition, rewritten: RewriteResult) -> dict[str, Any]:
    return {
        "kind": str(entry.kind),
        "columns": [{"name": field.name, "type": str(field.type)} for field in entry.schema],
        "defaults": [note.text for note in entry.notes if note.is_default],
        "expanded": entry.expanded_text(),
        "logical": graph({entry.name: entry.plan}),
        "rewrites": [
            {"rule": step.rule, "before": tree(step.before), "after": tree(step.after)} for step in rewritten.steps
        ],
    }
