"""Checks that the names that heuristics go by are no repository's own.

    python benchmarks/names.py                   lists words without a right; status 1 if there are any
    python benchmarks/names.py --also FOLDER     each folder below FOLDER counts as one more repository, and
                                                 what was found there is noted in names_found.toml

A word may stand in `overhead_lint.analysis.vocabulary` if it is one of Python or PyTorch, a method of a
common base class, or is found in its role in at least three repositories: the packages of the corpus and of
evaluation/names.txt, and those noted in names_found.toml. Their code is parsed, never imported.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import importlib
import importlib.util
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from corpus import cache_folder
from corpus_files import EVALUATION, REQUIREMENTS, CorpusError, download, requirements, unpack

from overhead_lint.analysis.effects.lookup import base_hooks
from overhead_lint.analysis.vocabulary import LISTS, Listed, Role
from overhead_lint.analysis.words import words
from overhead_lint.discovery.files import COLD_FOLDERS
from overhead_lint.project.names import last_name

ENOUGH = 3
OTHER_BASES = ("Accelerator", "TrainerState")
# Folders are no part of project/, but judged by name as well.
LISTS["COLD_FOLDERS"] = Listed(Role.FOLDER, COLD_FOLDERS)
# So are the words that rules go by, which know nothing of project/.
OF_RULES = {
    "CONFIGS": Role.VARIABLE,
    "DEVICES": Role.VARIABLE,
    "ENVIRONMENTS": Role.STEPPED,
    "INDICES": Role.VARIABLE,
    "LOADERS": Role.VARIABLE,
    "LOGGERS": Role.VARIABLE,
    "LOSSES": Role.VARIABLE,
    "MASKS": Role.VARIABLE,
    "MESSAGE_FLAGS": Role.FLAG,
    "MODELS": Role.VARIABLE,
    "MODULES": Role.VARIABLE,
    "OFFLOADING": Role.FLAG,
    "OUTPUTS": Role.VARIABLE,
    "PARAMETERS": Role.VARIABLE,
    "PIPELINES": Role.VARIABLE,
    "PROGRESS": Role.VARIABLE,
    "SHOWING": Role.STEM,
    "SIZES": Role.VARIABLE,
    "TIMING": Role.STEM,
}
RULE_WORDS = importlib.import_module("overhead_lint.rules._vocabulary")
LISTS.update({f"rules.{name}": Listed(role, getattr(RULE_WORDS, name)) for name, role in OF_RULES.items()})
NOTED = EVALUATION / "names_found.toml"
MORE = REQUIREMENTS.with_name("names.txt")
Found = dict[Role, set[str]]
Repositories = dict[str, tuple[Found, dict[str, set[str]]]]

# Where PyTorch's own methods are looked for, besides modules named by dotted names.
TORCH_CLASSES = (
    "torch.Tensor",
    "torch.nn.Linear",
    "torch.nn.Module",
    "torch.optim.Optimizer",
    "torch.optim.lr_scheduler.LRScheduler",
    "torch.autograd.Function",
    "torch.distributions.Distribution",
    "torch.utils.data.Dataset",
    "torch.utils.data.IterableDataset",
)


def gather(tree: ast.Module) -> Found:
    """The words of a file, by role."""
    found: Found = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[Role.STEM].add(node.name.lower())
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            said = words(node.name)
            found[Role.FUNCTION].update(said)
            found[Role.FUNCTION_FIRST].update(said[:1])
            found[Role.METHOD].add(node.name)
            for decorator in node.decorator_list:
                found[Role.DECORATOR].update(words(last_name(decorator)))
        elif isinstance(node, (ast.Name, ast.Attribute, ast.arg)):
            found[Role.VARIABLE].update(
                words(node.arg if isinstance(node, ast.arg) else last_name(node))[-1:]
            )
        elif isinstance(node, ast.Call):
            _call(node, found)
        elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            found[Role.ITERATED].update(_said(node.iter))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            if not isinstance(node.left, (ast.Constant, ast.JoinedStr)):
                found[Role.COUNTER].update(_said(node.left))
                found[Role.INTERVAL].update(_said(node.right))
        elif isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Constant):
            if type(node.comparators[0].value) is int:
                found[Role.COUNTER].update(_said(node.left))
        elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
            found[Role.FLAG].update(_said(node.test))
            found[Role.FLAG_NAME].update(
                last_name(part) for part in ast.walk(node.test) if isinstance(part, (ast.Name, ast.Attribute))
            )
    return found


def _call(node: ast.Call, found: Found) -> None:
    """Note what a call says."""
    name = last_name(node.func)
    if isinstance(node.func, ast.Attribute) and name == "step":
        found[Role.STEPPED].update(words(last_name(node.func.value)))
    elif name == "next" and node.args:
        found[Role.ITERATED].update(_said(node.args[0]))
    found[Role.FUNCTION].update(words(name))
    if name[:1].islower() or name[:1] == "_":
        found[Role.CALLED].update(words(name)[-1:])


def _said(node: ast.AST) -> set[str]:
    """The words of all names in an expression, and of the keys that it looks up."""
    said = {word for part in ast.walk(node) for word in words(last_name(part))}
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            said.update(words(part.value))
    return said


def repository(folder: Path) -> tuple[Found, dict[str, set[str]]]:
    """The words of a repository by role, and the methods of its classes by the class's name."""
    found: Found = defaultdict(set)
    methods: dict[str, set[str]] = defaultdict(set)
    for path in sorted(folder.rglob("*.py")):
        found[Role.FOLDER].update(path.relative_to(folder).parts[:-1])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue
        for role, said in gather(tree).items():
            found[role] |= said
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods[node.name].update(
                    item.name
                    for item in node.body
                    if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
                )
                for base in node.bases:
                    methods[node.name] |= {f"<{last_name(base)}>"}
    return found, methods


