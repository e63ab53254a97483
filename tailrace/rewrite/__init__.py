"""Rewrite: turns a logical plan into a cheaper one with the same results. The rules never change what a plan means."""

from tailrace.rewrite.rewriter import RULES, RewriteResult, RewriteStep, rewrite

__all__ = ["RULES", "RewriteResult", "RewriteStep", "rewrite"]
