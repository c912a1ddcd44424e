"""Secrets and personal data replaced by keyed hashes, the same for the same value, so that joins hold.

`rules` reads what is replaced, `redactor` replaces it, `settings` remembers how a dataset is redacted.
"""