def is_api(name: str) -> bool:
    """Whether a name is one of Python's or PyTorch's."""
    if "." in name:
        module, _, last = name.rpartition(".")
        while module:
            try:
                holder: object = importlib.import_module(module)
            except ImportError:
                module, _, head = module.rpartition(".")
                last = f"{head}.{last}"
                continue
            for part in last.split("."):
                holder = getattr(holder, part, None)
            return holder is not None
        return False
    if hasattr(builtins, name) or (name.startswith("__") and name.endswith("__")):
        return True
    return any(hasattr(_resolved(dotted), name) for dotted in TORCH_CLASSES)


def _resolved(dotted: str) -> object:
    module, _, last = dotted.rpartition(".")
    return getattr(importlib.import_module(module), last)


def noted() -> dict[str, dict[str, list[str]]]:
    """Repositories in which words were found that the corpus lacks, by role and word."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(NOTED.read_text(encoding="utf-8")) if NOTED.is_file() else {}


def note(repositories: Repositories, known: Collection[str]) -> None:
    """Write down where words are found that the `known` repositories do not establish."""
    lines = ["# Written by benchmarks/names.py --also: repositories in which words are found in their roles."]
    for role in sorted({listed.role for listed in LISTS.values()}, key=lambda role: role.name):
        wanted = {word for listed in LISTS.values() if listed.role is role for word in listed.words}
        entries = []
        for word in sorted(wanted):
            holding = [name for name in sorted(repositories) if is_found(word, role, repositories[name][0])]
            if role not in (Role.API, Role.BASE) and len(set(holding) & set(known)) < ENOUGH <= len(holding):
                named = ", ".join(f'"{name}"' for name in holding)
                entries.append(f'"{word}" = [{named}]')
        if entries:
            lines += ["", f"[{role.name}]", *entries]
    NOTED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def unfounded(repositories: Repositories) -> Iterator[tuple[str, str, int]]:
    """Words with no right to stand in a list: the list, the word, in how many repositories it was found."""
    written = noted()
    methods: dict[str, set[str]] = defaultdict(set)
    for _, classes in repositories.values():
        for name, own in classes.items():
            methods[name] |= own
    for name, (role, listed) in LISTS.items():
        for word in sorted(listed):
            if role is Role.API:
                if not is_api(word):
                    yield name, word, 0
            elif role is Role.BASE:
                if not any(word in methods_of(base, methods) for base in (*base_hooks(), *OTHER_BASES)):
                    yield name, word, 0
            else:
                holding = {one for one, (found, _) in repositories.items() if is_found(word, role, found)}
                holding.update(written.get(role.name, {}).get(word, ()))
                python_s_own = role is Role.FOLDER and importlib.util.find_spec(word) is not None
                if len(holding) < ENOUGH and not python_s_own:
                    yield name, word, len(holding)
    for base, hooks in base_hooks().items():
        for hook in sorted(hooks - methods_of(base, methods)):
            heirs = sum(hook in own and f"<{base}>" in own for own in methods.values())
            if heirs < ENOUGH:  # a base that has events, and no methods for them
                yield f"hooks of {base}", hook, heirs


def is_found(word: str, role: Role, found: Found) -> bool:
    """Whether a repository has a word in its role."""
    return any(word in name for name in found[role]) if role is Role.STEM else word in found[role]


def methods_of(base: str, methods: dict[str, set[str]]) -> set[str]:
    """Methods of a base class, in the corpus or in PyTorch, inherited ones included."""
    found: set[str] = set()
    stack, seen = [base], {base}
    while stack:
        for name in methods.get(stack.pop(), ()):
            if name.startswith("<"):
                if name[1:-1] not in seen:
                    seen.add(name[1:-1])
                    stack.append(name[1:-1])
            else:
                found.add(name)
    for dotted in TORCH_CLASSES:
        if dotted.rpartition(".")[2] in seen:
            found.update(dir(_resolved(dotted)))
    return found


def run(arguments: argparse.Namespace) -> int:
    """Check all lists; 1 if a word is unfounded.

    Raises:
        CorpusError: the corpus cannot be had.
    """
    wheels = arguments.dir / "wheels"
    download(wheels)
    download(wheels, MORE)
    packages = [*requirements(), *requirements(MORE)]
    folders = {package.name: unpack(package, wheels, arguments.dir / "src") for package in packages}
    known = list(folders)
    for also in arguments.also:
        for path in sorted(also.iterdir()):
            folders.setdefault(path.name.rpartition("+")[2], path)
    repositories = {name: repository(folder) for name, folder in folders.items()}
    if arguments.also:
        note(repositories, known)
    total = sum(len(listed.words) for listed in LISTS.values())
    bad = list(unfounded(repositories))
    for name, word, count in bad:
        role = LISTS[name].role.value if name in LISTS else "a method of this class"
        print(f"{name}: {word!r} is {role} in {count} repositories")
    print(f"{total} words in {len(LISTS)} lists, {len(repositories)} repositories, {len(bad)} unfounded")
    return 1 if bad else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 1 for unfounded words, 2 when the corpus cannot be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dir", type=Path, default=cache_folder(), help="where wheels and sources are kept")
    parser.add_argument("--also", type=Path, action="append", default=[], metavar="FOLDER")
    try:
        return run(parser.parse_args(argv))
    except (CorpusError, OSError) as error:
        print(f"names: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
