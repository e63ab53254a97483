"""Completion: suggests how to complete a word of a text: keywords, names, columns, functions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from tailrace.analysis.program import Program
from tailrace.catalog import builtin_functions as functions
from tailrace.catalog.sources import Declared
from tailrace.catalog.system_streams import SYSTEM_STREAMS
from tailrace.errors import TailraceError
from tailrace.language.dialects import foreign_words
from tailrace.language.script import tokenize
from tailrace.language.statements import StatementGrammar
from tailrace.logical.queries import Definition, View

KEYWORDS = """
    SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT DISTINCT AS AND OR NOT IN EXISTS BETWEEN LIKE IS NULL CASE WHEN THEN
    ELSE END JOIN LEFT RIGHT FULL INNER CROSS ON USING UNION EXCEPT INTERSECT ALL ISTREAM DSTREAM RSTREAM RANGE ROWS
    NOW UNBOUNDED SLIDE PARTITION PARTITIONED FREQUENCY TUPLES SECONDS MINUTES HOURS DAYS MILLISECONDS CREATE STREAM
    RELATION VIEW QUERY DROP RESUME SHOW STREAMS RELATIONS VIEWS QUERIES EXPLAIN SET INTO OPTIONS TIMESTAMP DELAY KEY OP
    WITH INT BIGINT DOUBLE STRING BOOLEAN DATE DECIMAL CAST TRUE FALSE DESC ASC SAMPLE PERCENT SEED
    ALTER REPLACE IF TABLE TABLES INSERT DESCRIBE ANALYZE MATERIALIZED WATERMARK BEGIN
"""
STATEMENTS = {
    *StatementGrammar.RULES,
    "BEGIN",
    "END",
    "COMMIT",
    "EXECUTE",
    *(foreign_words.STATEMENTS.keys() - {"VALUES"}),
}
READABLE_QUERIES = 200  # so many queries, at most, are offered to be read
NAME = r"[A-Za-z_]\w*"
READ = re.compile(r"\b(?:FROM|JOIN)\s+$|\b(?:FROM|JOIN)\s[^()]*,\s*$", re.IGNORECASE)
CLAUSE = re.compile(r"\b(?:WHERE|GROUP|HAVING|ORDER|ON|USING|SELECT)\b[^()]*$", re.IGNORECASE)
DROP = re.compile(
    r"\b(?:DROP|RESUME|ALTER|SHOW\s+CREATE|OR\s+REPLACE)\s+(STREAM|RELATION|VIEW|QUERY)\s+(?:IF\s+EXISTS\s+)?$",
    re.IGNORECASE,
)
NAMED = re.compile(r"\b(?:DESCRIBE|DESC|SHOW\s+CREATE|DROP\s+TABLE|SHOW\s+CREATE\s+TABLE)\s+$", re.IGNORECASE)
INSERT = re.compile(r"\bINSERT\s+INTO\s+$", re.IGNORECASE)
ALIAS = re.compile(rf"\b({NAME})\s*(?:\[[^\]]*\])?\s+(?:AS\s+)?({NAME})", re.IGNORECASE)


def readable(program: Program) -> dict[str, list[str]]:
    """The columns of each stream, relation, view, query and system stream that a query may read, by name."""
    declared = [each for each in program.catalog.entries.values() if isinstance(each, (Declared, View))]
    queries = islice(program.queries.values(), READABLE_QUERIES)
    return {each.name: list(each.schema.names) for each in (*declared, *queries, *SYSTEM_STREAMS.values())}


def function_names() -> list[str]:
    return [name.upper() for name in functions.names() if name.isidentifier()]


def completions(before: str, word: str, program: Program) -> list[str]:
    """The completions of `word`, which stands behind the text `before`.

    >>> from tailrace.analysis.program import analyse
    >>> from tailrace.errors import Source
    >>> from tailrace.language.script import parse_script
    >>> text = "CREATE STREAM Calls (caller INT) TIMESTAMP BY ts; CREATE QUERY q AS SELECT * FROM Calls"
    >>> program = analyse(parse_script(Source(text)))
    >>> completions("SELECT caller FROM ", "c", program), completions("SELECT ", "cal", program)
    (['Calls'], ['Calls', 'caller'])
    >>> completions("SELECT C.ca FROM Calls C WHERE ", "C.c", program), completions("DROP QUERY ", "", program)
    (['C.caller'], ['q'])
    """
    known = readable(program)
    dropped = DROP.search(before)
    if dropped:
        return complete_word(word, [entry.name for entry in program.catalog.of(dropped.group(1).lower())])
    if INSERT.search(before):
        return complete_word(word, [table.name for table in program.catalog.tables.values()])
    if NAMED.search(before):
        return complete_word(word, [entry.name for entry in program.catalog.entries.values()])
    if re.search(r"\bEXPLAIN\s+(?:ANALYZE\s+)?$", before, re.IGNORECASE):
        derived = [each.name for each in program.catalog.entries.values() if isinstance(each, Definition)]
        return complete_word(word, [*derived, "SELECT"])
    if READ.search(before) and not CLAUSE.search(re.split(r"\bFROM\b", before, flags=re.IGNORECASE)[-1]):
        return complete_word(word, known)
    if "." in word:
        of, _, part = word.rpartition(".")
        columns = columns_of(of, before, known)
        return [f"{of}.{name}" for name in complete_word(part, columns)]
    columns = [column for names in known.values() for column in names]
    more = function_names() if len(word) > 1 else []
    return complete_word(word, [*known, *columns, *KEYWORDS.split(), *more])


def columns_of(name: str, text: str, known: dict[str, list[str]]) -> list[str]:
    """The columns of a stream, relation or view; `name` may be an alias that the text declares."""
    by_lower = {each.lower(): columns for each, columns in known.items()}
    aliases = {alias.lower(): of.lower() for of, alias in ALIAS.findall(text) if of.lower() in by_lower}
    return by_lower.get(aliases.get(name.lower(), name.lower()), [])


def complete_word(word: str, candidates: Iterable[str]) -> list[str]:
    """The candidates that begin with the word, in any case. Keywords and functions follow the case of the word.

    >>> complete_word("sel", ["SELECT", "Selling"]), complete_word("SE", ["SELECT"])
    (['Selling', 'select'], ['SELECT'])
    """
    lower = word.islower()
    found = {each.lower() if lower and each.isupper() else each for each in candidates if begins(each, word)}
    return sorted(found)


def begins(text: str, word: str) -> bool:
    return text.lower().startswith(word.lower())


def is_query(text: str) -> bool:
    """Whether a text is a query and not a script of statements.

    >>> is_query("-- all\\nSELECT * FROM S"), is_query("create view v as select 1"), is_query("")
    (True, False, False)
    >>> is_query("BEGIN; SHOW VIEWS; END"), is_query("UPDATE S SET a = 1")
    (False, False)
    """
    try:
        tokens = tokenize(text)
    except TailraceError:
        return not any(text.lstrip().upper().startswith(word) for word in STATEMENTS)
    return bool(tokens) and tokens[0].text.upper() not in STATEMENTS
