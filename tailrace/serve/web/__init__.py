"""Web: an engine as a REST interface with streams of events, and the page that uses it."""
