"""Tailrace: continuous queries on Spark."""

from tailrace.errors import (
    AnalysisError,
    CatalogError,
    ParseError,
    RunError,
    ScriptError,
    SettingError,
    TailraceError,
)

__version__ = "0.1.0"
__all__ = [
    "AnalysisError",
    "CatalogError",
    "ParseError",
    "RunError",
    "ScriptError",
    "SettingError",
    "TailraceError",
    "__version__",
]
