/** How the server is started: which executable, and with what. Knows nothing of VS Code, so that it can be tested without. */
import { existsSync, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Surroundings {
  /** The setting `overheadLint.path`. */
  readonly configured: readonly string[];
  /** The Python that is selected for the workspace, if that is known. */
  readonly interpreter?: string | undefined;
  readonly workspaceFolder?: string | undefined;
  /** The environment variable PATH. */
  readonly searchPath: string;
  readonly platform: NodeJS.Platform;
}

/** Nothing that could be started: `tried` says what was looked for. */
export class NotFoundError extends Error {
  constructor(readonly tried: readonly string[]) {
    super(`no overhead-lint: looked for ${tried.join(", ")}`);
  }
}

/**
 * Return the command that starts the server.
 *
 * What is configured wins and is not guessed around: where none of it is there, that is an error.
 * @throws NotFoundError
 */
export function serverCommand(around: Surroundings): Command {
  const candidates =
    around.configured.length > 0 ? around.configured.map((one) => resolved(one, around)) : usual(around);
  const found = candidates.find(isFile);
  if (found === undefined) {
    throw new NotFoundError(candidates);
  }
  return { command: found, args: ["server"] };
}

/** The executable beside the interpreter, then those on PATH. */
function usual(around: Surroundings): string[] {
  const name = around.platform === "win32" ? "overhead-lint.exe" : "overhead-lint";
  const separator = around.platform === "win32" ? ";" : ":";
  const beside = around.interpreter === undefined ? [] : [path.dirname(around.interpreter)];
  const folders = [...beside, ...around.searchPath.split(separator).filter((folder) => folder !== "")];
  return folders.map((folder) => path.join(folder, name));
}

function resolved(configured: string, around: Surroundings): string {
  const home = configured.replace(/^~(?=[/\\]|$)/, homedir());
  return home.replaceAll("${workspaceFolder}", around.workspaceFolder ?? ".");
}

function isFile(candidate: string): boolean {
  return existsSync(candidate) && statSync(candidate).isFile();
}
