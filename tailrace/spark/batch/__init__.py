"""Batch: runs one batch, from the sources' rows through the stages to the sinks."""
