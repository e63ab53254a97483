"""Random statements: statements drawn over the whole grammar, as text, around random queries."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.language.random_texts import TYPES, Draw, duration, names, query, texts


def options(draw: Draw) -> str:
    key = draw(st.sampled_from(["path", "kafka.bootstrap.servers", "'odd key'", draw(names)]))
    value = draw(st.sampled_from([draw(texts), "true", "10", "-1"]))
    return f"OPTIONS ({key} {draw(st.sampled_from(['', '= ']))}{value})"


def create_source(draw: Draw) -> str:
    kind = draw(st.sampled_from(["STREAM", "relation"]))
    fields = ", ".join(f"{draw(names)} {draw(st.sampled_from(TYPES))}" for _ in range(draw(st.integers(1, 3))))
    parts = [f"{create_head(draw, kind)} {draw(names)} ({fields})"]
    clauses = [f"USING {draw(names)}", options(draw), f"KEY ({draw(names)}, {draw(names)})", f"OP BY {draw(names)}"]
    clauses += [f"TIMESTAMP BY {draw(names)}", f"TIMESTAMP BY {draw(names)} DELAY {duration(draw)}"]
    clauses += [f"HEARTBEAT BY {draw(names)}", f"IDLE AFTER {duration(draw)}"]
    chosen = draw(st.lists(st.sampled_from(clauses), unique_by=lambda clause: clause.split()[0], max_size=6))
    return " ".join([*parts, *chosen])


def create_head(draw: Draw, kind: str) -> str:
    return draw(st.sampled_from([f"CREATE {kind}", f"create or replace {kind}", f"CREATE {kind} IF NOT EXISTS"]))


def create_table(draw: Draw) -> str:
    """A table as Flink has it."""
    name = draw(names)
    parts = [f"{draw(names)} {draw(st.sampled_from(TYPES))}", f"{draw(names)} {draw(st.sampled_from(TYPES))} NOT NULL"]
    more = [
        f"{name} AS PROCTIME()",
        f"WATERMARK FOR {name} AS {name}",
        f"PRIMARY KEY ({name}, {draw(names)}) NOT ENFORCED",
    ]
    delay = draw(st.sampled_from(["5 SECONDS", "'0.5' minute", "'3 hours'"]))
    more.append(f"WATERMARK FOR {name} AS {name} - INTERVAL {delay}")
    parts += draw(st.lists(st.sampled_from(more), unique_by=lambda part: part.split()[0], max_size=3))
    given = ", ".join(f"{draw(texts)} = {draw(texts)}" for _ in range(draw(st.integers(1, 2))))
    return f"{create_head(draw, 'TABLE')} {name} ({', '.join(parts)}) WITH ({given})"


def statement(draw: Draw) -> str:
    name = draw(names)
    into = draw(st.sampled_from(["", f" INTO {draw(names)}", f" INTO {draw(names)} {options(draw)}"]))
    listed_names = draw(st.sampled_from(["", f" ({draw(names)}, {draw(names)})"]))
    form = draw(st.sampled_from(["source", "source", "query", "view", "explain", "table", "other"]))
    if form == "source":
        return create_source(draw)
    if form == "query":
        heads = [f"{create_head(draw, 'QUERY')} {name}{into} AS", f"{create_head(draw, 'MATERIALIZED VIEW')} {name} AS"]
        heads += [f"ALTER QUERY {name} AS", f"INSERT INTO {name}"]
        return f"{draw(st.sampled_from(heads))} {query(draw, 1)}"
    if form == "view":
        return f"{create_head(draw, 'VIEW')} {name}{listed_names} AS {query(draw, 1)}"
    if form == "explain":
        analyze = draw(st.sampled_from(["", " ANALYZE"]))
        return f"EXPLAIN{analyze}" + draw(st.sampled_from(["", f" {name}", f" {query(draw, 1)}"]))
    if form == "table":
        return create_table(draw)
    key, value = draw(st.sampled_from(["tick", "spark.sql.x", "'odd key'"])), draw(texts)
    others = [f"SET {key} = {value}", f"DROP VIEW {name}", f"DROP stream {name}", "SHOW QUERIES", "show relations"]
    others += [
        f"RESUME query {name}",
        f"DROP TABLE IF EXISTS {name}",
        "SHOW TABLES",
        f"DESCRIBE {name}",
        f"desc {name}",
    ]
    others += [f"SHOW CREATE {name}", f"SHOW CREATE TABLE {name}"]
    return draw(st.sampled_from(others))


@st.composite
def statements(draw: Draw) -> str:
    return statement(draw)
