"""Methods that are found by their names, where nothing else leads to them."""

from __future__ import annotations

from pathlib import Path

from project_cases import heat, loop_over


def test_functions_put_in_attributes_are_methods_by_their_names(tmp_path: Path) -> None:
    sources = {
        "convert.py": """
            def convert(param):
                def gather_all(rows):
                    here()
                param.gather_all = gather_all
            """,
        "train.py": loop_over("param.gather_all(batch)"),
    }
    (line,) = heat(tmp_path, sources)
    assert "step: " in line and line.endswith("loop over loader -> convert.<locals>.gather_all")
