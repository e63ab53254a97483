"""Windows: operators from stream to relation."""
