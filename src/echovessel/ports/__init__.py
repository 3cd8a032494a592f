"""Protocols only: what the flows need from the outside, each as small as the need."""
