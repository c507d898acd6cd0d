/** What the client tells the server, and which documents it gives to it. */

/** The languages and schemes of documents that the server checks, notebooks' cells among them. */
export const DOCUMENTS = [
  { scheme: "file", language: "python" },
  { scheme: "untitled", language: "python" },
  { scheme: "vscode-notebook-cell", language: "python" },
];

/** The kind of code action that applies all safe fixes. */
export const FIX_ALL = "source.fixAll.overheadLint";

export interface InitializationOptions {
  readonly project: boolean;
}

/** Return what `initialize` carries. */
export function initializationOptions(project: boolean): InitializationOptions {
  return { project };
}
