"""Engine: the story of a script in one place: parse, analyse, rewrite, share."""
