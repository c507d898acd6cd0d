"""Tables as Python modules: written by scripts, and loaded when somebody asks for what they hold."""
