"""Formats: the Spark sources and sinks whose options and columns are known without Spark.

Other formats are passed to Spark unchecked, but a name that is close to one of these is refused as mistyped.
"""

from __future__ import annotations

from dataclasses import dataclass

FILE_OPTIONS = """
    path pathGlobFilter recursiveFileLookup modifiedBefore modifiedAfter maxFilesPerTrigger maxBytesPerTrigger
    latestFirst maxFileAge cleanSource sourceArchiveDir fileNameOnly ignoreCorruptFiles ignoreMissingFiles
    compression mergeSchema mode
"""
TEXT_OPTIONS = """
    encoding charset dateFormat timestampFormat timestampNTZFormat timeZone locale lineSep
    columnNameOfCorruptRecord enableDateTimeParsingFallback
"""
CSV_OPTIONS = """
    header sep delimiter quote escape comment nullValue emptyValue nanValue positiveInf negativeInf
    ignoreLeadingWhiteSpace ignoreTrailingWhiteSpace maxColumns maxCharsPerColumn multiLine quoteAll escapeQuotes
    charToEscapeQuoteEscaping unescapedQuoteHandling inferSchema samplingRatio preferDate enforceSchema
"""
JSON_OPTIONS = """
    primitivesAsString prefersDecimal allowComments allowUnquotedFieldNames allowSingleQuotes
    allowNumericLeadingZeros allowBackslashEscapingAnyCharacter allowUnquotedControlChars
    allowNonNumericNumbers multiLine dropFieldIfAllNull ignoreNullFields samplingRatio
"""


@dataclass(frozen=True)
class Format:
    """What is known of a format. Any one option of each group of needs will do."""

    options: frozenset[str] | None  # None: every option is passed on
    source_needs: tuple[tuple[str, ...], ...] = ()
    sink_needs: tuple[tuple[str, ...], ...] = ()
    columns: tuple[str, ...] | None = None  # if they are fixed


def words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in text.split())


PATH = (("path",),)
FORMATS = {
    "csv": Format(words(FILE_OPTIONS, TEXT_OPTIONS, CSV_OPTIONS), PATH, PATH),
    "json": Format(words(FILE_OPTIONS, TEXT_OPTIONS, JSON_OPTIONS), PATH, PATH),
    "parquet": Format(words(FILE_OPTIONS, "datetimeRebaseMode int96RebaseMode"), PATH, PATH),
    "orc": Format(words(FILE_OPTIONS), PATH, PATH),
    "text": Format(words(FILE_OPTIONS, "wholetext lineSep encoding"), PATH, PATH, ("value",)),
    "avro": Format(None, PATH, PATH),
    "xml": Format(None, PATH, PATH),
    "delta": Format(None),
    "kafka": Format(
        None,
        (("kafka.bootstrap.servers",), ("subscribe", "subscribePattern", "assign")),
        (("kafka.bootstrap.servers",), ("topic",)),
        ("key", "value", "topic", "partition", "offset", "timestamp", "timestampType", "headers"),
    ),
    "rate": Format(words("rowsPerSecond rampUpTime numPartitions"), columns=("timestamp", "value")),
    "socket": Format(words("host port includeTimestamp"), (("host",), ("port",)), columns=("value", "timestamp")),
    "console": Format(words("numRows truncate mode")),
    "memory": Format(words("queryName mode")),
    "noop": Format(words("mode")),
    "jdbc": Format(None, (("url",), ("dbtable", "query")), (("url",), ("dbtable",))),
}
MODES = ("changelog", "snapshot")

FILES = ("csv", "json", "parquet", "orc", "text", "avro", "xml")  # formats of plain files
FOLLOWED = (*FILES, "delta")  # formats that Spark reads file by file
CHECKED = ("csv", "json", "xml")  # formats whose rows may be malformed
TYPED = ("parquet", "orc", "avro")  # formats whose files hold the types of their columns
SAMPLED = ("csv", "json")  # formats whose files can be read without Spark
