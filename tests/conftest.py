"""Conftest: how Hypothesis runs everywhere: no deadlines, since the machines that run the tests are shared."""

from hypothesis import settings

settings.register_profile("tailrace", deadline=None)
settings.load_profile("tailrace")
