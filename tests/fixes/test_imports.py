"""Imports of fixes: reused where the file has them, else put where isort wants them."""

# ruff: noqa: E501 - a case reads best with its texts on one line

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from overhead_lint.edits.imports import resolve
from overhead_lint.edits.lines import splice
from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import outline
from overhead_lint.rule import Import
from overhead_lint.syntax.source import Source

RUNTIME = Import("overhead_lint", "runtime", "runtime")
LINE = "from overhead_lint import runtime\n"


def added(text: str, *imports: Import, before: int = 10_000) -> tuple[dict[str, str], str]:
    """Names by placeholder, and the text with the imports."""
    source = Source.from_bytes(Path("/nowhere/example.py"), text.encode())
    names, edits = resolve(imports or (RUNTIME,), outline(source), before)
    after = splice(source.text, sorted(edits))
    ast.parse(after)
    return names, after


class Case(NamedTuple):
    """A file without and with the import."""

    name: str
    before: str
    after: str


USE = "\nx = torch.ones(1)\n"
TRY = "try:\n    import torch\nexcept ImportError:\n    torch = None\n"
PLACES = [
    Case("after torch", f"import torch\n{USE}", f"import torch\n{LINE}{USE}"),
    Case("sorted among from imports", f"import torch\nfrom numpy import ones\nfrom torch import nn\n{USE}",
         f"import torch\nfrom numpy import ones\n{LINE}from torch import nn\n{USE}"),
    Case("plain imports first", f"import zlib\n\nimport torch\nfrom torch import nn\n{USE}",
         f"import zlib\n\nimport torch\n{LINE}from torch import nn\n{USE}"),
    Case("group of its own after the standard library", f"import os\n{USE}", f"import os\n\n{LINE}{USE}"),
    Case("before relative imports", f"import os\n\nimport torch\n\nfrom . import a\nfrom .b import c\n{USE}",
         f"import os\n\nimport torch\n{LINE}\nfrom . import a\nfrom .b import c\n{USE}"),
    Case("group of its own before relative imports", f"from . import a\n{USE}", f"{LINE}\nfrom . import a\n{USE}"),
    Case("group of its own between two", f"import os\n\nfrom . import a\n{USE}",
         f"import os\n\n{LINE}\nfrom . import a\n{USE}"),
    Case("after future imports", f'"""Doc."""\n\nfrom __future__ import annotations\n{USE}',
         f'"""Doc."""\n\nfrom __future__ import annotations\n\n{LINE}{USE}'),
    Case("after the docstring", '"""Doc."""\n\nx = 1\n', f'"""Doc."""\n\n{LINE}\nx = 1\n'),
    Case("after the docstring of a dense file", '"""Doc."""\nx = 1\n', f'"""Doc."""\n\n{LINE}\nx = 1\n'),
    Case("docstring alone", '"""Doc."""\n', f'"""Doc."""\n\n{LINE}'),
    Case("below shebang and cookie", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx = 1\n",
         f"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n{LINE}\nx = 1\n"),
    Case("below a cookie in the second line", "\n# coding: utf-8\nx = 1\n", f"\n# coding: utf-8\n{LINE}\nx = 1\n"),
    Case("below a licence", f"# Licence\n\nimport os\n{USE}", f"# Licence\n\nimport os\n\n{LINE}{USE}"),
    Case("above the comment of an import", f"import torch\n\n# for later\nfrom torch import nn\n{USE}",
         f"import torch\n{LINE}\n# for later\nfrom torch import nn\n{USE}"),
    Case("in the group of torch", f"import sys\n\nsys.path.insert(0, '.')\n\nimport torch\n{USE}",
         f"import sys\n\nsys.path.insert(0, '.')\n\nimport torch\n{LINE}{USE}"),
    Case("beside imports for type checkers", f"import os\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import torch\n{USE}",
         f"import os\nfrom typing import TYPE_CHECKING\n\n{LINE}\nif TYPE_CHECKING:\n    import torch\n{USE}"),
    Case("runtime for type checkers only", f"from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from torch import Tensor\n{USE}",
         f"from typing import TYPE_CHECKING\n\n{LINE}\nif TYPE_CHECKING:\n    from torch import Tensor\n{USE}"),
    Case("below __all__", f'__all__ = ["x"]\n\nimport torch\n{USE}', f'__all__ = ["x"]\n\nimport torch\n{LINE}{USE}'),
    Case("above __all__ that comes later", f'import torch\n\n__all__ = ["x"]\n{USE}', f'import torch\n{LINE}\n__all__ = ["x"]\n{USE}'),
    Case("above a definition", "def f():\n    return 1\n", f"{LINE}\n\ndef f():\n    return 1\n"),
    Case("imports on one line", f"import os; import torch\n{USE}", f"import os; import torch\n{LINE}{USE}"),
    Case("names over lines", f"from torch import (\n    nn,\n)\n{USE}", f"{LINE}from torch import (\n    nn,\n)\n{USE}"),
    Case("carriage returns", "import torch\r\n\r\nx = 1\r\n",
         "import torch\r\nfrom overhead_lint import runtime\r\n\r\nx = 1\r\n"),
    Case("no newline at the end", "import torch", "import torch\nfrom overhead_lint import runtime\n"),
]  # fmt: skip


