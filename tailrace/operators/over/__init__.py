"""Over: operators of window functions."""
