"""Merge modules: the text of several modules as one: docstrings after each other, all imports, then all bodies.

>>> first = '\"\"\"A: one.\"\"\"\\n\\nimport re\\n\\n\\ndef f(): ...\\n'
>>> print(merge_texts([first, '\"\"\"B: two.\"\"\"\\n\\nx = 1\\n']))
\"\"\"A: one.
<BLANKLINE>
B: two.
\"\"\"
<BLANKLINE>
import re
<BLANKLINE>
<BLANKLINE>
def f(): ...
<BLANKLINE>
<BLANKLINE>
x = 1
<BLANKLINE>
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from rewrite_imports import Offsets


@dataclass
class Parts:
    """A module's text, taken apart."""

    docstring: str = ""
    imports: list[str] = field(default_factory=list)
    for_types: list[str] = field(default_factory=list)  # what is imported below `if TYPE_CHECKING`
    body: str = ""


def parts_of(text: str) -> Parts:
    """A module's parts. What stands before its last import at the top is docstring and imports, or is a body too."""
    tree, offsets = ast.parse(text), Offsets(text)
    found = Parts()
    taken: list[tuple[int, int]] = []
    for number, statement in enumerate(tree.body):
        start, end = offsets.span(statement)
        if number == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            found.docstring = text[start:end].strip('"').strip()
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            found.imports.append(text[start:end])
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            found.for_types += [text[slice(*offsets.span(each))] for each in statement.body]
        elif isinstance(statement, ast.Pass):
            pass
        else:
            continue
        taken.append((start, line_end(text, end)))
    rest, last = "", 0
    for start, end in taken:
        rest += text[last:start]
        last = end
    found.body = (rest + text[last:]).strip("\n")
    return found


def line_end(text: str, place: int) -> int:
    """Where the line ends, with the comment that says why an import is as it is."""
    end = text.find("\n", place)
    return len(text) if end < 0 else end


def merge_texts(texts: list[str]) -> str:
    """One module's text out of several."""
    parts = [parts_of(text) for text in texts]
    docstring = "\n\n".join(part.docstring for part in parts if part.docstring)
    future = "from __future__ import annotations"
    imports = list(dict.fromkeys(each for part in parts for each in part.imports))
    for_types = list(dict.fromkeys(each for part in parts for each in part.for_types if each != "pass"))
    at_top = {line for each in imports for line in each.splitlines()}
    for_types = [each for each in for_types if each not in at_top]
    lines = [f'"""{docstring}\n"""' if "\n" in docstring else f'"""{docstring}"""', ""]
    lines += ([future, ""] if future in imports else []) + [each for each in imports if each != future]
    if for_types:
        lines += ["", "if TYPE_CHECKING:", *(f"    {each}" for each in for_types)]
    return "\n".join([*lines, "", "", ""]) + "\n\n\n".join(part.body for part in parts if part.body) + "\n"


def in_order(sources: list[str], needs: dict[str, set[str]]) -> list[str]:
    """Sources so that each comes after those it needs, otherwise as they were.

    >>> in_order(["a", "b", "c"], {"a": {"c"}})
    ['c', 'a', 'b']
    """
    found: list[str] = []

    def add(source: str, above: tuple[str, ...] = ()) -> None:
        for each in sources:
            if each in needs.get(source, ()) and each not in found and each not in above:
                add(each, (*above, source))
        if source not in found:
            found.append(source)

    for source in sources:
        add(source)
    return found
