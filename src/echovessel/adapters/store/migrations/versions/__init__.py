"""One file a schema revision, numbered. A released one is never edited; the next is written beside it."""
