"""The small real-world cases, each held to its right answer."""
