"""HTML reports: one file, no script, nothing from the network. Imports neither torch nor pytest.

`page` is the frame, `table`, `bars` and `history` are what it shows, `saved` reads reports of
``pytest --overhead-report``, `sections` says what is shown of them, and `report` puts it together.
"""
