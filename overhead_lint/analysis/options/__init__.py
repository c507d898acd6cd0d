"""Options as projects keep them: in settings files that ship with them, parsers and objects of settings."""
