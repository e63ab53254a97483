"""Tables: what stands in FROM: names, subqueries, samples, windows and joins, with the scope of their columns."""