@pytest.mark.parametrize("case", PLACES, ids=lambda case: case.name.replace(" ", "-"))
def test_import_is_put(case: Case) -> None:
    assert added(case.before) == ({"runtime": "runtime"}, case.after)


REUSED = [
    ("from overhead_lint import runtime\n", "runtime"),
    ("from overhead_lint import runtime as rt\n", "rt"),
    ("import overhead_lint.runtime\n", "overhead_lint.runtime"),
    ("import overhead_lint.runtime as rt\n", "rt"),
    ("import os\nfrom overhead_lint import files, runtime as rt, source\n", "rt"),
]


@pytest.mark.parametrize(("text", "name"), REUSED)
def test_binding_that_is_there_is_reused_under_its_name(text: str, name: str) -> None:
    text += "def f():\n    x = 1\n"
    assert added(text) == ({"runtime": name}, text)


@pytest.mark.parametrize(
    "text", ["import torch\n", "import torch.nn\n", "import os, torch.nn.functional as F, torch\n"]
)
def test_plain_import_is_reused(text: str) -> None:
    assert added(text, Import("torch")) == ({"torch": "torch"}, text)


def test_plain_import_is_reused_under_its_alias() -> None:
    assert added("import torch as th\n", Import("torch")) == ({"torch": "th"}, "import torch as th\n")


NOT_BINDINGS = [
    "import torch\ntry:\n    from overhead_lint import runtime\nexcept ImportError:\n    runtime = None\n",
    "import torch\nif TYPE_CHECKING:\n    from overhead_lint import runtime\n",
    "import torch\ndef f():\n    from overhead_lint import runtime\n",
    "import torch\nfrom overhead_lint import runtime\nruntime = 1\n",
    "import torch\nfrom .overhead_lint import runtime\n",
    "import torch\ndef f(runtime):\n    return runtime\n",
    "import torch\ndef runtime(): ...\n",
    "import torch\nfor runtime in x: ...\n",
    "import torch\nwith a as runtime: ...\n",
    "import torch\ntry: ...\nexcept E as runtime: ...\n",
    "import torch\nmatch a:\n    case [*runtime]: ...\n",
    "import torch\nmatch a:\n    case {**runtime}: ...\n",
    "import torch\nmatch a:\n    case B() as runtime: ...\n",
    "import torch\nx = [1 for runtime in y]\n",
    "import torch\nx = lambda runtime: 1\n",
    "import torch\nfrom a import *\nruntime.b()\n",
    "import torch\nglobal_ = (runtime := 1)\n",
]


