"""Exchange: what tasks send each other: rows prepared for their readers where they are, and packed into messages."""
