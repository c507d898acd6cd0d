"""The options of ``overhead-lint check``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overhead_lint.cli import baseline, evidence, ranking, report
from overhead_lint.cli.check_parser import check_parser, fix_report_parser
from overhead_lint.cli.option_values import codes_of, patterns, reason, with_reason
from overhead_lint.config.settings import SettingsError, SettingsFile, effective, find, merged, read
from overhead_lint.support import processors
from overhead_lint.support.nearest import nearest
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.config.run_settings import Settings
    from overhead_lint.discovery.shards import Shard

__all__ = ["Options", "parse"]

_OPTIONS = frozenset({"diff", "fix", "help", "version", "watch"})
"""Options that are commands of other tools."""
_ALIKE = 0.66
"""How alike a path must be to a command (`difflib`, 0 to 1) to have been meant for it."""


_ALONE = ("explain_heat", "show_files", "show_settings")
"""What is shown in place of a check."""
_OF_WHOLE_RUNS = ("watch", "write_baseline", "show_settings", "explain_heat")
"""What a share of the files is not enough for, or makes no difference to."""
_OF_CHECKS = ("fix", "diff", "add_ignore", "write_baseline", "output_file", "statistics")
"""What a check does, and nothing else."""


class Options(NamedTuple):
    """A parsed command line.

    Attributes:
        paths: files and folders to check.
        settings: what to look for.
        file: the settings file that this comes from in part.
        given: settings of the command line, by key: they win over those of files.
        command_line: patterns that the command line gives besides those of files, from the current folder.
        finds_settings: whether settings files below what holds all paths count for what lies there.
        rule_packs: names of the third-party packs to load; None for all.
        force_exclude: leave out what the settings exclude, also where it is named.
        show_files: list the files that would be checked, in place of a check.
        show_settings: the settings as text, to be shown in place of a check; "" to check.
        report: how to report it.
        baseline: what to let through.
        evidence: what a run measured.
        ranking: which findings are shown for their cost, and what comes first.
        fix: write the fixed files.
        fix_only: and report nothing of what is left.
        unsafe: take unsafe fixes, too.
        diff: show what would be written.
        describes: describe what is fixed, or would be, in place of findings.
        verify: the command that must end with fixes as without; None to write them unseen.
        verify_runs: how many times it is timed each way.
        add_ignore: the reason to write beside findings, "" for none; None to report them.
        project: take the heat of functions from the whole project.
        explain: a file, a line, and of a notebook the cell (else 0): tell why that place is as hot as it
            is, in place of a check.
        cache: use what earlier runs learned, and keep what this one learns.
        cache_folder: where; None for the root of the project.
        cached_as: what tells it there from other projects of the run.
        jobs: processes that look into files at once.
        stdin: what to call the text on standard input, which is checked alone; None to check `paths`.
        watch: check again whenever a file changes.
        shard: the share of the files to check; None for all.
    """

    paths: tuple[Path, ...]
    settings: Settings
    file: SettingsFile | None
    given: Mapping[str, Any]
    command_line: SettingsFile
    finds_settings: bool
    rule_packs: tuple[str, ...] | None
    force_exclude: bool
    show_files: bool
    show_settings: str
    report: report.ReportOptions
    baseline: baseline.BaselineOptions
    evidence: evidence.EvidenceOptions
    ranking: ranking.RankingOptions
    fix: bool
    fix_only: bool
    unsafe: bool
    diff: bool
    describes: bool
    verify: str | None
    verify_runs: int
    add_ignore: str | None
    project: bool
    explain: tuple[Path, int, int] | None
    cache: bool
    cache_folder: Path | None
    jobs: int
    stdin: Path | None
    watch: bool
    shard: Shard | None
    cached_as: str = ""

    @property
    def fixes(self) -> bool:
        """Whether fixes are carried out, be it to show them."""
        return self.fix or self.diff or self.describes

    @property
    def holds_fixes(self) -> bool:
        """Whether fixed texts wait until all files were looked at."""
        return self.verify is not None or self.describes

    @property
    def checks(self) -> bool:
        """Whether files are checked, and not only told about."""
        return not (self.show_files or self.show_settings or self.explain)

    def ignored(self, path: Path) -> tuple[str, ...]:
        """Codes, prefixes and names that ``per-file-ignores`` leaves out in a file."""
        of_file = self.file.ignored(path) if self.file else ()
        return (*of_file, *self.command_line.ignored(path))

    def named_codes(self) -> tuple[str, ...]:
        """Codes, prefixes and names of the command line, besides those that select rules."""
        by_pattern = self.command_line.values.get("per-file-ignores", {}).values()
        fixes = (*self.given.get("fixable", ()), *self.given.get("unfixable", ()))
        return (*fixes, *(code for codes in by_pattern for code in codes))

    def of_part(self, file: SettingsFile | None, name: str) -> Options:
        """These options for a part of the run.

        Args:
            file: the settings file that counts there.
            name: what tells its project from others of the run.
        """
        values, _ = merged(file, self.given)
        settings, wanted = effective(values), values["rule-packs"]
        as_ = name if self.cache_folder is not None else ""  # else it lies in a folder of its own
        return self._replace(file=file, settings=settings, rule_packs=wanted, cached_as=as_)


def parse(arguments: Sequence[str], *, describes: bool = False) -> Options:
    """Parse the arguments of ``check``, or of ``fix-report``.

    Args:
        arguments: without the command.
        describes: whether they are those of ``fix-report``.

    Raises:
        SettingsError: a settings file that cannot be used.
        SystemExit: with status 2 and a message on wrong use, with 0 after ``--help``.
    """
    parser = fix_report_parser() if describes else check_parser()
    found = parser.parse_args(baseline.with_default(with_reason(arguments)))
    explain = found.explain_heat
    if explain is not None:
        found.paths = found.paths or [str(explain[0])]
    found.paths = found.paths or [os.curdir]
    _check_paths(found, parser)
    for option in ("select", "extend_select", "ignore", "fixable", "unfixable"):
        if not all(map(codes_of, ([entry] for entry in getattr(found, option)))):
            parser.error(f"{_option(option)} takes codes, prefixes such as OVH4, names, or ALL")
    # --fix --diff shows what would be written, as --diff does
    found.fix_only = found.fix_only and not found.diff
    found.fix = (found.fix or found.fix_only) and not found.diff
    ignore_reason = reason(found, parser)
    _check_together(found, parser)
    _check_fixes(found, parser, describes=describes)
    stdin = _stdin(found, parser)
    paths = tuple(Path(path) for path in found.paths) if stdin is None else (stdin,)
    file = _file(found, paths)
    given = {
        "select": codes_of(found.select),
        "extend-select": codes_of(found.extend_select),
        "ignore": codes_of(found.ignore),
        "fixable": codes_of(found.fixable),
        "unfixable": codes_of(found.unfixable),
        "min-heat": found.min_heat,
        "target-torch": found.target_torch,
        "preview": found.preview,
    }
    command_line = patterns(found, parser)
    values, origins = merged(file, given)
    for key, value in command_line.values.items():
        values[key] = {**values[key], **value} if isinstance(value, dict) else (*values[key], *value)
        origins[key] = "command line" if origins[key] == "default" else f"{origins[key]}, command line"
    known = baseline.BaselineOptions.of(found, parser, file)
    measured = evidence.EvidenceOptions.of(found, parser)
    if found.baseline is not None or found.no_baseline:
        values["baseline"] = str(found.baseline) if found.baseline is not None else None
        origins["baseline"] = "command line"
    return Options(
        paths=paths,
        settings=effective(values),
        file=file,
        given=given,
        command_line=command_line,
        finds_settings=found.config is None and not found.isolated and stdin is None,
        rule_packs=values["rule-packs"],
        force_exclude=found.force_exclude,
        show_files=found.show_files,
        show_settings=_shown(values, origins) if found.show_settings else "",
        report=report.ReportOptions.of(found),
        baseline=known,
        evidence=measured,
        ranking=ranking.RankingOptions.of(found, measured.min_seconds),
        fix=found.fix,
        fix_only=found.fix_only,
        unsafe=found.unsafe_fixes,
        diff=found.diff,
        describes=describes,
        verify=found.verify,
        verify_runs=found.verify_runs,
        add_ignore=ignore_reason,
        project=not found.no_project,
        explain=explain,
        cache=not found.no_cache,
        cache_folder=found.cache_dir,
        jobs=found.jobs or processors.usable(),
        stdin=stdin,
        watch=found.watch,
        shard=found.shard,
    )


def _check_paths(found: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """See that what stands for paths are no commands or codes."""
    if not all(found.paths):
        parser.error("an empty PATH: write . for the current folder")
    command = _meant_command(found.paths[0])
    if command and command == found.paths[0]:
        parser.error(f"{command!r} is a command, and no such file: give it once, ahead of all options")
    if command:
        parser.error(f"{found.paths[0]!r} is no command, and no such file: did you mean {command}?")
    code = next((path for path in found.paths if _is_code(path)), "")
    if code and (found.select or found.ignore):
        parser.error(
            f"{code!r} is no file: several codes stand in one word, with commas: --select OVH1,{code}"
        )


def _check_together(found: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """See that options go together, and that the cache can have its place."""
    once = [name for name in ("write_baseline", *_ALONE) if getattr(found, name)]
    once += ["add_ignore"] if found.add_ignore is not None else []
    if found.shard is not None and (whole := [name for name in _OF_WHOLE_RUNS if getattr(found, name)]):
        parser.error(f"--shard checks a share of the files: no {_option(whole[0])} with it")
    if found.watch and once:
        parser.error(f"--watch checks again and again: no {_option(once[0])} with it")
    for alone in _ALONE:
        if getattr(found, alone) and (
            without := [one for one in _OF_CHECKS if getattr(found, one) not in (None, False)]
        ):
            parser.error(f"{_option(alone)} stands in place of a check: no {_option(without[0])} with it")
        if getattr(found, alone) and found.output_format != report.ReportOptions().output_format:
            parser.error(f"{_option(alone)} is text: no --output-format with it")
    if found.cache_dir is not None and found.cache_dir.exists() and not found.cache_dir.is_dir():
        parser.error(f"--cache-dir takes a folder: {found.cache_dir} is none")


def _check_fixes(found: argparse.Namespace, parser: argparse.ArgumentParser, *, describes: bool) -> None:
    """See that what is done with fixes goes together."""
    if describes:
        others = ("diff", "watch", "statistics", "write_baseline", "add_ignore", *_ALONE)
        given = next((one for one in others if getattr(found, one) not in (None, False)), None)
        if found.output_format != report.ReportOptions().output_format:
            given = "output_format"
        if given is not None or "-" in found.paths:
            parser.error(f"it describes fixes of files: no {_option(given) if given else '-'} with it")
    elif found.verify is not None and (not found.fix or found.watch or "-" in found.paths):
        parser.error("--verify goes with --fix, of files: not with --diff, --watch or standard input")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _is_code(path: str) -> bool:
    """Whether a path looks like a code or a prefix of ours, and is none that exists."""
    return path.startswith("OVH") and path[3:].isdecimal() and not os.path.lexists(path)


def _meant_command(word: str) -> str:
    """The command, or the option, that a path that does not exist looks like; "" if it looks like none."""
    if not word.replace("-", "").isalpha() or word == "-" or os.path.lexists(word):
        return ""
    from overhead_lint.cli.main import COMMANDS

    if word in _OPTIONS:
        return f"--{word}"
    return nearest(word, COMMANDS, cutoff=_ALIKE)


def _stdin(found: argparse.Namespace, parser: argparse.ArgumentParser) -> Path | None:
    """What to call the text on standard input; None where paths were given."""
    if "-" not in found.paths:
        if found.stdin_filename is not None:
            parser.error("--stdin-filename names the text on standard input: write - for PATH")
        return None
    if found.stdin_filename == "":
        parser.error("argument --stdin-filename: an empty path")
    if len(found.paths) > 1:
        parser.error("-, standard input, is checked alone: no other PATH with it")
    if (
        found.write_baseline
        or found.add_ignore is not None
        or found.show_files
        or found.watch
        or found.explain_heat
        or found.shard
    ):
        files = "--write-baseline, --add-ignore, --show-files, --explain-heat, --shard or --watch"
        parser.error(f"-, standard input: no {files} with it")
    return Path(found.stdin_filename or "-")


def _file(found: argparse.Namespace, paths: Sequence[Path]) -> SettingsFile | None:
    if found.isolated:
        return None
    if found.config is None:
        return find(paths)
    file = read(found.config)
    if file is None:
        raise SettingsError(f"{found.config}: has no table [tool.overhead-lint]")
    return file


def _shown(values: dict[str, Any], origins: dict[str, str]) -> str:
    """The settings as TOML, with comments that say where each comes from."""
    return "\n".join(
        f"# {key}: {origins[key]}" if value is None else f"{key} = {_toml(value)}  # {origins[key]}"
        for key, value in values.items()
    )


def _toml(value: Any) -> str:
    import json  # costs start-up

    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml(key)} = {_toml(value[key])}" for key in value) + "}"
    return json.dumps(value, ensure_ascii=False)
