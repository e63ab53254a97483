"""Containers: items of arrays and maps, fields of structs, sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tailrace.columnar.functions.kernel import (
    Kernel,
    Numbers,
    Table,
    Values,
    arguments,
    array_of,
    as_array,
    length_of,
    literal_text,
    nulls_of,
    numbers_of,
    own_types,
)
from tailrace.columnar.functions.logic import equal
from tailrace.logical.expressions import Call
from tailrace.types import INT, Type, is_atomic, is_fraction, is_integer


def _is_list(type: Type) -> bool:
    return type.name in ("ARRAY", "MAP")


def _bounds(container: pa.Array) -> tuple[Numbers, Numbers]:
    """Where the items of each row begin and end among all items; the Arrow array may be a slice of a larger one."""
    offsets = np.frombuffer(container.buffers()[1], np.int32)[container.offset :][: len(container) + 1]
    return offsets[:-1].astype(np.int64), offsets[1:].astype(np.int64)


def _take_or_null(values: pa.Array, places: Numbers, missing: Numbers) -> pa.Array:
    return values.take(pa.array(np.where(missing, 0, places), mask=missing))


# Arrays ---------------------------------------------------------------------------------------------------


def _array_item(given: Sequence[Values], index: Numbers) -> Values:
    """The item of each array at an index from 0; NULL where the array has none there."""
    container = as_array(given[0], length_of(given))
    begin, end = _bounds(container)
    missing = (index < 0) | (index >= end - begin) | nulls_of(*given)
    return _take_or_null(container.values, begin + index, missing)


def item(call: Call, given: Sequence[Values]) -> Values:
    """`a[i]`: the item at an index of an array, which counts from 0, or the value of a map's key."""
    if call.arguments[0].type.name == "MAP":
        return map_item(given)
    return _array_item(given, numbers_of(given[1]).astype(np.int64))


def element_at(call: Call, given: Sequence[Values]) -> Values:
    if call.arguments[0].type.name == "MAP":
        return map_item(given)
    container = as_array(given[0], length_of(given))
    begin, end = _bounds(container)
    place = numbers_of(given[1]).astype(np.int64)
    return _array_item(given, np.where(place < 0, end - begin + place, place - 1))


def map_item(given: Sequence[Values]) -> Values:
    """The value of the first entry of each map that has the given key; NULL if there is none."""
    container = as_array(given[0], length_of(given))
    key = as_array(given[1], len(container))
    begin, end = _bounds(container)
    counts = np.where(nulls_of(container), 0, end - begin)
    rows = np.repeat(np.arange(len(container)), counts)
    places = np.repeat(begin, counts) + np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    same = (
        numbers_of(equal(container.keys.take(pa.array(places)), key.take(pa.array(rows))))
        & ~nulls_of(key)[rows if key.null_count else np.zeros(len(rows), np.int64)]
    )
    found_rows, first = np.unique(rows[same], return_index=True)
    found = np.zeros(len(container), np.int64)
    found[found_rows] = places[same][first]
    missing = np.ones(len(container), bool)
    missing[found_rows] = False
    return _take_or_null(container.items, found, missing)


def _item_types(call: Call) -> Sequence[Type]:
    container, key = own_types(call)
    if container.name == "MAP":
        return [container, container.args[0]]
    return [container, INT if is_integer(key) else key]


def _item_is_exact(call: Call) -> bool:
    container, key = own_types(call)
    if container.name == "MAP":
        return is_atomic(key) and key == container.args[0]
    return container.name == "ARRAY" and is_integer(key)


def _element_is_exact(call: Call) -> bool:
    """Index 0 is an error in Spark, so an array's index must be a literal other than 0."""
    from_map = call.arguments[0].type.name == "MAP"
    literal = getattr(call.arguments[1], "value", None)
    return _item_is_exact(call) and (from_map or literal not in (None, 0))


# Structs and sizes ----------------------------------------------------------------------------------------


def _field_index(call: Call) -> int | None:
    wanted, type = str(literal_text(call.arguments[1])).lower(), call.arguments[0].type
    if type.name != "STRUCT":
        return None
    names = [name.lower() for name, _ in type.args]
    return names.index(wanted) if names.count(wanted) == 1 else None


def field(call: Call, given: Sequence[Values]) -> Values:
    return pc.struct_field(given[0], [_field_index(call)])


def size(call: Call, given: Sequence[Values]) -> Values:
    """SIZE, which is -1 for NULL, as in Spark without ANSI mode."""
    return pc.coalesce(_lengths(given[0]), pa.scalar(-1, pa.int32()))


def array_size(call: Call, given: Sequence[Values]) -> Values:
    return _lengths(given[0])


def _lengths(container: pa.Array) -> pa.Array:
    begin, end = _bounds(container)
    return array_of(end - begin, nulls_of(container), INT)


def array_contains(call: Call, given: Sequence[Values]) -> Values:
    """ARRAY_CONTAINS: NULL where the value is NULL, or where it is not found and an item is NULL."""
    container = as_array(given[0], length_of(given))
    value = as_array(given[1], len(container))
    begin, end = _bounds(container)
    nulls = np.broadcast_to(nulls_of(container, value), len(container))
    counts = np.where(nulls, 0, end - begin)
    rows = np.repeat(np.arange(len(container)), counts)
    places = np.repeat(begin, counts) + np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    items = container.values.take(pa.array(places))
    same = equal(items, value.take(pa.array(rows)))
    found, unknown = np.zeros(len(container), bool), np.zeros(len(container), bool)
    found[rows[numbers_of(pc.coalesce(same, pa.scalar(False)))]] = True
    unknown[rows[np.broadcast_to(nulls_of(items), len(rows))]] = True
    return array_of(found, nulls | (unknown & ~found), Type("BOOLEAN"))


def _contains_is_exact(call: Call) -> bool:
    container, value = own_types(call)
    return container.name == "ARRAY" and is_atomic(value) and value == container.args[0] and not is_fraction(value)


TABLE: Table = {
    "item": Kernel(item, _item_types, _item_is_exact),
    "get": Kernel(item, _item_types, _item_is_exact),
    "element_at": Kernel(element_at, _item_types, _element_is_exact),
    "try_element_at": Kernel(element_at, _item_types, _element_is_exact),
    "field": Kernel(field, exact=lambda call: _field_index(call) is not None),
    "size": Kernel(size, exact=lambda call: arguments(1)(call) and _is_list(call.arguments[0].type)),
    "array_size": Kernel(array_size, exact=lambda call: call.arguments[0].type.name == "ARRAY"),
    "array_contains": Kernel(array_contains, exact=_contains_is_exact),
}
