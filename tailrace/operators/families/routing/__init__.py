"""Routing: eddy, grouped filters and lineage (CACQ §3.2, §4)."""
