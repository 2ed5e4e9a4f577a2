// Where the numbers come from, and what the user saw.
import { run_label, type Run } from "./data";
import { h, section, table, type Cell } from "./dom";
import { absent, show } from "./numbers";

function entries(run: Run): [string, string][] {
  const origin = run.provenance;
  return [
    ["Talus", origin.version],
    ["build", origin.build],
    ["command", origin.command],
    ["seed", origin.seed],
    ["started", origin.started],
    ["resumed", origin.resumed.length > 0 ? origin.resumed.join("\n") : "never"],
    ["processor", origin.cpu],
    ["cores", show(origin.cores)],
    ["threads", show(origin.threads)],
    ["solver", run.summary?.solver?.name ?? absent],
    ["same bits each time", run.summary?.reproducible === undefined ? absent : run.summary.reproducible ? "yes" : "no"],
    ["state hash", run.summary?.state_hash ?? absent],
    ["frames", show(run.frames)],
    ["lines of the series", show(run.series.lines)],
    ["dimension", String(run.dimension)],
  ];
}

export function provenance(runs: Run[]): HTMLElement {
  const lists = runs.map(entries);
  const rows = lists[0]!.map(([name], index) => {
    const texts = lists.map((list) => list[index]![1]);
    const differs = new Set(texts).size > 1;
    return [differs ? `${name} ≠` : name, ...texts.map((text): Cell => ({ text, kind: differs ? "marked" : "text" }))];
  });
  const heads = runs.map((run, index) => (runs.length > 1 ? `${run_label(index)}: ${run.folder}` : run.folder));
  return section("provenance", "Provenance", table(["", ...heads], rows));
}

export function log(runs: Run[]): HTMLElement | null {
  const kept = runs.filter((run) => run.log.trim() !== "");
  if (kept.length === 0) return null;
  const folded = kept.map((run) =>
    h("details", {}, h("summary", {}, `log.txt of ${run.folder}`), h("pre", { class: "listing wrapped", tabindex: "0" }, run.log)),
  );
  return section("log", "Log", ...folded);
}
