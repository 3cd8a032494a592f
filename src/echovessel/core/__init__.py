"""Words every part shares: ids, time, pair, talk, text, errors. Imports nothing of ours."""
