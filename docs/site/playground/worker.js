// Runs the linter away from the page's own thread. Everything is loaded from the folder of this file.
import { loadPyodide } from "./pyodide.mjs";

const started = start();

async function start() {
  const base = new URL(".", import.meta.url).href;
  const [python, archive] = await Promise.all([loadPyodide({ indexURL: base }), fetched("linter.zip")]);
  python.unpackArchive(archive, "zip", { extractDir: "/linter" });
  python.FS.mkdir("/checked");
  python.runPython("import sys; sys.path.insert(0, '/linter')");
  return python.pyimport("playground_check");
}

async function fetched(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) {
    throw new Error(`${name}: ${answer.status}`);
  }
  return answer.arrayBuffer();
}

self.onmessage = async ({ data: { number, text, unsafe, runtime } }) => {
  try {
    const checker = await started;
    const found = checker.check.callKwargs(text, "/checked", { unsafe, runtime });
    self.postMessage({ number, found: JSON.parse(found) });
  } catch (error) {
    self.postMessage({ number, error: String(error) });
  }
};
