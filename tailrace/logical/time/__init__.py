"""Time: what plans know of time: windows with a start and an end, columns that hold event times, bounds on them."""
