"""Reference: the definition of a plan made executable in plain Python, instant by instant."""
