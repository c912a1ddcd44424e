"""How results are shown: rows in any format, and the forensic report as text, Markdown and JSON."""
