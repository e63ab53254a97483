"""CLI: the command line and the shell."""
