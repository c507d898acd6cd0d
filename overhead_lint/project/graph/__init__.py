"""Which functions of a project run which, across files, and the heat that flows along these calls.

`graph` puts it together: `stored_modules` are what summaries say can be asked for by name, `linker`
resolves the calls (`resolver`, `follower`, `families`, `by_name`) and values (`kind_paths`) of each file,
`numbered_graph` holds functions and calls as numbers, `heat_flow` and `compiled_reach` follow them,
`chains` says why.

After an edit, `local_changes` and `incremental` tell what is another than before; `stored_graph` and
`project_tables` are what a run leaves for that.
"""
