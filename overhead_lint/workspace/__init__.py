"""The project around the files that are checked: what is known of all its files, and their heat.

`workspace` is what the command line and the language server ask. `project_files` holds the files and what is
known of them, `examiner` looks into those that no earlier run knows, `file_names` names them. `heat_update`
brings the heat of functions up to date, in the cheapest way that gives what following all calls would:
`reuse` tells what of an earlier run still holds, `refresh` lets heat flow through the graph of that run.
`explain` says why a place is hot.
"""
