"""Rewrite: logical plan to logical plan. The rules make a plan cheaper and never change what it means."""

from tailrace.rewrite.rewriter import RULES, RewriteResult, RewriteStep, rewrite
from tailrace.rewrite.share_subplans import share

__all__ = ["RULES", "RewriteResult", "RewriteStep", "rewrite", "share"]
