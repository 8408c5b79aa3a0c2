"""One real call, at least, of every public method of the official client library, and what must come of it."""
