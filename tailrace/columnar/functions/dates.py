"""Dates: functions of dates: their parts, and other dates that are counted from them.

The calendar is the proleptic Gregorian one, in numbers: days since 1970-01-01, months since January 1970.

>>> leap_day = day_numbers(np.array([2024]), np.array([2]), np.array([29]))
>>> leap_day, add_months(leap_day, 12), years_of(leap_day)
(array([19782]), array([20147]), array([2024]))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa

from tailrace.columnar.functions.kernel import (
    Kernel,
    Numbers,
    Table,
    Values,
    arguments,
    array_of,
    fixed_types,
    literal_text,
    nulls_of,
    numbers_of,
    own_types,
)
from tailrace.logical.expressions import Call
from tailrace.types import DATE, INT, SMALLINT, STRING, TINYINT, Type

EPOCH = 1970


def months_of(day: Numbers) -> Numbers:
    """The month in which each day lies."""
    return day.astype("M8[D]").astype("M8[M]").astype(np.int64)


def month_start(month: Numbers) -> Numbers:
    return month.astype("M8[M]").astype("M8[D]").astype(np.int64)


def month_end(month: Numbers) -> Numbers:
    return month_start(month + 1) - 1


def years_of(day: Numbers) -> Numbers:
    return months_of(day) // 12 + EPOCH


def month_of_year(day: Numbers) -> Numbers:
    return months_of(day) % 12 + 1


def day_of_month(day: Numbers) -> Numbers:
    return day - month_start(months_of(day)) + 1


def year_start(year: Numbers) -> Numbers:
    return month_start((year - EPOCH) * 12)


def day_numbers(year: Numbers, month: Numbers, day: Numbers) -> Numbers:
    """The days with these dates; a day that the month does not have is counted on into the next month."""
    return month_start((year.astype(np.int64) - EPOCH) * 12 + month - 1) + day - 1


def add_months(day: Numbers, count: Numbers | int) -> Numbers:
    """The same day of the month `count` months later, or that month's last day if it is shorter."""
    month = months_of(day) + count
    return np.minimum(month_start(month) + day_of_month(day) - 1, month_end(month))


def weekday(day: Numbers) -> Numbers:
    """The day of the week: 0 is Monday."""
    return (day + 3) % 7


def week_start(day: Numbers) -> Numbers:
    return day - weekday(day)


def iso_year(day: Numbers) -> Numbers:
    """The year to which a day's ISO week belongs: that of the week's Thursday."""
    return years_of(week_start(day) + 3)


def iso_week(day: Numbers) -> Numbers:
    return (week_start(day) + 3 - year_start(iso_year(day))) // 7 + 1


DAY_NAMES = "Mon Tue Wed Thu Fri Sat Sun".split()
MONTH_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
# The names of days of the week that NEXT_DAY takes; Monday is 0.
WEEKDAYS = {
    name: index
    for index, names in enumerate(
        (
            ("MO", "MON", "MONDAY"),
            ("TU", "TUE", "TUESDAY"),
            ("WE", "WED", "WEDNESDAY"),
            ("TH", "THU", "THURSDAY"),
            ("FR", "FRI", "FRIDAY"),
            ("SA", "SAT", "SATURDAY"),
            ("SU", "SUN", "SUNDAY"),
        )
    )
    for name in names
}

PARTS: dict[str, Callable[[Numbers], Numbers]] = {
    "year": years_of,
    "quarter": lambda day: (month_of_year(day) + 2) // 3,
    "month": month_of_year,
    "dayofmonth": day_of_month,
    "dayofyear": lambda day: day - year_start(years_of(day)) + 1,
    "dayofweek": lambda day: (weekday(day) + 1) % 7 + 1,
    "weekday": weekday,
    "dayofweek_iso": lambda day: weekday(day) + 1,
    "weekofyear": iso_week,
    "yearofweek": iso_year,
}


def days_of(values: Values) -> Numbers:
    return numbers_of(values).astype(np.int64)


def part(name: str) -> Kernel:
    find = PARTS[name]

    def run(call: Call, given: Sequence[Values]) -> Values:
        return array_of(find(days_of(given[0])), nulls_of(given[0]), INT)

    return Kernel(run, fixed_types(DATE), arguments(1))


def _name_kernel(names: Sequence[str], find: Callable[[Numbers], Numbers]) -> Kernel:
    def run(call: Call, given: Sequence[Values]) -> Values:
        return pa.array(names).take(array_of(find(days_of(given[0])), nulls_of(given[0]), INT))

    return Kernel(run, fixed_types(DATE), arguments(1))


