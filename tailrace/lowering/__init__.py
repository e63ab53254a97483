"""Lowering: from logical plans to operators."""
