"""Flows: many queries over one stream share grouped filters, lineage and an eddy (CACQ §3.2, §4)."""

from tailrace.physical.flows.block import Block
from tailrace.physical.flows.eddy import Eddy, Part, counts
from tailrace.physical.flows.members import Members

__all__ = ["Block", "Eddy", "Members", "Part", "counts"]
