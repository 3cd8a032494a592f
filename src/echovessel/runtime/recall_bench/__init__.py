"""Measuring recall: what is asked of which talk, how it is answered, and how well."""
