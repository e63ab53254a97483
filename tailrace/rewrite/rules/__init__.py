"""Rules: one rewrite rule per file, each a function from plan to plan that never changes what the plan means."""
