"""Writes a context manager that is a generator as a class."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from overhead_lint.syntax.grammar import TEMPLATES
from overhead_lint.tuples import NamedTuple

from ._decorating import decorator
from ._moved import CannotMove, Lines, comments
from ._signatures import initializer
from ._stock import leave_as_they_enter
from ._yielding import Generator, Guard, taken_apart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from overhead_lint.rule import Context

__all__ = ["ANNOTATION", "Written", "as_class", "beside_method"]

# What a body may hold in a generator and not, or not with the same meaning, in two methods.
_FOREIGN = (
    *(ast.Return, ast.Await, ast.YieldFrom, ast.Nonlocal, ast.Delete, ast.NamedExpr, *TEMPLATES),
    *(ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.comprehension),
    *(ast.Import, ast.ImportFrom, ast.Match),
)
ANNOTATION = "\0"
"""Stands in a header for the annotation of what a function returns."""
_GUARD = "_entered"
_OF_EXIT = ("exc_type", "exc_value", "traceback")
_OWNER = "owner"
_INNER = "inner"
_IDLE = "_idle"
"""Whether a guard gave way to the block, so that there is nothing to leave."""
_TAKEN = frozenset({_GUARD, _IDLE, *_OF_EXIT, "__class__", "super"})


class Written(NamedTuple):
    """A class that does what a generator does.

    Attributes:
        lines: its lines.
        parameters: the parameters of the function whose values it is built with, in order.
        above: the comments above the function, and on its decorators.
        header: the lines of the function before its body, from ``def`` to the colon.
    """

    lines: Sequence[str]
    parameters: Sequence[str]
    above: Sequence[str]
    header: Sequence[str]


def as_class(node: ast.FunctionDef, ctx: Context, *, decorates: bool) -> Written:
    """Return a generator with one ``yield`` as a class that is called as the function is.

    Args:
        node: the generator.
        ctx: its file.
        decorates: whether functions are decorated with what it gives, too.

    Raises:
        CannotMove: it cannot be taken apart into two methods that mean the same.
    """
    written = _Writer(taken_apart(node), node.name, ctx).written(takes_signature=True)
    return (
        written._replace(lines=[*written.lines, *decorator(node, written.parameters)])
        if decorates
        else written
    )


def beside_method(node: ast.FunctionDef, name: str, ctx: Context) -> Written:
    """Return a method with one ``yield`` as a class of its own, to be built with values of its parameters.

    Raises:
        CannotMove: as above.
    """
    return _Writer(taken_apart(node), name, ctx).written(takes_signature=False)


class _Writer:
    """Writes the class of one generator."""

    def __init__(self, generator: Generator, name: str, ctx: Context) -> None:
        self._generator = generator
        self._name = name
        self._lines = Lines(generator.node, ctx)
        self._globals = _global_names(generator.node)
        self._parameters = [item.arg for item in ast.walk(generator.node.args) if isinstance(item, ast.arg)]
        self._kept = self._needed()
        self._slots = self._named()
        contexts = generator.contexts
        if len(contexts) > 1 and not leave_as_they_enter(contexts, ctx):
            raise CannotMove("one of its contexts may raise, or swallow what the other one raises")
        numbered = [f"{_INNER}_{number}" for number in range(1, len(contexts) + 1)]
        self._inner = numbered if len(numbered) > 1 else [_INNER] * len(contexts)
        self._own = [*self._inner, *([_IDLE] if generator.guards else []), _GUARD]

    def _needed(self) -> list[str]:
        """The names that instances keep: parameters, and what is bound before the block and read after it."""
        entering, leaving = self._generator.entering, self._generator.leaving
        stored = _names(entering, ast.Store) - self._globals
        read_after = _names(leaving, ast.Load)
        read = _names(entering, ast.Load) | read_after
        used = [name for name in self._parameters if name in read | stored]
        return [*used, *sorted((stored & read_after).difference(self._parameters))]

    def _named(self) -> Mapping[str, str]:
        """The slot of each name that instances keep."""
        slots = {name: name for name in self._kept}
        if "self" in slots:
            slots["self"] = _OWNER
        return slots

    def _refuse_foreign(self) -> None:
        """Raise `CannotMove` where a name, or a kind of statement, means something else in a method."""
        node = self._generator.node
        left = {guard.left for guard in self._generator.guards}
        inside = [item for part in node.body for item in ast.walk(part) if item not in left]
        bound = _names([node], ast.Store) | set(self._parameters) | self._globals
        caught = {item.name for item in inside if isinstance(item, ast.ExceptHandler) and item.name}
        taken = {*_TAKEN, *({_OWNER} if "self" in self._slots else {"self"})}
        taken |= set(self._inner)
        names = _names([node], ast.Load) | bound | caught
        if names & taken or caught & bound or any(name.startswith("__") for name in names):
            raise CannotMove("a name is taken")
        if any(isinstance(item, _FOREIGN) or _is_mangled(item) for item in inside):
            raise CannotMove("it holds what means something else in a method")

    def written(self, *, takes_signature: bool) -> Written:
        """Return the class; what stands around the body goes with it only if the function is gone then."""
        self._refuse_foreign()
        node, lines = self._generator.node, self._lines
        end = self._header_end()
        above = lines.notes(lines.first, node.lineno - 1)
        header = self._header(end)
        used = [name for name in self._kept if name in self._parameters]
        slots = ", ".join(f'"{name}"' for name in [*self._slots.values(), *self._own])
        opening = f"class {self._name}:"
        result = [f"    __slots__ = ({slots}{',' if len(self._own) + len(self._slots) == 1 else ''})", ""]
        if takes_signature:
            doc = ast.get_docstring(node, clean=False)
            documented = [f"    {_quoted(doc)}", ""] if doc is not None else []
            result = [*above, "  ".join([opening, *lines.notes(end, end)]), *documented, *result]
            result += _indented(lines.notes(node.lineno, end - 1), 4)
            if node.args.vararg or node.args.kwarg:
                raise CannotMove("it takes any arguments")
            result += initializer(node.args)
            result += [f"        self.{self._slots[name]} = {name}" for name in used]
        else:
            given = [self._slots[name] for name in used]
            result = [opening, *result, f"    def __init__({', '.join(['self', *given])}):"]
            result += [f"        self.{name} = {name}" for name in given]
        result += [f"        self.{_GUARD} = False", "", *self._enter(), "", *self._exit()]
        around = [] if takes_signature else [*above, *lines.notes(node.lineno, end)]
        self._refuse_lost([*comments(result), *around])
        return Written(result, used, above, header)

    def _refuse_lost(self, kept: Sequence[str]) -> None:
        """Raise `CannotMove` where a comment is not among those that are kept."""
        if Counter(self._lines.comments.values()) - Counter(kept):
            raise CannotMove("a comment would be lost")

    def _header(self, end: int) -> list[str]:
        """The lines down to the one of the colon, with `ANNOTATION` in place of what the function returns."""
        node = self._generator.node
        lines = [self._lines.text(line).encode() for line in range(node.lineno, end + 1)]
        if node.returns is not None:
            if node.returns.end_lineno != node.returns.lineno:
                raise CannotMove("its annotation has several lines")
            row = node.returns.lineno - node.lineno
            start, stop = node.returns.col_offset, node.returns.end_col_offset
            lines[row] = lines[row][:start] + ANNOTATION.encode() + lines[row][stop:]
        bare = [line.decode() for line in lines]
        return [line[min(len(line) - len(line.lstrip()), node.col_offset) :] for line in bare]

    def _header_end(self) -> int:
        """The line of the colon before the body."""
        node = self._generator.node
        line = node.body[0].lineno - 1
        while line >= node.lineno and self._lines.text(line).strip()[:1] in {"", "#"}:
            line -= 1
        if line < node.lineno:
            raise CannotMove("its body shares the line of its header")
        return line

    def _start(self) -> int:
        """The line where the statements, or comments above them, may begin."""
        first = self._generator.node.body[0]
        return (
            (first.end_lineno or first.lineno) + 1 if self._generator.documented else self._header_end() + 1
        )

    def _enter(self) -> list[str]:
        generator, lines = self._generator, self._lines
        yielding = generator.yielding
        around = generator.tried or generator.inner or yielding
        result = ["    def __enter__(self):", f"        if self.{_GUARD}:"]
        result += [f'            raise RuntimeError("{self._name} is entered while it is active")']
        result += [f"        self.{_GUARD} = True"]
        start = self._start()
        for guard in generator.guards:
            result += _indented(lines.moved(guard.before, start, guard.block.lineno - 1, self._slots), 8)
            guarding, start = self._guarding(guard)
            result += _indented(guarding, 8)
        if generator.guards:
            result.append(f"        self.{_IDLE} = False")
        result += _indented(lines.moved(generator.before, start, around.lineno - 1, self._slots), 8)
        if generator.inner is not None:
            return [*result, *_indented(self._entering(generator.inner, generator.value), 8)]
        value, value_lines = generator.value, list[str]()
        notes_to = yielding.end_lineno or yielding.lineno
        if value is not None:
            value_lines = lines.expression(value, self._slots)
        inside = range(value.lineno, value.end_lineno or 0) if value is not None else ()
        result += _indented(lines.notes(around.lineno, notes_to, without=inside), 8)
        if value_lines:
            result += _indented(_continued("return ", value_lines), 8)
        return result

    def _guarding(self, guard: Guard) -> tuple[list[str], int]:
        """The lines that give way to the block at once, and the line where the rest begins."""
        lines, test, value = self._lines, guard.block.test, guard.value
        last = guard.left or guard.yielding
        end = last.end_lineno or last.lineno
        own = {*range(test.lineno, test.end_lineno or test.lineno)}  # comments there go with it
        own |= {*range(value.lineno, value.end_lineno or value.lineno)} if value is not None else set()
        asked = _continued("if ", lines.expression(test, self._slots))
        values = [self._generator.value, *(each.value for each in self._generator.guards)]
        given = ["return" if values == [None] * len(values) else "return None"]
        if value is not None:
            given = _continued("return ", lines.expression(value, self._slots))
        inside = [*lines.notes(guard.block.lineno, end, without=own), f"self.{_IDLE} = True", *given]
        result = [*asked[:-1], f"{asked[-1]}:", *_indented(inside, 4)]
        other = guard.block.orelse
        if not other or self._lines.text(other[0].lineno).lstrip().startswith("elif"):
            return result, end + 1
        start = lines.line_of("else", end + 1, other[0].lineno - 1)
        return [*result, *lines.notes(end + 1, start)], start + 1

    def _entering(self, inner: ast.With, given: ast.expr | None) -> list[str]:
        """The lines that enter contexts around the block, which is given what one gives, or nothing."""
        own, made = set[int](), list[str]()
        for name, context in zip(self._inner, self._generator.contexts, strict=True):
            own |= {*range(context.lineno, context.end_lineno or context.lineno)}  # these go with it
            made += _continued(f"self.{name} = ", self._lines.expression(context, self._slots))
        notes = self._lines.notes(inner.lineno, self._lines.last, without=own)
        entered = [f"self.{name}.__enter__()" for name in self._inner]
        if given is not None:
            entered[-1] = f"return {entered[-1]}"
        return [*notes, *made, *entered]

    def _exit(self) -> list[str]:
        generator = self._generator
        result = [f"    def __exit__(self, {', '.join(_OF_EXIT)}):", f"        self.{_GUARD} = False"]
        if generator.guards:
            result += [f"        if self.{_IDLE}:", "            return"]
        if generator.inner is not None:
            left = [f"self.{name}.__exit__({', '.join(_OF_EXIT)})" for name in reversed(self._inner)]
            if len(left) == 1:
                left = [f"return {left[0]}"]
            return [*result, *_indented(left, 8)]
        bound = _names(generator.leaving, ast.Store) & self._globals
        declared = {name for item in generator.leaving for name in _global_names(item)}
        if bound - declared:
            result.append(f"        global {', '.join(sorted(bound - declared))}")
        yielding_end = generator.yielding.end_lineno or generator.yielding.lineno
        if generator.tried is not None:
            return [*result, *_indented(self._tried(generator.tried, yielding_end + 1), 8)]
        after = self._lines.moved(generator.after, yielding_end + 1, self._lines.last, self._slots)
        if generator.after:
            return [*result, "        if exc_type is None:", *_indented(after, 12)]
        return [*result, *_indented(after, 8)]

    def _tried(self, tried: ast.Try, first: int) -> list[str]:
        """The lines for the clauses of a ``try`` around the block, which begin at a line."""
        lines, branches = self._lines, list[str]()
        for handler in tried.handlers:
            branches += lines.notes(first, handler.lineno - 1)
            branches += self._handler(handler, later=handler is not tried.handlers[0])
            first = (handler.end_lineno or handler.lineno) + 1
        if tried.orelse:
            start = lines.line_of("else", first, tried.orelse[0].lineno - 1)
            end = tried.orelse[-1].end_lineno or start
            body = lines.moved(tried.orelse, start + 1, end, self._slots)
            branches += [*lines.notes(first, start), "if exc_type is None:", *_indented(body, 4)]
            first = end + 1
        if not tried.finalbody:
            return branches
        start = lines.line_of("finally", first, tried.finalbody[0].lineno - 1)
        final = lines.moved(tried.finalbody, start + 1, lines.last, self._slots)
        final = [*lines.notes(first, start), *final]
        if not branches:
            return final
        return ["try:", *_indented(branches, 4), "finally:", *_indented(final, 4)]

    def _handler(self, handler: ast.ExceptHandler, *, later: bool) -> list[str]:
        """The lines for an ``except`` clause: a branch, which ends the exception unless it raises."""
        body, last = handler.body, handler.body[-1]
        reraises = isinstance(last, ast.Raise) and last.exc is None
        moving = body[:-1] if reraises else body
        if any(
            isinstance(item, ast.Raise) and item.exc is None for part in moving for item in ast.walk(part)
        ):
            raise CannotMove("it raises again from within a branch")
        end = body[0].lineno - 1
        while end > handler.lineno and self._lines.text(end).strip()[:1] in {"", "#"}:
            end -= 1
        if end < handler.lineno:
            raise CannotMove("it shares a line with something else")
        test = "exc_type is not None"
        if handler.type is not None:
            caught = "\n".join(self._lines.expression(handler.type, self._slots))
            test += f" and issubclass(exc_type, {caught})"
        inside = self._lines.notes(end, end)
        if handler.name and handler.name in _names(body, ast.Load):
            inside.append(f"{handler.name} = exc_value")
        stop = last.lineno - 1 if reraises else last.end_lineno or last.lineno
        inside += self._lines.moved(moving, end + 1, stop, self._slots)
        if reraises:
            inside += self._lines.notes(last.lineno, last.lineno)
        elif not isinstance(last, ast.Raise):
            inside.append("return True")
        if all(line.startswith("#") for line in inside):
            inside.append("pass")
        return [*f"{'elif' if later else 'if'} {test}:".splitlines(), *_indented(inside, 4)]


def _names(nodes: Iterable[ast.AST], context: type[ast.expr_context]) -> set[str]:
    """Return the names that some code reads, or those that it binds; `x += 1` does both."""
    items = [item for node in nodes for item in ast.walk(node)]
    added = {id(item.target) for item in items if isinstance(item, ast.AugAssign)}
    return {
        item.id
        for item in items
        if isinstance(item, ast.Name) and (isinstance(item.ctx, context) or id(item) in added)
    }


def _global_names(node: ast.AST) -> set[str]:
    """Return the names that some code declares to be of the module."""
    return {name for item in ast.walk(node) if isinstance(item, ast.Global) for name in item.names}


def _is_mangled(item: ast.AST) -> bool:
    """Whether an attribute or keyword argument has another name in the body of a class."""
    name = (
        item.attr if isinstance(item, ast.Attribute) else item.arg if isinstance(item, ast.keyword) else None
    )
    return name is not None and name.startswith("__") and not name.endswith("__")


def _quoted(doc: str) -> str:
    """Return a docstring as it stood, lines below the first included."""
    escaped = doc.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped}"""'


def _continued(start: str, lines: Sequence[str]) -> list[str]:
    """Return the lines of a statement that ends in an expression, in parentheses where it needs them."""
    first, *others = lines
    try:
        ast.parse("\n".join(lines), mode="eval")
    except SyntaxError:
        others[-1] += ")"
        return [f"{start}({first}", *_indented(others, 4)]
    return [f"{start}{first}", *others]


def _indented(lines: Iterable[str], indent: int) -> list[str]:
    return [" " * indent + line if line else line for line in lines]
