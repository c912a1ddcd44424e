"""`python -m loganalyst`: the command line."""

from loganalyst.cli import main

main()
