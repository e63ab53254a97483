"""Main: the command line, one function per command. Nothing here imports Spark before a command needs it."""

from __future__ import annotations

import importlib
import importlib.util
import signal
import sys
import threading
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

import tailrace
from tailrace.analysis.statements.event_times import unit_warnings
from tailrace.deep_stack import on_deep_stack
from tailrace.engine.explain import check_report, explain_report
from tailrace.engine.pipeline import PlanningSession, compile_script
from tailrace.errors import ScriptError, SettingError, Source, TailraceError, did_you_mean
from tailrace.logical.queries import Definition
from tailrace.progress import SHED
from tailrace.settings import Settings

if TYPE_CHECKING:
    from tailrace.staging.plan_version import PlanChange

FAILED, WRONG_SCRIPT = 1, 2

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def print_version(asked: bool) -> None:
    """Print the version and exit, if `--version` was given."""
    if asked:
        print(f"tailrace {tailrace.__version__}")
        raise typer.Exit()


@app.callback()
def take_options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Continuous queries on Spark."""


class Form(StrEnum):
    """The formats in which `tailrace explain` writes plans."""

    text = "text"
    mermaid = "mermaid"
    json = "json"


ScriptFile = Annotated[Path, typer.Argument(metavar="SCRIPT", help="A .cql file.")]


@app.command()
def check(script: ScriptFile) -> None:
    """Parse, resolve and type a script; print each query expanded with its defaults."""
    found = compile_or_exit(script)
    print(on_deep_stack(lambda: check_report(found)))
    for warning in unit_warnings(found.program.catalog.entries.values(), found.program.settings):
        print(f"warning: {warning}", file=sys.stderr)


@app.command()
def run(
    script: ScriptFile,
    once: Annotated[bool, typer.Option("--once", help="Take what is there now, answer, and end.")] = False,
    until: Annotated[str | None, typer.Option(metavar="T", help="The last instant, with --once.")] = None,
    master: Annotated[str, typer.Option(metavar="URL", help="A Spark master.")] = "local[*]",
    checkpoint: Annotated[str | None, typer.Option(metavar="DIR", help="Where to go on from after a stop.")] = None,
    trigger: Annotated[str, typer.Option(metavar="INTERVAL", help="The least time between batches.")] = "0 seconds",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting, as if the script began with SET.")
    ] = None,
) -> None:
    """Run a script's queries on Spark: until stopped, or once over what is there."""
    found = compile_or_exit(script, settings or ())
    if not once and until is not None:
        fail("--until needs --once: a continuous run has no end", FAILED)
    if until is not None and checkpoint is not None:
        fail("--until and --checkpoint exclude each other: rows before T would be too late in the next run", FAILED)
    from tailrace.cli.terminal_tables import Printed, PrintedResults, ProgressLine
    from tailrace.engine.run_queries import run_once, stand

    answers, meter = PrintedResults(), ProgressLine(sys.stderr)
    folder = str(script.parent)
    try:
        if once and checkpoint is None:
            outcome = run_once(found, folder, until, master, answers.take, meter.show)
        else:
            shown, pace = (answers.take, None) if once else (Printed(sys.stdout, meter).take, trigger)
            outcome = stand(found, folder, checkpoint, pace, when_asked, master, shown, meter.show, print_plan_change)
    except TailraceError as problem:
        meter.clear()
        fail(problem.message, FAILED, problem.hint)
    meter.clear()
    if answers.names:
        print(answers.text())
    for rows in outcome.late:
        print(f"note: {rows.describe('came too late')}", file=sys.stderr)
    for rows in outcome.shed:
        print(f"note: {rows.describe(SHED)}", file=sys.stderr)
    for rows in outcome.unreadable:
        print(f"error: {rows.describe('could not be read')}", file=sys.stderr)
    for text in outcome.failed:
        print(f"error: {text}: it is quarantined", file=sys.stderr)
    if outcome.unreadable or outcome.failed:
        raise typer.Exit(FAILED)


