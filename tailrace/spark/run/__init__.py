"""Run: runs that end and continuous runs, their checkpoint, and queries over the system's own streams."""
