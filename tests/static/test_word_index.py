"""All words of records: a name that none has asks no record, and one that any has is not overlooked."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest

from overhead_lint.cache.entry import Entry
from overhead_lint.cache.folder import FOLDER
from overhead_lint.cache.records import Record, compressed, parts_of, to_bytes
from overhead_lint.cache.store import Cache
from overhead_lint.cache.word_index import WordIndex
from overhead_lint.cli import main as cli
from overhead_lint.project.cross_file import Dependencies
from overhead_lint.project.graph.resolved import kept_mentions
from overhead_lint.support import blobs


def _entry(state: bytes) -> Entry:
    return Entry(1, 1, b"content", "", state, 1, False, b"")


def _record(*texts: object) -> bytes:
    """A record that says some texts, in all of its parts and in several orders."""
    dependencies = Dependencies(tuple(map(str, texts[2:4])))
    return to_bytes(
        Record(
            compressed(texts),
            compressed(texts[::-1]),
            compressed((1, texts, None)),
            dependencies,
            b"",
            None,
            {},
            {},
            (),
            {},
        )
    )


def _written(file: Path, records: dict[str, bytes]) -> dict[str, Entry]:
    entries = {name: _entry(b"state") for name in records}
    of = {id(entry): records[name] for name, entry in entries.items()}
    WordIndex(file).renew(entries, lambda entry: of[id(entry)])
    return entries


def test_a_name_that_no_record_has_asks_none(tmp_path: Path) -> None:
    entries = _written(tmp_path / "words", {"a.py": _record("pkg.mod.run", "x"), "b.py": _record("runner")})
    mentioned = WordIndex(tmp_path / "words")
    assert not list(mentioned.that_may({"other", "nner", "run_"}, entries))
    assert list(mentioned.that_may({"other", "run"}, entries)) == ["a.py", "b.py"]
    assert list(mentioned.that_may({"mod"}, entries)) == ["a.py", "b.py"]
    assert list(mentioned.that_may({"größe"}, entries)) == ["a.py", "b.py"]


def test_files_that_say_something_else_now_are_asked_themselves(tmp_path: Path) -> None:
    entries = _written(tmp_path / "words", {"a.py": _record("x"), "b.py": _record("y")})
    entries["b.py"] = _entry(b"new state")
    entries["c.py"] = _entry(b"state")
    assert list(WordIndex(tmp_path / "words").that_may({"other"}, entries)) == ["b.py", "c.py"]


@pytest.mark.parametrize("content", [b"", b"rubbish", None])
def test_all_are_asked_if_the_words_are_broken(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "words"
    entries = _written(file, {"a.py": _record("x"), "b.py": _record("y")})
    file.write_bytes(file.read_bytes()[:-1] if content is None else content)
    assert list(WordIndex(file).that_may({"other"}, entries)) == ["a.py", "b.py"]


def test_the_words_are_written_anew_when_many_files_say_something_else(tmp_path: Path) -> None:
    file = tmp_path / "words"
    entries = _written(file, {f"{number}.py": _record("x") for number in range(20)})
    first = file.read_bytes()
    asked: list[Entry] = []

    def record(entry: Entry) -> bytes:
        asked.append(entry)
        return _record("z")

    for number in range(3):
        entries[f"{number}.py"] = _entry(b"new state")
        WordIndex(file).renew(entries, record)
        assert (len(asked), file.read_bytes() == first) == ((0, True) if number < 2 else (20, False))
    assert list(WordIndex(file).that_may({"z"}, entries)) == list(entries)
    assert not list(WordIndex(file).that_may({"x"}, entries))


def test_no_name_that_a_record_has_is_overlooked(tmp_path: Path) -> None:
    """What the records say is told from how they are written, of which any part may look like a word."""
    chance = random.Random(3)
    letters = string.ascii_letters + string.digits + "_"
    for number in range(60):
        names = {"".join(chance.choices(letters, k=chance.randint(1, 9))) for _ in range(12)}
        names = {f"n{name}" for name in names}
        texts = [
            "é" * chance.randint(0, 1) + ".".join(chance.choices(sorted(names), k=chance.randint(1, 40)))
            for _ in range(12)
        ]
        texts += ["x" * chance.randint(0, 300) + f".{name}" for name in names]
        record = _record(*texts, chance.randint(-9, 10**12), (None, True, *names), b"bytes")
        file = tmp_path / str(number)
        entries = _written(file, {"a.py": record})
        mentioned = WordIndex(file)
        for name in names:
            assert kept_mentions({name}, parts_of(record).texts())
            assert list(mentioned.that_may({name, "other"}, entries)) == ["a.py"]


def test_an_added_function_asks_only_the_record_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(30):
        (tmp_path / f"f{number}.py").write_text(f"def g{number}(x):\n    return used(x)\n")
    (tmp_path / "f1.py").write_text("def g1(x):\n    return x\n")
    (tmp_path / "user.py").write_text("from f1 import shown\nfor batch in loader:\n    shown(batch)\n")
    monkeypatch.chdir(tmp_path)
    read: list[int] = []
    real = Cache.record

    def spy(self: Cache, entry: Entry) -> bytes:
        read.append(entry.offset)
        return real(self, entry)

    def edited(added: str) -> int:
        cli.main(["--isolated", "."])
        with (tmp_path / "f1.py").open("a") as file:
            file.write(f"\n\ndef {added}(x):\n    return x\n")
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr(Cache, "record", spy)
            read.clear()
            cli.main(["--isolated", "."])
        with_cache = capsys.readouterr().out
        cli.main(["--isolated", "--no-cache", "."])
        assert capsys.readouterr().out == with_cache
        return len(set(read))

    assert edited("new") == 1
    assert edited("another") == 1
    assert edited("used") > 20  # others say that: each of them is asked whether it is a name
    assert edited("shown") > 20  # that leads heat to it
    assert blobs.get(next((tmp_path / FOLDER).glob("*.words")))