@app.command()
def shell(
    script: Annotated[Path | None, typer.Argument(metavar="[SCRIPT]", help="A .cql file to begin with.")] = None,
    master: Annotated[str, typer.Option(metavar="URL", help="A Spark master.")] = "local[*]",
) -> None:
    """Take statements as they are typed, or from a pipe, and show results as they come."""
    if script is not None:
        compile_or_exit(script)
    from tailrace.cli.shell import run_shell

    raise typer.Exit(run_shell(script, master))


TokenFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Where tokens are kept; default: ~/.tailrace/serve-PORT.json.")
]
AuditFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A log of what changes something; default: DIR.audit.jsonl of --checkpoint."),
]


@app.command()
def serve(
    script: Annotated[Path | None, typer.Argument(metavar="[SCRIPT]", help="A .cql file to begin with.")] = None,
    host: Annotated[str, typer.Option(help="Where to listen; beyond this machine only with tokens.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8765,
    token: Annotated[
        str | None, typer.Option(envvar="TAILRACE_TOKEN", help="Who knows it may do all; default: one is made up.")
    ] = None,
    read_token: Annotated[
        str | None, typer.Option(envvar="TAILRACE_READ_TOKEN", help="Who knows it may only read; default: made up.")
    ] = None,
    token_file: TokenFile = None,
    audit: AuditFile = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A certificate, as PEM: the server speaks HTTPS.")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The key of the certificate, unless it is in the same file.")
    ] = None,
    without_kept: Annotated[
        bool, typer.Option("--without-kept", help="Leave out the statements that --checkpoint keeps, this time.")
    ] = False,
    no_token: Annotated[bool, typer.Option("--no-token", help="Everybody on this machine may do all.")] = False,
    folder: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Scripts from the network read and write below it; default: the script's."),
    ] = None,
    master: Annotated[str, typer.Option(metavar="URL", help="A Spark master.")] = "local[*]",
    checkpoint: Annotated[str | None, typer.Option(metavar="DIR", help="Where to go on from after a stop.")] = None,
    trigger: Annotated[str, typer.Option(metavar="INTERVAL", help="The least time between batches.")] = "0 seconds",
) -> None:
    """Run queries continuously, with a page and a REST interface, until stopped."""
    if script is not None:
        compile_or_exit(script)
    from tailrace.server.access import make_token
    from tailrace.server.server import ServerOptions, is_local, run_server

    if no_token and (token or read_token):
        fail("--no-token and a token exclude each other", FAILED, "a token may also come from TAILRACE_TOKEN")
    if no_token and not is_local(host):
        fail(f"--no-token is for this machine only, and {host} can be reached from others", FAILED)
    if not no_token:
        token, read_token = token or make_token(), read_token or make_token()
    try:
        folders = folder or []
        served = ServerOptions(
            host, port, token, folders, read_token, token_file, audit, tls_cert, tls_key, without_kept
        )
        run_server(script, served, master, checkpoint, trigger)
    except TailraceError as problem:
        fail(problem.message, FAILED, problem.hint)


@app.command()
def explain(
    script: ScriptFile,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One query or view.")] = None,
    format: Annotated[Form, typer.Option(help="How to write the plans.")] = Form.text,
) -> None:
    """Show the plan of each query, which rules changed it, and the final plan."""
    found = compile_or_exit(script)
    chosen: list[Definition] = list(found.program.queries.values())
    if name is not None:
        entry = found.program.catalog.find(name)
        if not isinstance(entry, Definition):
            known = [each.name for each in (*found.program.catalog.of("query"), *found.program.catalog.of("view"))]
            fail(f"{script}: no query or view {name}", WRONG_SCRIPT, did_you_mean(name, known))
        chosen = [entry]
    print(on_deep_stack(lambda: explain_report(found, chosen, format.value)))


@app.command()
def package(
    target: Annotated[Path, typer.Argument(metavar="[FILE]", help="The archive.")] = Path("tailrace.tar.gz"),
) -> None:
    """Write an archive from which a cluster's workers run with nothing installed (docs/how-to/cluster.md)."""
    from tailrace.spark.session.package import FOLDER, PYTHON
    from tailrace.spark.session.package import package as write

    try:
        size = write(target).stat().st_size
    except OSError as problem:
        fail(f"{target}: {problem.strerror or problem}", FAILED)
    print(f"{target}: {size / 1e6:,.0f} MB\n")
    print(f"spark-submit --archives {target}#{FOLDER} --conf spark.pyspark.python={PYTHON} ...")


