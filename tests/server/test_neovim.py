"""The language server in an editor as people have it: Neovim without a window, where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .test_server import FIXED, HOT

NEOVIM = shutil.which("nvim")

# Opens train.py, takes the first quick fix, and writes what was shown to the file named in SHOWN.
SCRIPT = """
local shown = {}
vim.cmd("edit train.py")
local id = (vim.lsp.start_client or vim.lsp.start)({ name = "overhead_lint", root_dir = vim.fn.getcwd(),
  cmd = { vim.env.PYTHON, "-m", "overhead_lint", "server" },
  on_exit = function(status) shown.status = status end })
vim.lsp.buf_attach_client(0, id)
local document = { uri = vim.uri_from_bufnr(0) }

local function codes()
  return vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0))
end

local function ask(method, parameters)
  parameters.textDocument = document
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 20000) or {}
  return (answers[id] or {}).result
end

vim.wait(30000, function() return #codes() > 0 end, 20)
shown.before = codes()
local found = vim.diagnostic.get(0)[1]
local place = { line = found.lnum, character = found.col }
shown.hover = ask("textDocument/hover", { position = place }).contents.value
local range = { start = place, ["end"] = place }
local actions = ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })
shown.actions = vim.tbl_map(function(one) return one.title end, actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
shown.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n") .. "\\n"
vim.wait(30000, function() return #codes() < #shown.before end, 20)
shown.after = codes()
vim.lsp.stop_client(id)
vim.wait(20000, function() return shown.status ~= nil end, 20)
vim.fn.writefile({ vim.fn.json_encode(shown) }, vim.env.SHOWN)
vim.cmd("qa!")
"""


@pytest.fixture
def shown(tmp_path: Path) -> dict[str, Any]:
    """What the editor showed."""
    if NEOVIM is None:
        pytest.skip("no nvim on PATH")
    project = tmp_path / "a project"
    project.mkdir()
    (project / "overhead-lint.toml").touch()
    (project / "train.py").write_text(HOT)
    (tmp_path / "show.lua").write_text(SCRIPT)
    environment = {
        "HOME": str(tmp_path),
        "PATH": "/usr/bin:/bin",
        "PYTHON": sys.executable,
        "SHOWN": str(tmp_path / "shown.json"),
    }
    command = [NEOVIM, "--headless", "-u", "NONE", "-c", f"luafile {tmp_path / 'show.lua'}"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120)
    written = tmp_path / "shown.json"
    assert written.exists(), done.stderr
    told: dict[str, Any] = json.loads(written.read_text())
    return told


def test_neovim_shows_findings_and_applies_their_fixes(shown: dict[str, Any]) -> None:
    assert shown["before"] == ["OVH101"]
    assert shown["hover"].startswith("# OVH101 autocast-per-step")
    assert shown["actions"][:2] == ["OVH101: use runtime.autocast", "OVH101: ignore it here"]
    assert shown["text"] == FIXED
    assert shown["after"] == []
    assert shown["status"] == 0
