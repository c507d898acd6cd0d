"""What is kept between runs, in a `folder` that may be deleted at any time.

`store` holds an index that every run reads, with final findings (`packed_findings`), and `records` of
files, read one by one. Beside it lie the project's graph (`graph_store`), what was found below folders
(`folder_listings`), and the words of all records (`word_index`). `learned` is what a run knows of files,
from there or found out anew, and `shared` finds the cache for the command and the language server.
"""
