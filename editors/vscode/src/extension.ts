/** Starts the language server for Python documents, and has the commands of the palette. */
import * as vscode from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";

import { NotFoundError, serverCommand } from "./command";
import { DOCUMENTS, FIX_ALL, initializationOptions } from "./options";

const SECTION = "overheadLint";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;
/** Starts and stops one after another, however fast settings change. */
let turn: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("overhead-lint", { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand(`${SECTION}.restart`, restart),
    vscode.commands.registerCommand(`${SECTION}.fixAll`, fixAll),
    vscode.commands.registerCommand(`${SECTION}.showLog`, () => log.show()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const asks = ["enable", "path", "project"].some((key) => change.affectsConfiguration(`${SECTION}.${key}`));
      return asks ? restart() : undefined;
    }),
    ...(await watchInterpreter()),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await inTurn(stop);
}

function restart(): Promise<void> {
  return inTurn(async () => {
    await stop();
    await start();
  });
}

function inTurn(work: () => Promise<void>): Promise<void> {
  turn = turn.then(work, work);
  return turn;
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  if (!settings.get<boolean>("enable", true)) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0];
  try {
    const found = serverCommand({
      configured: settings.get<string[]>("path", []),
      interpreter: await interpreter(folder?.uri),
      workspaceFolder: folder?.uri.fsPath,
      searchPath: process.env["PATH"] ?? "",
      platform: process.platform,
    });
    log.info(`starting ${found.command} ${found.args.join(" ")}`);
    const server: ServerOptions = { command: found.command, args: [...found.args] };
    client = new LanguageClient(SECTION, "overhead-lint", server, {
      documentSelector: DOCUMENTS,
      initializationOptions: initializationOptions(settings.get<boolean>("project", true)),
      outputChannel: log,
    });
    await client.start();
  } catch (error) {
    await failed(error);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  // A server that never came up cannot be stopped, and has said why.
  await running?.dispose().catch((error: unknown) => log.warn(String(error)));
}

async function failed(error: unknown): Promise<void> {
  log.error(String(error));
  const why =
    error instanceof NotFoundError
      ? 'overhead-lint was not found. Install it where your Python is: pip install "overhead-lint[lsp]"'
      : "overhead-lint did not start";
  const chosen = await vscode.window.showErrorMessage(why, "Show the log", "Settings");
  if (chosen === "Show the log") {
    log.show();
  } else if (chosen === "Settings") {
    await vscode.commands.executeCommand("workbench.action.openSettings", SECTION);
  }
}

async function fixAll(): Promise<void> {
  await vscode.commands.executeCommand("editor.action.codeAction", { kind: FIX_ALL, apply: "first" });
}

/** The part of the Python extension's API that is used here. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: {
      readonly path: string;
    }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** The Python extension's API; none where it is not installed, or is another extension of that name. */
async function python(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  const api = extension?.isActive ? extension.exports : await extension?.activate();
  return api?.environments === undefined ? undefined : api;
}

async function interpreter(resource: vscode.Uri | undefined): Promise<string | undefined> {
  const environments = (await python())?.environments;
  const active = environments?.getActiveEnvironmentPath(resource);
  const found = active && (await environments?.resolveEnvironment(active));
  return found?.executable.uri?.fsPath;
}

async function watchInterpreter(): Promise<vscode.Disposable[]> {
  const changed = (await python())?.environments.onDidChangeActiveEnvironmentPath;
  return changed === undefined ? [] : [changed(() => void restart())];
}
