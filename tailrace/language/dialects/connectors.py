"""Connectors: what a CREATE TABLE … WITH ('connector' = …) is here: a CREATE STREAM or CREATE RELATION, and a sink."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from tailrace.errors import AnalysisError, did_you_mean
from tailrace.language import nodes
from tailrace.language.nodes import place_of

# Options of Flink whose meaning is Spark's or Tailrace's anyway, or that say how Flink itself works.
IGNORED = ("sink.", "source.", "scan.", "lookup.", "partition.", "auto-compaction", "compaction.", "json.", "parquet.")
FILE_FORMATS = ("csv", "json", "parquet", "orc", "avro", "text")
CSV_OPTIONS = {
    "csv.field-delimiter": "sep",
    "csv.quote-character": "quote",
    "csv.escape-character": "escape",
    "csv.null-literal": "nullValue",
    "csv.ignore-parse-errors": None,  # rows that cannot be read are kept aside
    "csv.allow-comments": None,
    "csv.disable-quote-character": None,
}
STARTS = {"earliest-offset": "earliest", "latest-offset": "latest"}


@dataclass(frozen=True)
class Connector:
    """A connector of Flink: its format here (None: the option `format` says it), and how its options are called."""

    format: str | None = None
    options: dict[str, str | None] = field(default_factory=dict)
    reads: bool = True
    writes: bool = True


CONNECTORS = {
    "filesystem": Connector(None, {"path": "path", **CSV_OPTIONS}),
    "kafka": Connector("kafka", {"topic": "subscribe", "scan.startup.mode": "startingOffsets"}),
    "jdbc": Connector(
        "jdbc",
        {"url": "url", "table-name": "dbtable", "username": "user", "password": "password", "driver": "driver"},
    ),
    "print": Connector("console", {"print-identifier": None, "standard-error": None}, reads=False),
    "blackhole": Connector("noop", reads=False),
}
INSTEAD = {
    "datagen": "CREATE STREAM … (value BIGINT) USING rate OPTIONS (rowsPerSecond '5') TIMESTAMP BY timestamp",
    "faker": "CREATE STREAM … (value BIGINT) USING rate OPTIONS (rowsPerSecond '5') TIMESTAMP BY timestamp",
    "upsert-kafka": "'connector' = 'kafka', and a query [PARTITION BY key ROWS 1] for the newest row of each key",
    "socket": "CREATE STREAM … (value STRING) USING socket OPTIONS (host '…', port '…')",
}


@dataclass(frozen=True)
class TableOptions:
    """The options of a table's WITH: its connector, its format, and the other options as they are called here."""

    connector: Connector
    format: str
    options: tuple[tuple[str, str], ...]

    def of_sink(self) -> tuple[tuple[str, str], ...]:
        """The options as the sink takes them."""
        names = {"subscribe": "topic"}
        return tuple((names.get(key, key), value) for key, value in self.options if key != "startingOffsets")


def read_options(table: nodes.CreateTable) -> TableOptions:
    """The options of a table's WITH; an AnalysisError for a connector or format that there is not."""
    given = {option.this.lower(): option for option in table.args["options"]}
    chosen = given.pop("connector", None)
    if chosen is None:
        raise AnalysisError("WITH needs the option 'connector'", place_of(table.this), "'connector' = 'filesystem'")
    name = chosen.args["value"].lower()
    connector = CONNECTORS.get(name)
    if connector is None:
        hint = INSTEAD.get(name) or did_you_mean(name, CONNECTORS) or f"there are {', '.join(CONNECTORS)}"
        raise AnalysisError(f"no connector {name}", place_of(chosen), hint)
    written = given.pop("format", None) or given.pop("value.format", None)
    format = connector.format or file_format(table, written)
    if name == "kafka":
        refuse_kafka_format(table, written)
    options = [pair for option in given.values() if (pair := option_here(option, connector))]
    if format == "csv" and not any(key.lower() == "header" for key, _ in options):
        options.append(("header", "false"))  # files of Flink have none
    return TableOptions(connector, format, tuple(options))


def file_format(table: nodes.CreateTable, written: nodes.Option | None) -> str:
    if written is None:
        raise AnalysisError("a filesystem table needs the option 'format'", place_of(table.this), "'format' = 'csv'")
    found: str = {"raw": "text"}.get(written.args["value"].lower(), written.args["value"].lower())
    if found not in FILE_FORMATS:
        hint = did_you_mean(found, FILE_FORMATS) or f"there are {', '.join(FILE_FORMATS)}"
        raise AnalysisError(f"no format {found} of files", place_of(written), hint)
    return found


