"""The scoreboard: what the product says about recorded incidents against what really happened.

`python -m tests.truth` prints it; `tests/truth/level.toml` is the level that must not be lost.
"""