@app.command()
def demo(name: Annotated[str, typer.Argument(help="linear-road or auction.")]) -> None:
    """Show a complete example that needs nothing but the install."""
    scripts = {path.stem: path for path in (Path(__file__).parents[1] / "demos").glob("*.cql")}
    if name not in scripts:
        fail(f"no demo {name}", FAILED, did_you_mean(name, scripts) or f"there are {', '.join(sorted(scripts))}")
    source = Source(scripts[name].read_text(encoding="utf-8"), scripts[name].name)
    print(source.text)
    found = compile_script(source)
    print("What it means, with every default written out:\n")
    print(check_report(found))
    if name == "linear-road":
        from tailrace.demos.linear_road import linear_road

        print("\nOn Spark, over an hour of made-up traffic:\n")
        print(linear_road())
    elif name == "auction":
        from tailrace.demos.auction import auction

        print("\nOn Spark, over a day of a made-up auction house:\n")
        print(auction())


@app.command()
def bench(
    name: Annotated[
        str,
        typer.Argument(
            help="windows, state, sql, memory, latency, durability, soak, cacq, stems, registering, condense, "
            "strategies, subscribers, cluster or profile."
        ),
    ],
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART]...", help="Only these parts, of cacq, strategies or profile.")
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the figures as JSON.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the figures as PNG.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A small input: seconds instead of minutes.")] = False,
) -> None:
    """Measure Tailrace beside something else; print a table with the ratios. Only in a checkout."""
    if importlib.util.find_spec("tailrace.bench") is None:
        fail(
            "the benchmarks are not installed",
            FAILED,
            "they are in a checkout of the repository: make setup, make bench",
        )
    try:
        importlib.import_module("tailrace.bench.report.run").run_bench(name, parts or (), json, plot, quick)
    except TailraceError as problem:
        fail(problem.message, FAILED, problem.hint)


def print_plan_change(changed: PlanChange) -> None:
    """Print which queries of a checkpoint keep their state, which start empty and which were dropped."""
    for line in changed.describe():
        print(f"note: {line}", file=sys.stderr)


def when_asked(stop: threading.Event) -> None:
    """Set `stop` at the first SIGINT or SIGTERM; a second one ends the process at once."""

    def ask(number: int, _: object) -> None:
        # A signal may interrupt a wait for this very event, which holds the event's lock: setting the event here
        # could wait for ever, so another thread does.
        threading.Thread(target=stop.set, daemon=True).start()
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask)


def parse_settings(settings: Sequence[str]) -> Settings:
    """The settings of `--set key=value` options; they hold from the script's first statement on."""
    found = Settings()
    for each in settings:
        key, sign, value = each.partition("=")
        if not sign:
            fail(f"--set {each}: expected KEY=VALUE", WRONG_SCRIPT)
        try:
            found = found.change(key.strip(), value.strip())
        except SettingError as problem:
            fail(problem.message, WRONG_SCRIPT, problem.hint)
    return found


def compile_or_exit(script: Path, settings: Sequence[str] = ()) -> PlanningSession:
    """Compile a script or, if that fails, print its problems on standard error and exit."""
    try:
        text = script.read_text(encoding="utf-8")
    except OSError as problem:
        fail(f"{script}: {problem.strerror or problem}", FAILED)
    except UnicodeDecodeError:
        fail(f"{script}: this is not a text in UTF-8", WRONG_SCRIPT)
    try:
        return compile_script(Source(text, str(script)), script.parent, settings=parse_settings(settings))
    except ScriptError as problem:
        print(problem.message, file=sys.stderr)
        raise typer.Exit(WRONG_SCRIPT) from None


def fail(message: str, status: int, hint: str | None = None) -> NoReturn:
    print(f"error: {message}" + (f"\n  hint: {hint}" if hint else ""), file=sys.stderr)
    raise typer.Exit(status)


def main() -> None:
    app()
