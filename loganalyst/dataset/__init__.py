"""What is stored, how it changes, and the DuckDB session that reads it."""
