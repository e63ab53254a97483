"""FLOAT and DOUBLE as Java writes them: the numbers of which versions of Java have different ideas."""

from __future__ import annotations

import math
import random
from struct import unpack

import pyarrow as pa
import pytest

from tailrace.write.java_numbers import write_fractions

# What `toString` gives before Java 19, and since.
DOUBLES = [
    (1.0, "1.0", "1.0"),
    (-0.0, "-0.0", "-0.0"),
    (0.002, "0.002", "0.002"),
    (0.001, "0.001", "0.001"),
    (0.00099, "9.9E-4", "9.9E-4"),
    (9999999.5, "9999999.5", "9999999.5"),
    (1e7, "1.0E7", "1.0E7"),
    (12345678.9, "1.23456789E7", "1.23456789E7"),
    (-1.2e-7, "-1.2E-7", "-1.2E-7"),
    (123456789012.5, "1.234567890125E11", "1.234567890125E11"),
    (1e23, "9.999999999999999E22", "1.0E23"),
    (8.41e21, "8.409999999999999E21", "8.41E21"),
    (2.0**60, "1.15292150460684698E18", "1.152921504606847E18"),
    (2.0**-44, "5.6843418860808015E-14", "5.684341886080802E-14"),
    (2.2327265452014876e25, "2.2327265452014875E25", "2.2327265452014876E25"),
    (5e-324, "4.9E-324", "4.9E-324"),
    (2e-323, "2.0E-323", "2.0E-323"),
    (1.7976931348623157e308, "1.7976931348623157E308", "1.7976931348623157E308"),
    (math.nan, "NaN", "NaN"),
    (-math.inf, "-Infinity", "-Infinity"),
]
FLOATS = [
    (0.1, "0.1"),
    (1e10, "1.0E10"),
    (3.4028235e38, "3.4028235E38"),
    (1.4e-45, "1.4E-45"),
    (16777216.0, "1.6777216E7"),
]


@pytest.mark.parametrize(("java", "place"), [(17, 1), (18, 1), (19, 2), (25, 2)])
def test_doubles(java: int, place: int) -> None:
    numbers = [*(each[0] for each in DOUBLES), None]
    assert write_fractions(pa.array(numbers), java).to_pylist() == [*(each[place] for each in DOUBLES), None]


@pytest.mark.parametrize("java", [17, 21])
def test_floats(java: int) -> None:
    numbers = pa.array([each[0] for each in FLOATS], pa.float32())
    assert write_fractions(numbers, java).to_pylist() == [text for _, text in FLOATS]


@pytest.mark.parametrize("java", [17, 21])
def test_texts_mean_the_number(java: int) -> None:
    draw = random.Random(java)
    numbers = [unpack("<d", draw.randbytes(8))[0] for _ in range(3000)] + [2.0**power for power in range(-1074, 1024)]
    numbers += [float(draw.randrange(2**53, 2**63)) for _ in range(1000)]
    finite = [number for number in numbers if math.isfinite(number)]
    assert [float(text) for text in write_fractions(pa.array(finite), java).to_pylist()] == finite
