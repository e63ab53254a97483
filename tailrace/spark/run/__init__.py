"""Run: batches in a row, and what survives them."""
