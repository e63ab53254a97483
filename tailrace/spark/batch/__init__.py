"""Batch: one batch, from input to result."""