@pytest.mark.parametrize("text", NOT_BINDINGS)
def test_name_that_may_be_something_else_gets_an_alias(text: str) -> None:
    names, after = added(text)
    assert names == {"runtime": "overhead_runtime"}
    assert after.count("from overhead_lint import runtime as overhead_runtime\n") == 1


def test_alias_stays_clear_of_taken_aliases() -> None:
    assert added("import torch\nruntime = overhead_runtime = 1\n")[0] == {"runtime": "overhead_runtime_2"}


def test_binding_below_its_use_is_not_reused() -> None:
    text = "import torch\nx = torch.f()\nfrom overhead_lint import runtime\n"
    names, after = added(text, before=2)
    assert after.index("runtime") < after.index("torch.f()")
    assert names != {"runtime": "runtime"}


def test_name_joins_a_from_import_of_its_module() -> None:
    text = "from overhead_lint import files, source\n"
    assert added(text)[1] == "from overhead_lint import files, runtime, source\n"
    text = "from overhead_lint import (\n    files,\n)\n"
    assert added(text)[1] == "from overhead_lint import (\n    files,\n    runtime,\n)\n"
    text = "from overhead_lint import (\n    source,\n)\n"
    assert added(text)[1] == "from overhead_lint import (\n    runtime,\n    source,\n)\n"


def test_two_imports_of_one_fix() -> None:
    names, after = added("import numpy\n\nx = 1\n", RUNTIME, Import("torch"))
    assert names == {"runtime": "runtime", "torch": "torch"}
    assert after == f"import numpy\nimport torch\n{LINE}\nx = 1\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from setup_env import gpu\nimport torch\n", f"from setup_env import gpu\nimport torch\n{LINE}"),
        ("from zlib2 import a\nfrom torch import nn\n", f"from zlib2 import a\n{LINE}from torch import nn\n"),
        (
            "import zzz\n\nfrom zzz import b\n\nimport torch\n",
            f"import zzz\n\nfrom zzz import b\n\nimport torch\n{LINE}",
        ),
        ("from torch import nn\nimport zzz\n", f"from torch import nn\nimport zzz\n{LINE}"),
        (
            "from torch.amp import autocast\nimport torch\n\n__all__ = ['autocast']\n",
            f"from torch.amp import autocast\nimport torch\n{LINE}\n__all__ = ['autocast']\n",
        ),
        (
            "from zzz import a\nimport os, torch\nimport yyy\n",
            f"from zzz import a\nimport os, torch\nimport yyy\n{LINE}",
        ),
    ],
)
def test_import_that_needs_torch_stands_above_nothing_that_runs_before_torch(before: str, after: str) -> None:
    assert added(before + USE)[1] == after + USE


def test_import_stays_beside_those_of_its_group_right_above_torch_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "setup.py").write_text("")
    source = Source.from_bytes(
        tmp_path / "torch" / "a.py", f"from zzz import a\n\nimport torch\n{USE}".encode()
    )
    _, edits = resolve([RUNTIME], outline(source), 100)
    assert splice(source.text, sorted(edits)) == f"from zzz import a\n{LINE}\nimport torch\n{USE}"


def test_runtime_that_is_a_submodule_of_the_package_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "_fast.py").write_text("")
    source = Source.from_bytes(tmp_path / "pkg" / "__init__.py", b"import torch\n")
    names, _ = resolve(
        [Import("pkg", "_fast", "runtime"), Import("own", "_fast", "other")], outline(source), 100
    )
    assert names == {"runtime": "_fast", "other": "overhead__fast"}


def test_dotted_runtime_of_the_same_package_goes_among_first_party_imports(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "pkg").mkdir()
    source = Source.from_bytes(tmp_path / "pkg" / "a.py", b"import torch\n\nfrom pkg.b import c\n")
    names, edits = resolve([Import("pkg", "fast", "runtime")], outline(source), 100)
    assert names == {"runtime": "fast"}
    assert splice(source.text, edits) == "import torch\n\nfrom pkg import fast\nfrom pkg.b import c\n"


