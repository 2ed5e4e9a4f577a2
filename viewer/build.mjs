// Bundles one page into one script and one style sheet: node build.mjs PAGE FOLDER
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [page, folder] = process.argv.slice(2);
if (!page || !folder) {
  console.error("usage: node build.mjs PAGE FOLDER");
  process.exit(2);
}
// what others wrote keeps its licence in the page
const others = { report: ["uPlot"], view: ["uPlot", "three"] }[page] ?? ["uPlot", "three"];
const licence = (name) => readFileSync(new URL(`node_modules/${name.toLowerCase()}/LICENSE`, import.meta.url), "utf8").trim();
await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: [`src/${page}.ts`],
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  banner: { js: others.map((name) => `/* ${name}:\n${licence(name)}\n*/`).join("\n") },
  logLevel: "warning",
});
