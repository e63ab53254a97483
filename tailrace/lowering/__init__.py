"""Lowering: turns logical plans into physical operators."""
