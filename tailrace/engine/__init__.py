"""Engine: takes a script from text to results: it parses, analyses, rewrites, shares and runs queries."""
