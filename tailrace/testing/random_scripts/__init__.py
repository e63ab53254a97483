"""Random scripts: sources with rows, views and queries drawn from a seed, all of which analysis accepts."""
