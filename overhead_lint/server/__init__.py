"""The language server: findings, fixes and rule pages in an editor, over the Language Server Protocol.

Needs pygls, which the extra ``lsp`` brings. `app` speaks the protocol, `documents` keeps what is open,
`convert` turns positions, findings and edits into the protocol's.
"""
