"""Flow join: quotes and articles through one flow, with SteMs: the side of CACQ in its comparison with NiagaraCQ."""

from __future__ import annotations

from tailrace.bench.stocks import Outcome, Workload
from tailrace.errors import RunError


def flow_throughput(workload: Workload) -> Outcome:
    """Quotes a second when all queries of the workload run as one flow."""
    raise RunError(f"{workload.queries} queries cannot join in one flow yet")
