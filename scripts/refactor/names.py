"""Names: names.toml, the new names of classes, functions, methods and fields, by the module of today.

A table is a module's path below tailrace/ (a quoted key), an entry is `old = "new"`; a method or field is
`"Class.old" = "new"`. What stands in front of a new name (folder, module, class) never changes here.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path

from rooms import HERE, dotted, full


class Names:
    """The whole of names.toml, also after modules have moved."""

    def __init__(self, path: Path = HERE / "names.toml", moves: dict[str, str] | None = None) -> None:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        self.entries: dict[tuple[str, str], str] = {}  # (module of today, "name" or "Class.name") to the new last part
        for module, names in read.items():
            for old, new in names.items():
                self.entries[full(module), old] = new
        self.moves = moves or {}

    def by_old_name(self) -> dict[str, set[str]]:
        """Each old name without what stands in front of it, and what it may have become."""
        found: dict[str, set[str]] = defaultdict(set)
        for (_, old), new in self.entries.items():
            found[old.rsplit(".", 1)[-1]].add(new)
        return found

    def full_names(self) -> dict[str, str]:
        """Dotted names as mypy has them: `tailrace.columnar.keys.Keys.old` to the new last part."""
        return {f"{dotted(self.moves.get(m, m))}.{old}": new for (m, old), new in self.entries.items()}

    def faults(self) -> list[str]:
        """Entries that rename to what a neighbour is renamed to as well, or to what is no name."""
        taken: dict[tuple[str, str], str] = {}
        found = []
        for (module, old), new in self.entries.items():
            key = module, ".".join([*old.split(".")[:-1], new])
            if key in taken:
                found.append(f"{module}: {old} and {taken[key]} both become {new}")
            taken[key] = old
            if not new.isidentifier():
                found.append(f"{module}: {new!r} is no name")
        return found
