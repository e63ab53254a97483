"""Logical: the typed plan, small nodes that check themselves, and the expressions inside them."""
