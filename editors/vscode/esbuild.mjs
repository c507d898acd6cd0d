// Bundles the extension into dist/extension.js; with --tests also each test into dist/test/.
import { readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const options = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  minify: process.argv.includes("--minify"),
  logLevel: "warning",
};

rmSync("dist", { recursive: true, force: true });
await build({ ...options, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js" });
if (process.argv.includes("--tests")) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...options, entryPoints: tests.map((name) => `test/${name}`), outdir: "dist/test", sourcemap: "inline" });
}