def refuse_kafka_format(table: nodes.CreateTable, written: nodes.Option | None) -> None:
    """Refuse the formats of Kafka's values: here a view or query reads and writes them."""
    if written is None or written.args["value"].lower() == "raw":
        return
    format, name = written.args["value"], table.this.name
    raise AnalysisError(
        f"a kafka table has the columns key and value, and no format {format}",
        place_of(written),
        f"CREATE STREAM {name}_rows (value STRING) USING kafka OPTIONS (…) TIMESTAMP BY timestamp; CREATE VIEW {name} "
        f"AS SELECT from_json(value, '…') … FROM {name}_rows; a query INTO kafka selects to_json(struct(…)) AS value",
    )


def option_here(option: nodes.Option, connector: Connector) -> tuple[str, str] | None:
    """An option as it is called here, with its value; None for one that has no effect."""
    key, value = option.this, option.args["value"]
    lower = key.lower()
    if lower in connector.options:
        name = connector.options[lower]
        if name == "startingOffsets" and value not in STARTS:
            raise AnalysisError(f"no startup mode {value}", place_of(option), f"there are {' and '.join(STARTS)}")
        if name == "path":
            value = value.removeprefix("file://")
        return None if name is None else (name, STARTS.get(value, value) if name == "startingOffsets" else value)
    if connector.format == "kafka" and lower.startswith("properties."):
        return f"kafka.{key[len('properties.') :]}", value
    return None if lower.startswith(IGNORED) else (key, value)


def as_source(table: nodes.CreateTable) -> nodes.CreateSource | None:
    """The CREATE STREAM or CREATE RELATION that a table is when it is read; None if it only takes rows.

    With a watermark it is a stream or, with a primary key, a relation in which a newer row replaces the older. With a
    PROCTIME() column it is a stream whose time is the arrival. Files without a time are a relation that never changes.
    """
    found = read_options(table)
    if not found.connector.reads:
        return None
    watermark, key, proctimes = (table.args.get(part) for part in ("watermark", "primary_key", "proctimes"))
    refuse_two_times(table)
    is_stream = bool(proctimes or (watermark and not key) or (found.format == "kafka" and not watermark))
    source = nodes.CreateSource(
        kind="STREAM" if is_stream else "RELATION",
        this=table.this.copy(),
        columns=[column.copy() for column in table.args["columns"]],
        format=exp.Identifier(this=found.format),
        options=[nodes.Option(this=name, value=value) for name, value in found.options],
    )
    if watermark:
        source.set("timestamp", watermark.this.copy())
        source.set("delay", watermark.args["delay"].copy() if watermark.args.get("delay") else None)
    if key and watermark:
        source.set("key", [name.copy() for name in key])
    keep_places(source, table)
    return source


def refuse_two_times(table: nodes.CreateTable) -> None:
    proctimes = table.args.get("proctimes") or []
    if proctimes and table.args.get("watermark"):
        raise AnalysisError(
            f"{table.this.name} has a watermark and a PROCTIME(), and a stream has one time",
            place_of(proctimes[0]),
            "leave one of them out",
        )
    if proctimes and table.args.get("primary_key"):
        raise AnalysisError(
            "a table with a PRIMARY KEY needs a WATERMARK: which row of a key is newer?",
            place_of(table.args["primary_key"][0]),
            "WATERMARK FOR ts AS ts",
        )


def keep_places(source: nodes.CreateSource, table: nodes.CreateTable) -> None:
    """Give parts of the source that the table does not have the place of the table's name."""
    for node in source.walk():
        node.meta.setdefault("start", table.this.meta.get("start"))
        node.meta.setdefault("end", table.this.meta.get("end"))


def as_sink(table: nodes.CreateTable) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The format and options of the sink that a table is when it is inserted into."""
    found = read_options(table)
    return found.format, found.of_sink()


def writes_of(table: nodes.CreateTable) -> Iterator[tuple[str, str]]:
    """The format and the options of both sides of a table, for whoever checks what it reads and writes."""
    found = read_options(table)
    yield "format", found.format
    yield from found.options
