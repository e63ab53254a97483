"""Relational: operators from relation to relation."""
