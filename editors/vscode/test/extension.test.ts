/** The bundle loads in an editor, and has the commands that its package offers. The editor is a stand-in. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as path from "node:path";
import { test } from "node:test";

const root = path.join(__dirname, "..", "..");
const load = createRequire(__filename);
const Module = load("node:module") as { _load: (request: string, ...rest: unknown[]) => unknown };

/** Stands for whatever of the editor's API is named: a class, a function, an object. */
function anything(): unknown {
  return new Proxy(class {}, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : typeof key === "symbol" ? undefined : anything()),
    apply: () => undefined,
  });
}

test("it registers the commands of its package, and starts nothing where it is switched off", async () => {
  const registered: string[] = [];
  const disposable = { dispose: () => undefined };
  const vscode = {
    window: { createOutputChannel: () => disposable },
    commands: { registerCommand: (name: string) => (registered.push(name), disposable) },
    workspace: {
      onDidChangeConfiguration: () => disposable,
      getConfiguration: () => ({ get: (key: string, usual: unknown) => (key === "enable" ? false : usual) }),
    },
    extensions: { getExtension: () => undefined },
  };
  const editor = new Proxy(vscode, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : anything()),
  });
  const original = Module._load;
  Module._load = (request, ...rest) => (request === "vscode" ? editor : original(request, ...rest));
  try {
    const extension = load(path.join(root, "dist", "extension.js")) as {
      activate(context: { subscriptions: unknown[] }): Promise<void>;
      deactivate(): Promise<void>;
    };
    const context = { subscriptions: [] as unknown[] };
    await extension.activate(context);
    await extension.deactivate();
    const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
      contributes: { commands: { command: string }[] };
    };
    assert.deepEqual(registered.sort(), manifest.contributes.commands.map((one) => one.command).sort());
    assert.equal(context.subscriptions.length, registered.length + 2);
  } finally {
    Module._load = original;
  }
});
