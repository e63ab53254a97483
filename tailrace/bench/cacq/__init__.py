"""CACQ: measurements of many queries over the same streams."""
