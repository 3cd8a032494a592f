"""Stories, one a file: what happens, in the order in which it happens."""
