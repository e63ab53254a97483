"""Language: CQL text to a syntax tree and back. A `cql` dialect on sqlglot."""
