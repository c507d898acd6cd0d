"""Stands for ``libcst.native`` where no compiled module runs: the parser in Python that libcst still has.

It reads the syntax of Python 3.9. A fix inside a statement with newer syntax is refused, as any that libcst
cannot read.
"""

from __future__ import annotations

from typing import Any

from libcst._parser.detect_config import detect_config
from libcst._parser.grammar import get_grammar
from libcst._parser.python_parser import PythonCSTParser
from libcst._parser.types.config import PartialParserConfig

__all__ = ["parse_expression", "parse_module", "parse_statement"]


def parse_module(source: str, encoding: str = "utf-8") -> Any:
    """Return the module of a source text.

    Raises:
        libcst.ParserSyntaxError: it cannot be read.
    """
    return _parsed(source, "file_input", encoding)


def parse_statement(source: str) -> Any:
    """Return the one statement of a source text.

    Raises:
        libcst.ParserSyntaxError: it cannot be read.
    """
    return _parsed(source, "stmt_input")


def parse_expression(source: str) -> Any:
    """Return the expression of a source text.

    Raises:
        libcst.ParserSyntaxError: it cannot be read.
    """
    return _parsed(source, "expression_input")


def _parsed(source: str, start: str, encoding: str = "utf-8") -> Any:
    found = detect_config(
        source,
        partial=PartialParserConfig(python_version="3.9", encoding=encoding),
        detect_trailing_newline=start != "expression_input",
        detect_default_newline=start == "file_input",
    )
    config: Any = found.config  # its class is chosen at import
    grammar = get_grammar(config.version, config.future_imports)
    return PythonCSTParser(
        tokens=found.tokens, config=config, pgen_grammar=grammar, start_nonterminal=start
    ).parse()
