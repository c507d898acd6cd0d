"""HTML reports: one file, no script, nothing from the network. Imports neither torch nor pytest.

`page` is the frame, `table`, `bars` and `history` are what it shows. Of ``pytest --overhead-report``:
`tests_report` is what was saved, `tests_sections` says what is shown of it, `tests_page` puts it together.
"""
