"""State: the structures in which operators keep rows between batches, the files they are saved in, and resharding."""
