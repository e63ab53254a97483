"""Nulls: a column with NULL in place of some of its values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def null_where(mask: np.ndarray, column: pa.Array) -> pa.Array:
    """
    >>> null_where(np.array([True, False]), pa.array([1, 2])).to_pylist()
    [None, 2]
    """
    return pc.if_else(pa.array(~mask), column, pa.scalar(None, column.type)) if mask.any() else column
