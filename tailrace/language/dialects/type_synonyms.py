"""Type synonyms: what the types of other dialects are called here, which is what Spark SQL calls them."""

from __future__ import annotations

from tailrace import types

OTHER_NAMES = {
    "BOOL": types.BOOLEAN,
    "INT1": types.TINYINT,
    "INT2": types.SMALLINT,
    "INT4": types.INT,
    "INT8": types.BIGINT,
    "FLOAT4": types.FLOAT,
    "FLOAT8": types.DOUBLE,
    "HUGEINT": types.decimal(38, 0),
    "BYTES": types.BINARY,
    "BYTEA": types.BINARY,
    "BLOB": types.BINARY,
    "VARBINARY": types.BINARY,
    "DATETIME": types.TIMESTAMP,
    "TIMESTAMPTZ": types.TIMESTAMP,
}
OTHER_TEXTS = ("NVARCHAR", "NCHAR", "BPCHAR", "CLOB")
# Words that may follow the name of a type of times, all of which are TIMESTAMP here.
ZONES = (
    ("WITH", "TIME", "ZONE"),
    ("WITHOUT", "TIME", "ZONE"),
    ("WITH", "LOCAL", "TIME", "ZONE"),
)
NOT_HERE = {
    "JSON": "JSON is a STRING here, and get_json_object(doc, '$.a') reads it",
    "JSONB": "JSON is a STRING here, and get_json_object(doc, '$.a') reads it",
    "UUID": "a UUID is a STRING here",
    "TIME": "a time of day is a STRING here, or a number of seconds",
    "SERIAL": "numbers are not given to rows here: declare the column BIGINT",
    "BIGSERIAL": "numbers are not given to rows here: declare the column BIGINT",
    "ROW": "a ROW is a STRUCT<name: type, …> here",
    "MULTISET": "a MULTISET is an ARRAY<type> here",
    "VARIANT": "a VARIANT is a STRING here, and get_json_object(doc, '$.a') reads it",
}
