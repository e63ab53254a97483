"""Tailrace: continuous queries on Spark."""

from typing import TYPE_CHECKING, Any

from tailrace.errors import (
    AnalysisError,
    CatalogError,
    ParseError,
    RunError,
    ScriptError,
    SettingError,
    TailraceError,
)

if TYPE_CHECKING:
    from tailrace.engine.engine import Engine, Query

__version__ = "0.1.0"
__all__ = [
    "AnalysisError",
    "CatalogError",
    "Engine",
    "ParseError",
    "Query",
    "RunError",
    "ScriptError",
    "SettingError",
    "TailraceError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Load `Engine` and `Query` when they are first used: a program that needs only the errors loads no engine."""
    if name not in ("Engine", "Query"):
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from tailrace.engine import engine as api

    return getattr(api, name)
