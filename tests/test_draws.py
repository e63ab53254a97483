"""Random examples: a test that passed passes again."""

from hypothesis import given, settings
from hypothesis import strategies as st


def drawn_examples() -> list[int]:
    """What one run of a property test is given."""
    found: list[int] = []

    @given(st.integers())
    def take(number: int) -> None:
        found.append(number)

    take()
    return found


def test_examples_are_those_of_the_run_before() -> None:
    """Also where they are drawn afresh: one seed holds for the whole run."""
    found = drawn_examples()
    assert len(set(found)) > 10
    assert drawn_examples() == found


def test_no_example_is_remembered_from_another_run() -> None:
    assert settings.default is not None
    assert settings.default.database is None
