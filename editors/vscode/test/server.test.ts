/** The real language server over standard input and output, told what the extension tells it. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

import {
  CodeActionRequest,
  type CodeAction,
  createProtocolConnection,
  type Diagnostic,
  DidOpenTextDocumentNotification,
  ExitNotification,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

import { serverCommand } from "../src/command";
import { FIX_ALL, initializationOptions } from "../src/options";

const TEXT = `import torch


def train(model, loader, optimizer, weight: torch.Tensor):
    for batch in loader:
        loss = model(batch) + torch.zeros(8).to(weight.device)
        loss.backward()
        optimizer.step()
        print(loss.item())
`;

let server: ChildProcess;
let connection: ProtocolConnection;
let uri: string;
let diagnostics: Diagnostic[];

before(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "overhead-"));
  const file = path.join(folder, "train.py");
  writeFileSync(file, TEXT);
  uri = pathToFileURL(file).href;
  const found = serverCommand({
    configured: process.env["OVERHEAD_LINT"] ? [process.env["OVERHEAD_LINT"]] : [],
    searchPath: process.env["PATH"] ?? "",
    platform: process.platform,
  });
  server = spawn(found.command, found.args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  assert(server.stdout && server.stdin);
  connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities: { textDocument: { publishDiagnostics: { codeDescriptionSupport: true } } },
    initializationOptions: initializationOptions(true),
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const published = new Promise<Diagnostic[]>((resolve) => {
    connection.onNotification(PublishDiagnosticsNotification.type, (told) => resolve(told.diagnostics));
  });
  await connection.sendNotification(DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "python", version: 1, text: TEXT },
  });
  diagnostics = await published;
});

after(() => {
  server.kill();
});

function actions(only?: string[]): Promise<CodeAction[]> {
  const range = { start: { line: 5, character: 0 }, end: { line: 5, character: 0 } };
  const context = { diagnostics, ...(only && { only }) };
  return connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range,
    context,
  }) as Promise<CodeAction[]>;
}

test("findings are diagnostics, at their lines", () => {
  const found = diagnostics.map((one) => `${one.range.start.line + 1} ${one.code}`);
  assert.deepEqual(found.sort(), ["6 OVH701", "9 OVH404"]);
});

test("all safe fixes come under the kind that the command asks for", async () => {
  const [fixAll] = await actions([FIX_ALL]);
  assert.equal(fixAll?.kind, FIX_ALL);
  assert.match(JSON.stringify(fixAll?.edit), /torch\.zeros\(8, device=weight\.device\)/);
});

test("a finding has its fix and a comment that silences it", async () => {
  const titles = (await actions(["quickfix"])).map((one) => one.title).join("\n");
  assert.match(titles, /OVH701/);
  assert.match(titles, /ignore/i);
});

test("hovering shows the page of the rule", async () => {
  const start = diagnostics.find((one) => one.code === "OVH701")?.range.start;
  assert(start);
  const shown = (await connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: start })) as Hover;
  assert.match(JSON.stringify(shown.contents), /factory-then-to/);
});

test("the server ends with status 0 when it is told to", async () => {
  await connection.sendRequest(ShutdownRequest.type);
  const ended = once(server, "exit");
  await connection.sendNotification(ExitNotification.type);
  assert.deepEqual((await ended)[0], 0);
});
