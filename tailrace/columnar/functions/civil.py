"""Civil: the proleptic Gregorian calendar in numbers: days since 1970-01-01, months since January 1970.

>>> leap_day = days(np.array([2024]), np.array([2]), np.array([29]))
>>> leap_day, add_months(leap_day, 12), years(leap_day)
(array([19782]), array([20147]), array([2024]))
"""

from __future__ import annotations

from typing import Any

import numpy as np

Numbers = np.ndarray[Any, Any]
EPOCH = 1970


def months(day: Numbers) -> Numbers:
    """The month in which each day lies."""
    return day.astype("M8[D]").astype("M8[M]").astype(np.int64)


def month_start(month: Numbers) -> Numbers:
    return month.astype("M8[M]").astype("M8[D]").astype(np.int64)


def month_end(month: Numbers) -> Numbers:
    return month_start(month + 1) - 1


def years(day: Numbers) -> Numbers:
    return months(day) // 12 + EPOCH


def month_of_year(day: Numbers) -> Numbers:
    return months(day) % 12 + 1


def day_of_month(day: Numbers) -> Numbers:
    return day - month_start(months(day)) + 1


def year_start(year: Numbers) -> Numbers:
    return month_start((year - EPOCH) * 12)


def days(year: Numbers, month: Numbers, day: Numbers) -> Numbers:
    """The days with these dates; a day that the month does not have is counted on into the next month."""
    return month_start((year.astype(np.int64) - EPOCH) * 12 + month - 1) + day - 1


def add_months(day: Numbers, count: Numbers | int) -> Numbers:
    """The same day of the month `count` months later, or that month's last day if it is shorter."""
    month = months(day) + count
    return np.minimum(month_start(month) + day_of_month(day) - 1, month_end(month))


def weekday(day: Numbers) -> Numbers:
    """The day of the week: 0 is Monday."""
    return (day + 3) % 7


def week_start(day: Numbers) -> Numbers:
    return day - weekday(day)


def iso_year(day: Numbers) -> Numbers:
    """The year to which a day's ISO week belongs: that of the week's Thursday."""
    return years(week_start(day) + 3)


def iso_week(day: Numbers) -> Numbers:
    return (week_start(day) + 3 - year_start(iso_year(day))) // 7 + 1
