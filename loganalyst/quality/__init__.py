"""The data quality gate: rules as data, checked by SQL and by Great Expectations (imported only here)."""
