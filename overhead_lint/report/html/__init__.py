"""HTML reports: one file, no script, nothing from the network. Imports neither torch nor pytest.

`page` is the frame; `table`, `bars`, `pairs`, `history`, `moments`, `timeline`, `flame` are what it shows.
Of ``pytest --overhead-report``: `tests_report` is what was saved, `tests_sections` says what is shown of it,
`tests_page` puts it together. Of ``overhead-lint run``: `run_report`, `run_sections` and `run_changes`,
`run_page`; `host_time` gives each moment of a recorded step to a line.
"""
