"""Foreign words: what other dialects call things, and what to write instead. No guess by letters is made for these."""

from __future__ import annotations

from collections.abc import Sequence

BY_FILES = "rows come from sources: write them to the files or the topic that a stream reads"
BY_ONE_CATALOG = "a script has one catalog: leave it out"
AS_TRANSACTION = "statements of a text take effect together, or none does: leave it out, or write BEGIN; … END;"
STATEMENTS = {
    "UPDATE": "a relation with a KEY takes newer rows of its source: TIMESTAMP BY ts KEY (k)",
    "DELETE": "a relation with OP BY takes rows away: rows of its source with the sign -",
    "MERGE": "a relation with a KEY takes newer rows of its source: TIMESTAMP BY ts KEY (k)",
    "UPSERT": "a relation with a KEY takes newer rows of its source: TIMESTAMP BY ts KEY (k)",
    "TRUNCATE": BY_FILES,
    "COPY": BY_FILES,
    "LOAD": BY_FILES,
    "VALUES": BY_FILES,
    "USE": BY_ONE_CATALOG,
    "ROLLBACK": AS_TRANSACTION,
    "START": AS_TRANSACTION,
    "SAVEPOINT": AS_TRANSACTION,
    "REFRESH": "every query is kept up to date by itself: leave it out",
    "ANALYZE": "statistics are collected while queries run: leave it out",
    "OPTIMIZE": "state is compacted while queries run: leave it out",
    "VACUUM": "state is compacted while queries run: leave it out",
    "CACHE": "what several queries read is computed once: leave it out",
    "GRANT": "who may do what is a matter of the server's tokens",
    "REVOKE": "who may do what is a matter of the server's tokens",
    "RENAME": "CREATE it under the new name, and DROP the old one",
    "RESET": "SET gives a setting another value",
    "PAUSE": "DROP QUERY ends a query, and the page pauses its results",
    "STOP": "DROP QUERY ends a query",
    "KILL": "DROP QUERY ends a query",
    "TERMINATE": "DROP QUERY ends a query",
    "SUBSCRIBE": "subscribe in Python, or read /api/queries/NAME/events",
    "TAIL": "subscribe in Python, or read /api/queries/NAME/events",
    "PRINT": "a SELECT in the shell shows rows as they come",
    "DECLARE": "variables are not part of CQL: write the value",
    "ADD": "packages are settings of Spark: SET spark.jars.packages = '…'",
}
KINDS = {
    "SOURCE": "CREATE STREAM … USING kafka OPTIONS (…) declares a source",
    "SINK": "CREATE QUERY name INTO format OPTIONS (…) AS SELECT …, or INSERT INTO a CREATE TABLE",
    "CONNECTOR": "CREATE STREAM … USING format OPTIONS (…), or CREATE QUERY … INTO format OPTIONS (…)",
    "EXTERNAL": "CREATE STREAM or CREATE RELATION: all sources are outside",
    "FUNCTION": "engine.function('name', …) registers a function from Python",
    "AGGREGATE": "engine.aggregate('name', …) registers an aggregate from Python",
    "INDEX": "operators keep the indexes that they need: leave it out",
    "DATABASE": BY_ONE_CATALOG,
    "SCHEMA": BY_ONE_CATALOG,
    "CATALOG": BY_ONE_CATALOG,
    "DATABASES": BY_ONE_CATALOG,
    "SCHEMAS": BY_ONE_CATALOG,
    "CATALOGS": BY_ONE_CATALOG,
    "TYPE": "write the type where it is used: STRUCT<name: type, …>",
    "SEQUENCE": "numbers are not given to rows here",
    "TRIGGER": "subscribe in Python: query.subscribe(callback)",
    "PROCEDURE": "engine.function('name', …) registers a function from Python",
    "DYNAMIC": "a dynamic table is a query here: CREATE QUERY name AS …",
    "LIVE": "a live view is a query here: CREATE QUERY name AS …",
    "CONTINUOUS": "a continuous view is a query here: CREATE QUERY name AS …",
    "PIPELINE": "CREATE QUERY name INTO format OPTIONS (…) AS SELECT …",
    "JOBS": "SHOW QUERIES lists what runs",
    "SINKS": "SHOW QUERIES lists them: the rows of a query go to its INTO",
    "SOURCES": "SHOW STREAMS, SHOW RELATIONS or SHOW TABLES",
    "FUNCTIONS": "functions are Spark SQL's",
    "COLUMNS": "DESCRIBE name lists columns",
    "SETTINGS": "docs/reference/language.md lists them under SET",
}
SETS = "UNION ALL of one GROUP BY for each set of columns"
# Phrases inside a query: words, how the next word or sign must begin (else it may be an alias), and what to write.
CLAUSES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("MATCH_RECOGNIZE",),
        "(",
        "join the stream with itself: FROM S [RANGE 5 MINUTES] a JOIN S [NOW] b ON a.k = b.k AND …, one for each step",
    ),
    (("PIVOT",), "(", "one aggregate for each value: SUM(v) FILTER (WHERE k = 'a') AS a, …"),
    (("UNPIVOT",), "(", "one SELECT for each column, with UNION ALL between them"),
    (("CONNECT", "BY"), "", "join as often as the tree is deep: recursion is not part of CQL"),
    (("START", "WITH"), "", "join as often as the tree is deep: recursion is not part of CQL"),
    (("SORT", "BY"), "", "a relation has no order: leave it out, or write ORDER BY … LIMIT n"),
    (("CLUSTER", "BY"), "", "SET shards says into how many parts rows are partitioned: leave it out"),
    (("DISTRIBUTE", "BY"), "", "SET shards says into how many parts rows are partitioned: leave it out"),
    (("GROUPING", "SETS"), "(", SETS),
    (("FETCH", "FIRST"), "", "ORDER BY … LIMIT n"),
    (("FETCH", "NEXT"), "", "ORDER BY … LIMIT n"),
    (("FOR", "UPDATE"), "", "readers lock nothing: leave it out"),
    (("FOR", "SHARE"), "", "readers lock nothing: leave it out"),
    (("CROSS", "APPLY"), "", "join with a subquery in parentheses"),
    (("OUTER", "APPLY"), "", "LEFT JOIN with a subquery in parentheses"),
    (("WITHIN",), "(0123456789", "windows stand behind a stream's name: S [RANGE 5 MINUTES]"),
    (("WITH", "NO", "DATA"), "", "a query begins with the next batch: leave it out"),
    (("ON", "CONFLICT"), "", "a relation with a KEY takes newer rows in place of older ones"),
)
NOT_KEPT = "COUNT(DISTINCT x) is exact, and kept up to date"
NEWEST = "S [PARTITION BY k ROWS 1] holds the newest row of each k"
AS_LIST = "STRING and ARRAY aggregates can be registered from Python: engine.aggregate('name', …)"
ONE_ROW_EACH = "one row for each element is made before the source: by a DataFrame, or in the file"
MEDIAN = "MEDIAN(x) is kept up to date"
MILLIS = "timestamp_millis(ms), timestamp_seconds(s)"
READ_TIME = "to_timestamp(text, 'yyyy-MM-dd HH:mm')"
FUNCTIONS = {
    **dict.fromkeys(("ROLLUP", "CUBE", "GROUPING", "GROUPING_ID"), SETS),
    **dict.fromkeys(("EXPLODE", "EXPLODE_OUTER", "POSEXPLODE", "POSEXPLODE_OUTER", "INLINE", "STACK"), ONE_ROW_EACH),
    **dict.fromkeys(("UNNEST", "FLATTEN", "JSON_TABLE", "REGEXP_SPLIT_TO_TABLE"), ONE_ROW_EACH),
    **dict.fromkeys(("APPROX_COUNT_DISTINCT", "APPROX_DISTINCT", "UNIQ", "UNIQEXACT", "HLL_COUNT"), NOT_KEPT),
    **dict.fromkeys(("FIRST", "FIRST_VALUE", "LAST", "LAST_VALUE", "ANY_VALUE", "ARG_MAX", "ARGMAX"), NEWEST),
    **dict.fromkeys(("MAX_BY", "MIN_BY", "ARG_MIN", "ARGMIN", "LATEST_BY_OFFSET", "EARLIEST_BY_OFFSET"), NEWEST),
    **dict.fromkeys(("COLLECT_LIST", "COLLECT_SET", "ARRAY_AGG", "LISTAGG", "STRING_AGG", "GROUP_CONCAT"), AS_LIST),
    **dict.fromkeys(
        ("PERCENTILE", "PERCENTILE_APPROX", "APPROX_PERCENTILE", "QUANTILE"), "MEDIAN(x) is kept up to date"
    ),
    **dict.fromkeys(("PROCTIME", "GETDATE", "SYSDATE", "SYSTIMESTAMP"), "every row of a result has its instant: _ts"),
    **dict.fromkeys(("CURRENT_WATERMARK", "ROWTIME"), "every row of a result has its instant: _ts"),
    **dict.fromkeys(
        ("TO_TIMESTAMP_LTZ", "EPOCH_MS", "FROM_UNIXTIME_MILLIS"), "timestamp_millis(ms), timestamp_seconds(s)"
    ),
    **dict.fromkeys(
        ("STR_TO_DATE", "STRPTIME", "PARSE_TIMESTAMP", "TO_DATETIME"), "to_timestamp(text, 'yyyy-MM-dd HH:mm')"
    ),
    **dict.fromkeys(("STRFTIME", "FORMAT_TIMESTAMP", "FORMATDATETIME"), "date_format(t, 'yyyy-MM-dd HH:mm')"),
    **dict.fromkeys(("TIME_BUCKET", "DATE_BIN", "TOSTARTOFINTERVAL"), "date_trunc('MINUTE', t)"),
    "TOSTARTOFMINUTE": "date_trunc('MINUTE', t)",
    "TOSTARTOFHOUR": "date_trunc('HOUR', t)",
    **dict.fromkeys(("COUNTIF", "COUNT_WHERE"), "COUNT_IF(condition)"),
    "SUMIF": "SUM(x) FILTER (WHERE condition)",
    "IFF": "IF(condition, one, other)",
    "ZEROIFNULL": "COALESCE(x, 0)",
    "LEN": "LENGTH(text)",
    "CONVERT": "CAST(x AS type)",
    "TO_VARCHAR": "CAST(x AS STRING)",
    "SAFE_CAST": "TRY_CAST(x AS type)",
    "TRY_TO_NUMERIC": "TRY_CAST(x AS DOUBLE)",
    "SAFE_DIVIDE": "x / y is NULL where y is 0",
    "JSON_VALUE": "get_json_object(doc, '$.a')",
    "JSON_QUERY": "get_json_object(doc, '$.a')",
    "JSON_EXTRACT": "get_json_object(doc, '$.a')",
    "JSON_EXTRACT_SCALAR": "get_json_object(doc, '$.a')",
    "JSON_EXTRACT_STRING": "get_json_object(doc, '$.a')",
    "JSON_EXTRACT_PATH_TEXT": "get_json_object(doc, '$.a')",
    "LIST_CONTAINS": "array_contains(a, x)",
    "LIST_SORT": "sort_array(a)",
    "LIST_VALUE": "array(x, y)",
    "ARRAY_LENGTH": "size(a)",
    "STRUCT_PACK": "named_struct('a', x)",
    "REGEXP_MATCHES": "text RLIKE pattern",
    "STARTS_WITH": "startswith(text, start)",
    "ENDS_WITH": "endswith(text, end)",
    "STRPOS": "instr(text, part)",
    "CHARINDEX": "instr(text, part)",
    "GEN_RANDOM_UUID": "a standing query gives the same answer for the same data: have the source number its rows",
    "GENERATE_SERIES": "a relation of a file holds the numbers",
    "RANGE": "a relation of a file holds the numbers",
}


def clause_at(words: Sequence[str]) -> tuple[str, str] | None:
    """The foreign clause that these words and signs begin with, and what to write instead.

    >>> clause_at(["FETCH", "FIRST", "3", "ROWS"]), clause_at(["PIVOT", "AS"])
    (('FETCH FIRST', 'ORDER BY … LIMIT n'), None)
    """
    for phrase, follows, hint in CLAUSES:
        following = words[len(phrase)] if len(words) > len(phrase) else ""
        if tuple(words[: len(phrase)]) == phrase and (not follows or following[:1] in [*follows]):
            return " ".join(phrase), hint
    return None


def instead_of(function: str) -> str | None:
    """What to write instead of another dialect's function; None if nothing is known of it."""
    return FUNCTIONS.get(function.upper())
