"""Plans fixes, applies them, and writes files back."""
