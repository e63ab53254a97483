"""Logical: the logical plan: typed nodes that check themselves, and the typed expressions inside them."""