def test_package_that_a_file_lies_in_is_first_party_without_a_project(tmp_path: Path) -> None:
    inner = tmp_path / "pkg" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "pkg" / "__init__.py").touch()
    (inner / "__init__.py").touch()
    source = Source.from_bytes(inner / "a.py", f"import torch\n\nfrom pkg.b import c\n{USE}".encode())
    _, edits = resolve([RUNTIME], outline(source), 100)
    assert splice(source.text, edits) == f"import torch\n{LINE}\nfrom pkg.b import c\n{USE}"


def test_isort_and_pyflakes_of_ruff_accept_the_results(tmp_path: Path) -> None:
    for case in PLACES:
        if case.name in ("imports on one line", "names over lines"):
            continue  # isort would change what stands there already
        source = case.after
        names = {alias.name for n in ast.walk(ast.parse(source)) for alias in getattr(n, "names", [])}
        used = ", ".join(sorted(names - {"annotations"}))
        path = tmp_path / f"{case.name.replace(' ', '_')}.py"
        path.write_bytes((source.rstrip() + f"\n\nprint({used})\n").encode())
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "I,F401,F811"]
    result = subprocess.run(
        [*command, str(tmp_path)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert result.returncode == 0, result.stdout


def test_what_needs_torch_is_not_imported_before_torch_is() -> None:
    head = "import os\n\nimport numpy as np\n\n"
    text = f"{head}os.environ['CUDA_VISIBLE_DEVICES'] = '0'\n\nimport torch\n{USE}"
    _, after = added(text)
    assert after == text.replace("import torch\n", f"import torch\n{LINE}")


def test_a_plain_import_of_the_standard_library_may_stand_before_torch() -> None:
    text = f"import os\n\nos.environ['TORCH_LOGS'] = 'dynamo'\n\nimport torch\n{USE}"
    _, after = added(text, Import("functools"))
    assert after.startswith("import functools\nimport os\n")


@pytest.mark.parametrize("star", ["from common import *", "from . import *", "from triton.tools import *"])
def test_a_name_that_a_star_import_may_bind_again_is_not_used(star: str) -> None:
    names, after = added(f"import torch\n\n{star}\n{USE}")
    assert names == {"runtime": "overhead_runtime"}
    assert "from overhead_lint import runtime as overhead_runtime\n" in after


def test_star_imports_of_the_standard_library_bring_no_runtime() -> None:
    names, _ = added(f"import torch\nfrom math import *\nfrom torch.nn import *\n{USE}")
    assert names == {"runtime": "runtime"}


def test_what_needs_torch_is_refused_above_the_first_import_of_torch() -> None:
    text = f"import os\n\n\ndef first():\n    return 1\n\n\nimport torch\n{USE}"
    with pytest.raises(CannotFix, match="before the file imports it"):
        added(text, before=5)
    assert added(text)[1] == text.replace("import torch\n", f"import torch\n{LINE}")


@pytest.mark.parametrize("head", ["", "import os\n\n", "import numpy\n"])
@pytest.mark.parametrize(
    "guarded",
    [
        TRY,
        "try:\n    from torch import nn\nexcept ImportError:\n    nn = None\n",
        "if HAS_TORCH:\n    import torch\n",
        "with suppress(ImportError):\n    import torch\n",
        "try:\n    import numpy\nexcept ImportError:\n    pass\nelse:\n    import torch.nn as nn\n",
    ],
)
def test_what_needs_torch_is_refused_where_torch_may_be_missing(head: str, guarded: str) -> None:
    with pytest.raises(CannotFix, match="imports on a condition"):
        added(f"{head}{guarded}{USE}")
    assert added(f"{head}{guarded}{USE}", Import("functools"))[0] == {"functools": "functools"}
    assert LINE in added(f"{head}{guarded}import torch.fx\n{USE}")[1]
