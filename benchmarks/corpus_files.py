"""Downloads and unpacks the wheels, and the repositories at commits, that the corpus is made of."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "EVALUATION",
    "REQUIREMENTS",
    "CorpusError",
    "Package",
    "download",
    "parts",
    "requirements",
    "unpack",
]

EVALUATION = Path(__file__).parent.parent / "evaluation"
REQUIREMENTS = EVALUATION / "corpus.txt"

# One fixed target, so that every machine gets the wheels whose hashes are pinned.
TARGET = (
    "--python-version=3.12",
    "--implementation=cp",
    "--abi=cp312",
    "--abi=abi3",
    "--abi=none",
    "--platform=manylinux_2_28_x86_64",
    "--platform=manylinux_2_24_x86_64",
    "--platform=manylinux1_x86_64",
    "--platform=any",
)
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.]+)\s+--hash=sha256:[0-9a-f]{64}")
REPOSITORY = re.compile(r"(?P<owner>[\w-]+)/(?P<name>[\w.-]+)@(?P<commit>[0-9a-f]{40})")
"""A repository on GitHub at a commit, for programs that are no distributions."""
_READ = re.compile(
    r".*(\.(py|cfg|json|sh|toml|yaml|yml)|(^|/)requirements[^/]*\.txt|/requirements/[^/]*\.txt)"
)
"""Names of what the linter reads."""
_PART = re.compile(r"^# Set (\w+):", re.MULTILINE)


class CorpusError(RuntimeError):
    """The corpus cannot be had or read; the message is one line for the user."""


class Package(NamedTuple):
    """A pinned distribution, or a repository at a commit.

    Attributes:
        name: of the distribution or the repository.
        version: of a distribution, or the commit.
        owner: of a repository; "" for a distribution.
    """

    name: str
    version: str
    owner: str = ""

    @property
    def folder(self) -> str:
        """Name of the folder that it is unpacked into."""
        return f"{self.name}-{self.version}"


def requirements(path: Path = REQUIREMENTS, part: str = "") -> list[Package]:
    """The pinned packages of a requirements file with hashes, in its order.

    Args:
        path: the file.
        part: of the file, below ``# Set A: ...``; all of it if "".

    Raises:
        CorpusError: a line that is neither ``name==version --hash=sha256:...`` nor ``owner/name@commit``.
    """
    packages = []
    for number, line in _pinned(path, part):
        if match := REQUIREMENT.fullmatch(line.strip()):
            packages.append(Package(match["name"], match["version"]))
        elif match := REPOSITORY.fullmatch(line.strip()):
            packages.append(Package(match["name"], match["commit"], match["owner"]))
        else:
            raise CorpusError(
                f"{path}:{number}: expected name==version --hash=sha256:... or owner/name@commit"
            )
    return packages


def parts(path: Path) -> list[str]:
    """Names of the parts of a requirements file, in its order and in lower case."""
    return [name.lower() for name in _PART.findall(path.read_text(encoding="utf-8"))]


def _pinned(path: Path, part: str) -> Iterator[tuple[int, str]]:
    """The lines of a part that pin packages, with their numbers."""
    current = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        heading = _PART.match(line)
        current = heading[1].lower() if heading else current
        if line.strip() and not line.startswith("#") and part in ("", current):
            yield number, line


def download(wheels: Path, requirement_file: Path = REQUIREMENTS, part: str = "") -> None:
    """Put the pinned wheels and archives of repositories into a folder; what lies there is kept.

    A wheel that lies there must have the right hash; what an archive holds is named by its commit.

    Args:
        wheels: the folder.
        requirement_file: what pins them.
        part: of the file, as in `requirements`.

    Raises:
        CorpusError: pip or GitHub failed; the last line says why.
    """
    wheels.mkdir(parents=True, exist_ok=True)
    for package in requirements(requirement_file, part):
        if package.owner:
            _download_archive(package, _archive(package, wheels))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary=:all:", "--require-hashes", *TARGET]
    command += ["--find-links", str(wheels), "--dest", str(wheels)]
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / requirement_file.name
        lines = [line for _, line in _pinned(requirement_file, part) if REQUIREMENT.fullmatch(line.strip())]
        pinned.write_text("\n".join(lines), encoding="utf-8")
        command += ["--requirement", str(pinned)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR") and line != "ERROR: Exception:"]
        raise CorpusError(f"pip download failed: {(errors or lines or ['no reason given'])[-1]}")


def _archive(package: Package, wheels: Path) -> Path:
    """Where the archive of a repository lies beside wheels."""
    return wheels / "repositories" / f"{package.owner}+{package.name}-{package.version}.zip"


def _download_archive(package: Package, archive: Path) -> None:
    """Fetch a repository at a commit from GitHub, if it does not lie there."""
    if archive.exists():
        return
    address = f"https://github.com/{package.owner}/{package.name}/archive/{package.version}.zip"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            content = answer.read()
    except (urllib.error.URLError, OSError) as error:
        raise CorpusError(f"{address}: {error}") from error
    archive.parent.mkdir(parents=True, exist_ok=True)
    aside = archive.with_suffix(".part")
    aside.write_bytes(content)
    aside.replace(archive)


def unpack(package: Package, wheels: Path, target: Path) -> Path:
    """Unpack the Python files of a package's wheel or archive, and the settings files, once.

    Args:
        package: the package, whose wheel or archive lies in `wheels`.
        wheels: folder that `download` filled.
        target: folder to unpack into.

    Returns:
        ``target/name-version``.

    Raises:
        CorpusError: there is not exactly one wheel or archive of it, or it is no zip file.
    """
    folder = target / package.folder
    if folder.is_dir():
        return folder
    packed = _archive(package, wheels) if package.owner else _wheel(package, wheels)
    target.mkdir(parents=True, exist_ok=True)
    # Unpacked aside and renamed, so that an interrupted run leaves no half package behind.
    aside = Path(tempfile.mkdtemp(dir=target, prefix=".unpack-"))
    try:
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(aside, [name for name in archive.namelist() if _READ.fullmatch(name)])
        aside.chmod(0o755)
        # All of an archive of a repository lies in one folder, which is no part of the repository.
        unpacked = aside / f"{package.name}-{package.version}" if package.owner else aside
        unpacked.rename(folder)
    except (zipfile.BadZipFile, FileNotFoundError) as error:
        raise CorpusError(f"{packed}: {error}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return folder


def _wheel(package: Package, wheels: Path) -> Path:
    """The only wheel of a distribution in a folder."""
    stem = package.name.replace("-", "_")
    found = sorted(wheels.glob(f"{stem}-{package.version}-*.whl"))
    if len(found) != 1:
        raise CorpusError(f"{wheels}: {len(found)} wheels of {package.name} {package.version}, expected one")
    return found[0]
