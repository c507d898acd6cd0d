"""The compiled form: how it is made of the Python form, and that it finds the same.

`make compiled-check` builds it as it is shipped, and compares the two on whole packages.
"""

from __future__ import annotations

import ast
import re
import shutil
import sysconfig
import types
from pathlib import Path
from typing import Any

import pytest
from compiled_extensions import in_units, starts_in_units
from compiled_form import ROOT, Forms, copied, findings, installed
from compiled_sources import NotCompilable, modules, rewritten, stage
from page_runs import RULES, read_page

from overhead_lint import __version__
from overhead_lint.cli.main import main
from overhead_lint.support.compiled_form import is_compiled

CACHED = """\
import ast
from functools import cached_property


class Facts:
    '''About a node.'''

    def __init__(self, node: ast.AST) -> None:
        '''Keeps the node.'''
        self.node = node
        self.asked = 0

    @cached_property
    def is_name(self) -> bool:
        self.asked += 1
        return isinstance(self.node, ast.Name)


class MoreFacts(Facts):
    '''More about a node.'''

    def __init__(self, node: ast.AST, more: str) -> None:
        super().__init__(node)
        self.more = more

    @cached_property
    def name(self) -> str:
        self.asked += 1
        return self.node.id + self.more if self.is_name else ""


def is_either(node: ast.AST) -> bool:
    return isinstance(node, (ast.Call, ast.Attribute))
"""


def test_the_list_names_each_module_once() -> None:
    found = modules()
    assert found == sorted(set(found))
    assert [name for name in found if not (ROOT / name).is_file()] == []


