"""Entry point of the plugin: registers options, marker and fixtures."""
