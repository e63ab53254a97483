"""Patience: how long a test waits for what should be there in seconds.

Machines are shared, and slow ones are no fault: only what hangs takes this long.
"""

PATIENCE = 900.0  # seconds
