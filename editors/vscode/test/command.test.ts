/** Which server is started. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";

import { NotFoundError, serverCommand, type Surroundings } from "../src/command";

const NAME = "overhead-lint";

function folders(...names: string[]): string[] {
  const root = mkdtempSync(path.join(tmpdir(), "overhead-"));
  return names.map((name) => {
    const folder = path.join(root, name);
    mkdirSync(folder);
    writeFileSync(path.join(folder, NAME), "");
    return folder;
  });
}

function around(given: Partial<Surroundings>): Surroundings {
  return { configured: [], searchPath: "", platform: "linux", ...given };
}

test("the server beside the selected interpreter wins over the one on PATH", () => {
  const [environment, elsewhere] = folders("environment", "elsewhere") as [string, string];
  const found = serverCommand(around({ interpreter: path.join(environment, "python"), searchPath: elsewhere }));
  assert.deepEqual(found, { command: path.join(environment, NAME), args: ["server"] });
});

test("an interpreter without one leaves it to PATH, in its order", () => {
  const [first, second] = folders("first", "second") as [string, string];
  const found = serverCommand(around({ interpreter: "/nowhere/python", searchPath: `/none:${first}:${second}` }));
  assert.equal(found.command, path.join(first, NAME));
});

test("what is configured wins, with the workspace's folder put in", () => {
  const [environment, workspace] = folders("environment", "workspace") as [string, string];
  const found = serverCommand(
    around({
      configured: ["${workspaceFolder}/none", `\${workspaceFolder}/${NAME}`],
      interpreter: path.join(environment, "python"),
      workspaceFolder: workspace,
    }),
  );
  assert.equal(found.command, path.join(workspace, NAME));
});

test("what is configured and is not there is an error that names it, and nothing else is started", () => {
  const [elsewhere] = folders("elsewhere") as [string];
  assert.throws(
    () => serverCommand(around({ configured: ["~/no-such-server"], searchPath: elsewhere })),
    (error) => error instanceof NotFoundError && error.tried[0] === `${homedir()}/no-such-server`,
  );
});

test("a folder of that name is no server", () => {
  const [folder] = folders("folder") as [string];
  assert.throws(() => serverCommand(around({ configured: [folder] })), NotFoundError);
});

test("on Windows it is an .exe, and PATH has semicolons", () => {
  const [first, second] = folders("first", "second") as [string, string];
  writeFileSync(path.join(second, `${NAME}.exe`), "");
  const found = serverCommand(around({ searchPath: `${first};${second}`, platform: "win32" }));
  assert.equal(found.command, path.join(second, `${NAME}.exe`));
});
