"""Bench: measurements of Tailrace, each beside something else measured in the same run."""
