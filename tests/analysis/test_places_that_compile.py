"""Places that compile something, in every spelling, and how many guards their calls evaluate."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from compile_spellings import DECORATED, FOUND, LAYERS, LIBRARIES, PASSED_ON, REACHED, SILENT, UNASKED

from overhead_lint.analysis.compile_sites.estimate import Estimate, estimate
from overhead_lint.analysis.compile_sites.lengths import Lengths
from overhead_lint.analysis.compile_sites.sites import CompileSite, Spelling, compile_sites
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.values.elsewhere import Others
from overhead_lint.analysis.values.project import Values, solve
from overhead_lint.project.compiled_places import places_of_file
from overhead_lint.project.compiler_names import names_compiler
from overhead_lint.project.file_syntax import FileSyntax

PROGRAMS = Path(__file__).parents[1] / "data" / "guard_programs"
GUARDS = 17 + 4 * 20


def solved(**files: str) -> Values:
    """Find out the values of files, by their module's name."""
    return solve({name: lower(ast.parse(textwrap.dedent(text))) for name, text in files.items()})


def only_site(values: Values) -> tuple[CompileSite, Estimate]:
    """Return the one place of a project that compiles something, with its estimate."""
    (site,) = compile_sites(values)
    made = estimate(site, values, Lengths(values))
    assert made is not None
    return site, made


@pytest.mark.parametrize(("text", "spelling"), FOUND, ids=[text for text, _ in FOUND])
def test_module_is_what_is_compiled_in_every_spelling(text: str, spelling: Spelling | None) -> None:
    site, made = only_site(solved(m=LAYERS.format(decorator="") + text))
    assert site.spelling is (spelling or Spelling.CALL)
    assert [entry.name for entry in site.entries] in (["Mod"], ["G"])
    assert abs(made.guards - GUARDS) <= 2
    assert dict(made.lists) == {"self.fs": 20} and not made.assumed
    assert made.layers_with_scalars == {"self.fs": "self.fs[*].i"}


@pytest.mark.parametrize("text", LIBRARIES)
def test_module_is_what_a_library_has_compiled_for_its_user(text: str) -> None:
    site, made = only_site(solved(m=LAYERS.format(decorator="") + text))
    assert site.spelling is Spelling.LIBRARY and site.by
    assert [entry.name for entry in site.entries] == ["Mod"]
    assert abs(made.guards - GUARDS) <= 2 and made.all_heavy


@pytest.mark.parametrize("text", LIBRARIES)
def test_file_that_asks_a_library_names_a_compiler(text: str) -> None:
    assert names_compiler(FileSyntax(ast.parse(text)))


@pytest.mark.parametrize("text", UNASKED)
def test_file_that_names_a_library_and_asks_nothing_names_none(text: str) -> None:
    """Most files that import such settings: they are not solved a second time."""
    assert not names_compiler(FileSyntax(ast.parse(text)))


def test_settings_model_and_trainer_may_be_in_three_files() -> None:
    values = solved(
        layers=LAYERS.format(decorator=""),
        settings="import transformers\n\nargs = transformers.TrainingArguments('out', torch_compile=True)\n",
        main="from layers import Mod\nfrom settings import args\nfrom transformers import Trainer\n\n"
        "Trainer(model=Mod(20), args=args).train()\n",
    )
    site, made = only_site(values)
    assert (site.body.module.name, site.line, site.by) == ("main", 5, "transformers.Trainer")
    assert abs(made.guards - GUARDS) <= 2


@pytest.mark.parametrize("text", PASSED_ON)
def test_what_libraries_pass_on_or_compile_along_is_known(text: str) -> None:
    _, made = only_site(solved(m=LAYERS.format(decorator="") + text))
    assert made.all_heavy and list(made.lists.values()) == [20]


@pytest.mark.parametrize("decorator", DECORATED)
def test_decorated_method_is_found(decorator: str) -> None:
    site, made = only_site(solved(m=LAYERS.format(decorator=decorator) + "net = Mod(20)\nnet(1)"))
    assert (site.spelling, [entry.name for entry in site.entries]) == (Spelling.DECORATOR, ["Mod"])
    assert abs(made.guards - GUARDS) <= 2


@pytest.mark.parametrize("text", REACHED)
def test_layers_are_reached_through_what_is_compiled(text: str) -> None:
    _, made = only_site(solved(m=LAYERS.format(decorator="") + text))
    assert list(made.lists.values()) == [20]
    assert made.layers_with_scalars and made.guards >= GUARDS - 2


def test_class_and_caller_may_be_in_other_files() -> None:
    values = solved(
        layers=LAYERS.format(decorator=""),
        build="from layers import Mod\n\ndef build(n):\n    return Mod(n)\n",
        prepare="import torch\n\ndef prepare(model):\n    return torch.compile(model)\n",
        main="from build import build\nfrom prepare import prepare\n\nnet = prepare(build(20))\n",
    )
    site, made = only_site(values)
    assert (site.body.module.name, site.line) == ("prepare", 4)
    assert abs(made.guards - GUARDS) <= 2


@pytest.mark.parametrize("text", SILENT)
def test_what_compiles_nothing_is_no_place(text: str) -> None:
    assert compile_sites(solved(m=LAYERS.format(decorator="") + text)) == []


def test_layers_without_scalars_make_a_module_no_heavier() -> None:
    text = LAYERS.format(decorator="").replace("x + self.i", "x + 1") + "net = torch.compile(Mod(20))"
    _, made = only_site(solved(m=text))
    assert not made.is_heavy and made.guards == GUARDS - 20


def test_length_that_nothing_tells_is_said_to_be_assumed() -> None:
    text = LAYERS.format(decorator="") + "def main(args):\n    return torch.compile(Mod(args.depth))"
    _, made = only_site(solved(m=text))
    assert list(made.assumed) == ["self.fs"]


def test_unknown_subject_has_no_estimate() -> None:
    values = solved(m="import torch\n\ndef prepare(model):\n    return torch.compile(model)\n")
    (site,) = compile_sites(values)
    assert (list(site.entries), site.is_complete) == ([], False)
    assert estimate(site, values, Lengths(values)) is None


@pytest.mark.parametrize("name", ["numbers", "gpt", "config", "buffers", "convolutions", "many_inputs"])
def test_estimate_is_within_a_quarter_of_the_guards_that_are_counted(name: str) -> None:
    pytest.importorskip("torch")
    import guard_estimates

    (row,) = guard_estimates.rows([PROGRAMS / f"{name}.py"])
    assert row.is_close


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("from pkg.nets import loss\n\nfast = torch.compile(loss)\n", "pkg.nets.loss"),
        ("from pkg.nets import make\n\nfast = torch.compile(make(3))\n", "pkg.nets.make()"),
        ("def run(net):\n    return torch.compile(net)\n", ""),
    ],
)
def test_a_file_that_compiles_nothing_of_its_own_is_solved_once(text: str, path: str) -> None:
    """What others call makes no difference to it; what other files define is told by its path."""
    others = Others(lambda path: path.startswith(("pkg", "@")), {})
    values = solve({"m": lower(ast.parse(f"import torch\n{text}"))}, others=others)
    found = places_of_file(values, "m", lambda: pytest.fail("solved again"), knows_modules=True)
    assert [one.path for one in found.handed] == ([path] if path else [])
