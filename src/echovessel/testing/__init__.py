"""What a test, ours or a third party's, needs: a stopped clock, a scripted model, a hash embedder, contract suites, a World."""
