"""Programs of others at the same work; each prints figures, or says that it is not installed."""