def _date_shift_kernel(find: Callable[[Numbers, Numbers], Numbers]) -> Kernel:
    """The kernel of a function that moves a date by days or months; the number of the day wraps around as in Java."""

    def run(call: Call, given: Sequence[Values]) -> Values:
        found = find(days_of(given[0]), numbers_of(given[1]).astype(np.int64))
        return array_of(found.astype(np.int32), nulls_of(*given), DATE)

    def exact(call: Call) -> bool:
        return len(call.arguments) == 2 and own_types(call) == [DATE, INT]

    return Kernel(run, _date_and_count, exact)


def _date_and_count(call: Call) -> Sequence[Type]:
    return [DATE, *(INT if each in (TINYINT, SMALLINT, INT, STRING) else each for each in own_types(call)[1:])]


def days_between(call: Call, given: Sequence[Values]) -> Values:
    end, start = (days_of(each) for each in given)
    return array_of((end - start).astype(np.int32), nulls_of(*given), INT)


def last_day(call: Call, given: Sequence[Values]) -> Values:
    return array_of(month_end(months_of(days_of(given[0]))), nulls_of(given[0]), DATE)


def next_day(call: Call, given: Sequence[Values]) -> Values:
    """NEXT_DAY: the first given day of the week after a date."""
    day, wanted = days_of(given[0]), WEEKDAYS[str(literal_text(call.arguments[1])).strip().upper()]
    return array_of(day + 1 + (wanted - weekday(day + 1)) % 7, nulls_of(given[0]), DATE)


def _names_a_day(call: Call) -> bool:
    return str(literal_text(call.arguments[1])).upper() in WEEKDAYS


def make_date(call: Call, given: Sequence[Values]) -> Values:
    """MAKE_DATE: the date of a year, month and day; NULL where there is no such day."""
    year, month, day = (numbers_of(each).astype(np.int64) for each in given)
    fits = (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31) & (np.abs(year) < 1_000_000)
    year, month, day = np.where(fits, year, 1970), np.where(fits, month, 1), np.where(fits, day, 1)
    found = day_numbers(year, month, day)
    fits = fits & (month_of_year(found) == month)
    return array_of(np.where(fits, found, 0), nulls_of(*given) | ~fits, DATE)


STARTS: dict[str, Callable[[Numbers], Numbers]] = {
    "year": lambda day: year_start(years_of(day)),
    "quarter": lambda day: month_start(months_of(day) // 3 * 3),
    "month": lambda day: month_start(months_of(day)),
    "week": week_start,
}
UNITS = {
    **dict.fromkeys(("YEAR", "YYYY", "YY"), "year"),
    "QUARTER": "quarter",
    **dict.fromkeys(("MONTH", "MON", "MM"), "month"),
    "WEEK": "week",
}


def trunc(call: Call, given: Sequence[Values]) -> Values:
    """TRUNC: the first day of a date's year, quarter, month or week."""
    start = STARTS[UNITS[str(literal_text(call.arguments[1])).upper()]]
    return array_of(start(days_of(given[0])), nulls_of(given[0]), DATE)


def _has_unit(call: Call) -> bool:
    return str(literal_text(call.arguments[1])).upper() in UNITS


def same_number(call: Call, given: Sequence[Values]) -> Values:
    """UNIX_DATE and DATE_FROM_UNIX_DATE: a date is stored as its number of days since 1970."""
    return array_of(numbers_of(given[0]), nulls_of(given[0]), call.of)


TABLE: Table = {
    **{name: part(name) for name in PARTS if name not in ("dayofweek_iso", "yearofweek")},
    "dayname": _name_kernel(DAY_NAMES, weekday),
    "monthname": _name_kernel(MONTH_NAMES, lambda day: month_of_year(day) - 1),
    "date_add": _date_shift_kernel(np.add),
    "date_sub": _date_shift_kernel(np.subtract),
    "add_months": _date_shift_kernel(add_months),
    "datediff": Kernel(days_between, fixed_types(DATE, DATE), arguments(2)),
    "last_day": Kernel(last_day, fixed_types(DATE), arguments(1)),
    "next_day": Kernel(next_day, fixed_types(DATE, STRING), _names_a_day),
    "make_date": Kernel(make_date, fixed_types(INT, INT, INT), arguments(3)),
    "trunc": Kernel(trunc, fixed_types(DATE, STRING), _has_unit),
    "unix_date": Kernel(same_number, fixed_types(DATE), arguments(1)),
    "date_from_unix_date": Kernel(same_number, fixed_types(INT), arguments(1)),
}
