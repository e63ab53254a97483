"""State: what operators remember between batches, and where it is kept."""
