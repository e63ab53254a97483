"""Server: the REST interface, its events, and the page."""
