"""Operators: one per file, each an immutable specification and a law it keeps."""
