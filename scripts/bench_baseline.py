"""Bench baseline: the quick measurements beside the figures that are stored, as ratios. Figures for people, no test.

    python scripts/bench_baseline.py            # measure, and print each figure beside the stored one
    python scripts/bench_baseline.py --write    # measure, and store the figures
    python scripts/bench_baseline.py state      # only some of the measurements

Quick measurements are short and noisy: measure again before you believe a ratio between 0.5 and 2.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

STORED = Path(__file__).resolve().parents[1] / "tests" / "bench" / "baseline.json"
BENCHES = ("latency", "registering", "state", "memory")
NOTE = "Made by `make bench-baseline-write`: quick measurements, short and noisy; only large ratios mean something."
PROGRAM = "from tailrace.cli.main import main; main()"

Figures = dict[str, dict[str, Any]]  # by bench and line: the value and its unit


def measure(bench: str) -> Figures:
    """The lines of one quick measurement, in a process of its own; none where it fails, which it says itself."""
    with tempfile.TemporaryDirectory(prefix="tailrace-baseline-") as folder:
        found = Path(folder) / "figures.json"
        command = [sys.executable, "-c", PROGRAM, "bench", bench, "--quick", "--json", str(found)]
        status = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
        return figures(json.loads(found.read_text(encoding="utf-8"))) if status == 0 else {}


def figures(told: dict[str, Any]) -> Figures:
    """What is stored of what `tailrace bench --json` writes.

    >>> figures({"bench": "state", "lines": [{"line": "join", "value": 0.0123456, "unit": "s", "ratio": 1.5}]})
    {'state: join': {'value': 0.01235, 'unit': 's'}}
    """
    return {
        f"{told['bench']}: {line['line']}": {"value": float(f"{line['value']:.4g}"), "unit": line["unit"]}
        for line in told["lines"]
    }


def beside(now: Figures, stored: Figures) -> str:
    """A line for each figure: now, stored, and their ratio.

    >>> print(beside({"a: x": {"value": 3.0, "unit": "s"}}, {"a: x": {"value": 2.0, "unit": "s"}}))
    figure            now     stored  ratio
    a: x                3          2   1.50  s
    >>> print(beside({"a: y": {"value": 3.0, "unit": "s"}}, {}))
    figure            now     stored  ratio
    a: y                3                    s
    """
    width = max(map(len, [*now, "figure"]))
    lines = [f"{'figure':{width}} {'now':>14} {'stored':>10}  ratio"]
    for name, figure in now.items():
        before = stored.get(name, {}).get("value")
        told = f"{before:>10,.4g} {figure['value'] / before:6.2f}" if before else " " * 17
        lines.append(f"{name:{width}} {figure['value']:>14,.4g} {told}  {figure['unit']}")
    return "\n".join(lines)


def machine() -> dict[str, Any]:
    """Where figures are made, as far as it explains them."""
    return {"cores": os.cpu_count(), "processor": platform.machine(), "python": platform.python_version()}


def circumstances() -> dict[str, Any]:
    """When a measurement is made, and how many processes want a core by then: beyond the cores, figures are worse."""
    return {"made": f"{datetime.now(UTC):%Y-%m-%d}", "load before": round(os.getloadavg()[0], 1)}


def keep(bench: str, how: dict[str, Any], found: Figures) -> None:
    """Store a measurement's figures in place of those it had."""
    stored = read_stored()
    others = {name: each for name, each in stored["figures"].items() if not name.startswith(f"{bench}: ")}
    measured = stored.get("measured", {}) | {bench: how}
    told = {"note": NOTE, "machine": machine(), "measured": measured, "figures": others | found}
    STORED.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def read_stored() -> dict[str, Any]:
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {"figures": {}}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Quick measurements beside the stored figures, as ratios.")
    parser.add_argument("benches", nargs="*", metavar="BENCH", help=f"some of {', '.join(BENCHES)}")
    parser.add_argument("--write", action="store_true", help="store the figures instead")
    given = parser.parse_args(arguments)
    unknown = [bench for bench in given.benches if bench not in BENCHES]
    if unknown:
        parser.error(f"no bench {unknown[0]}: there are {', '.join(BENCHES)}")
    stored = read_stored()
    if not given.write:
        print(f"now: {machine()} {circumstances()}\nstored: {stored.get('machine')} {stored.get('measured')}")
    for bench in given.benches or BENCHES:
        print(f"measuring {bench}", file=sys.stderr, flush=True)
        how, found = circumstances(), measure(bench)
        if given.write and found:
            keep(bench, how, found)
        elif found:
            print(beside(found, stored["figures"]), flush=True)


if __name__ == "__main__":
    main()