def test_every_module_is_rewritten_to_python_that_keeps_nothing_in_dictionaries(tmp_path: Path) -> None:
    for path in stage(ROOT, tmp_path / "sources"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert "cached_property" not in map(ast.unparse, node.decorator_list), path


def test_no_module_tests_membership_in_a_tuple_with_a_star() -> None:
    """The compiler ends with an error of its own."""
    wrong = []
    for name in modules():
        for node in ast.walk(ast.parse((ROOT / name).read_text("utf-8"))):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
                held = node.comparators[0]
                if isinstance(held, (ast.Tuple, ast.List, ast.Set)) and any(
                    isinstance(one, ast.Starred) for one in held.elts
                ):
                    wrong.append(f"{name}:{node.lineno}")
    assert wrong == []


def test_no_module_that_stays_python_derives_from_a_compiled_class() -> None:
    """Which an interpreter refuses when the class is made, or a value of it."""
    compiled = {name.removesuffix(".py").replace("/", ".") for name in modules()}
    wrong = []
    for path in sorted((ROOT / "overhead_lint").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name in modules():
            continue
        tree = ast.parse(path.read_text("utf-8"))
        theirs = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module in compiled
            for alias in node.names
        }
        bases = [
            base.id
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            for base in node.bases
            if isinstance(base, ast.Name) and base.id in theirs
        ]
        wrong += [f"{name}: {base}" for base in bases]
    assert wrong == []


def test_a_hurried_build_reads_each_module_once_and_in_few_units(tmp_path: Path) -> None:
    sources = [str(tmp_path / f"__native_overhead_lint___module{number}.c") for number in range(20)]
    units = [Path(name) for name in in_units([*sources, "shim.c"])]
    assert units.pop().name == "shim.c" and len(units) == 6
    included = re.findall(r'^#include "(.+)"$', "".join(unit.read_text() for unit in units), re.MULTILINE)
    assert sorted(str(tmp_path / name) for name in included) == sorted(sources)


def test_no_unit_of_a_hurried_build_starts_two_modules_of_one_name(tmp_path: Path) -> None:
    names = "a.names", "a.values.__init__", "b.names", "b.deeper.values", "b.alone"
    sources = {name: str(tmp_path / f"{name.replace('.', '/')}.c") for name in names}
    of_unit, units = starts_in_units(sources)
    assert of_unit == dict(zip(names, (0, 0, 1, 1, 0), strict=True))
    for number, unit in enumerate(units):
        text = Path(unit).read_text()
        included = [tmp_path / name for name in re.findall(r'^#include "(.+)"$', text, re.MULTILINE)]
        assert [str(path) for path in included] == [
            sources[name] for name in names if of_unit[name] == number
        ]
        other = re.findall(r"^#define PyInit___init__ (\w+)$", text, re.MULTILINE)
        assert len(set(other)) == len(included)


def executed(text: str) -> dict[str, Any]:
    module = types.ModuleType("rewritten")
    exec(compile(rewritten(text), "rewritten", "exec"), vars(module))
    return vars(module)


def test_a_cached_property_keeps_its_value_in_an_attribute() -> None:
    facts = executed(CACHED)["Facts"](ast.parse("x", mode="eval").body)
    assert [facts.is_name, facts.is_name] == [True, True]
    assert facts.asked == 1


def test_a_class_can_be_emptied_once() -> None:
    node = ast.parse("x", mode="eval").body
    facts = executed(CACHED)["Facts"](node)
    assert node in facts.take_all()
    assert vars(facts) == {}
    assert facts.take_all() == []


def test_a_class_that_derives_from_another_keeps_values_beside_those_of_that_one() -> None:
    facts = executed(CACHED)["MoreFacts"](ast.parse("x", mode="eval").body, "y")
    assert [facts.name, facts.name, facts.is_name] == ["xy", "xy", True]
    assert facts.asked == 2
    assert {"xy", "y"} <= {*filter(lambda held: isinstance(held, str), facts.take_all())}
    assert vars(facts) == {"_kept_name": None}


def test_classes_of_nodes_become_constants() -> None:
    found = executed(CACHED)
    assert found["_node_CallAttribute"] == (ast.Call, ast.Attribute)
    assert found["is_either"](ast.parse("f()", mode="eval").body)
    assert not found["is_either"](ast.parse("f", mode="eval").body)


def test_types_of_the_fields_of_named_tuples_are_texts() -> None:
    """The compiled form looks them up at import, and only type checkers import some."""
    text = """\
class Given(NamedTuple):
    names: Mapping[str, int]
    place: int = 0


class Other:
    names: Mapping[str, int]
"""
    fields = "    names: 'Mapping[str, int]'\n    place: 'int' = 0\n"
    assert rewritten(text) == text.replace("    names: Mapping[str, int]\n    place: int = 0\n", fields)


def test_a_cached_property_that_may_give_none_is_refused() -> None:
    with pytest.raises(NotCompilable, match=r"Facts\.is_name may give None"):
        rewritten(CACHED.replace("-> bool:\n        self", "-> bool | None:\n        self"))


def test_a_generator_that_is_searched_is_refused() -> None:
    text = "def names() -> Iterator[str]:\n    yield 'a'\n\n\nhas_a = 'a' in {}\n"
    with pytest.raises(NotCompilable, match=r"line 5: names is a generator: `in` needs a collection"):
        rewritten(text.format("names()"))
    assert rewritten(text.format("[*names()]")) == text.format("[*names()]")


def test_a_tuple_of_another_length_needs_a_type() -> None:
    text = "def kept(one: Any) -> None:\n    found{} = (one,)\n    if one:\n        found = one.all\n"
    with pytest.raises(NotCompilable, match=r"line 4: found needs a type: its tuple had another length"):
        rewritten(text.format(""))
    assert rewritten(text.format(": tuple[Any, ...]")) == text.format(": tuple[Any, ...]")


def test_the_version_says_which_form_runs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--version"])
    assert exit_.value.code == 0
    form = " (compiled)" if is_compiled() else ""
    assert capsys.readouterr().out == f"overhead-lint {__version__}{form}\n"


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler, cc, to build it with")
def test_it_finds_what_the_python_form_does(forms: Forms, tmp_path: Path) -> None:
    """With other processes as well: they import what the first one had no use for yet."""
    project = tmp_path / "project"
    for name in ("examples", "overhead_lint/dynamic", "overhead_lint/probes"):
        shutil.copytree(ROOT / name, project / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    for code in RULES:  # something for each rule
        (project / f"{code.lower()}.py").write_text(read_page(code).code("Example"), "utf-8")
    found = findings(forms.python, project, "--preview")
    assert [code for code in RULES if f'"{code}"'.encode() not in found] == []
    alike = [findings(forms.compiled, project, "--preview", jobs=jobs) == found for jobs in (1, 2)]
    assert alike == [True, True]


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> Forms:
    """Where both forms are: this checkout, and the compiled one, built in a hurry."""
    pytest.importorskip("mypyc", reason="mypy's compiler, mypyc, is not installed")
    if is_compiled():
        pytest.skip("the compiled form is what runs these tests")
    work = tmp_path_factory.mktemp("forms")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OVERHEAD_LINT_OPTIMIZED", "0")
        compiled = installed(copied(work), work / "compiled", "1")
    assert [*compiled.glob("overhead_lint/engine/linter.*.so")]
    return Forms(Path(sysconfig.get_path("purelib")), compiled)
