"""Rules: one law a file, each a function from plan to plan that never changes what the plan means."""
