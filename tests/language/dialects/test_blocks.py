"""BEGIN … END around statements."""

from __future__ import annotations

import pytest

from tailrace.errors import Source
from tailrace.language.script import parse_script, to_text


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN; SHOW VIEWS; SHOW QUERIES; END;",
        "BEGIN SHOW VIEWS; SHOW QUERIES; END",
        "BEGIN STATEMENT SET; SHOW VIEWS; SHOW QUERIES; END;",
        "EXECUTE STATEMENT SET BEGIN SHOW VIEWS; SHOW QUERIES; END;",
        "begin transaction; SHOW VIEWS; SHOW QUERIES; commit;",
        "BEGIN; SHOW VIEWS; END; BEGIN; SHOW QUERIES; END; BEGIN; END",
    ],
)
def test_the_statements_between(text: str) -> None:
    script = parse_script(Source(text))
    assert script.problems == ()
    assert [to_text(statement) for statement in script.statements] == ["SHOW VIEWS", "SHOW QUERIES"]
