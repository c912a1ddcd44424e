"""Interactive SQL over the views of a dataset."""
