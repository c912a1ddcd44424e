"""Events and their dataset: from a matched record to a committed row."""
