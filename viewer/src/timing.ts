// Where the wall time went: one bar per run, phase by phase.
import { run_label, type Run } from "./data";
import { h, number_cell, section, table } from "./dom";
import { duration, percent, show, with_unit } from "./numbers";

interface Phase {
  name: string;
  seconds: number;
}

function phases_of(run: Run): Phase[] {
  const times = run.summary?.wall_time_s ?? {};
  const phases = Object.entries(times)
    .filter(([name, seconds]) => name !== "total" && seconds !== null)
    .map(([name, seconds]) => ({ name, seconds: seconds! }));
  const rest = (times["total"] ?? 0) - phases.reduce((sum, phase) => sum + phase.seconds, 0);
  if (rest > 0) phases.push({ name: "gauges, files and the rest", seconds: rest });
  return phases;
}

function bar(phases: Phase[], longest: number, label: HTMLElement | null): HTMLElement {
  const total = phases.reduce((sum, phase) => sum + phase.seconds, 0);
  const pieces = phases.map(({ name, seconds }, index) => {
    const share = total > 0 ? seconds / total : 0;
    const text = share > 0.12 ? `${name} ${percent(share, 2)}` : "";
    return h("span", { class: `phase${index % 8}`, style: `flex-grow:${share}`, title: `${name}: ${duration(seconds)}` }, text);
  });
  const width = longest > 0 ? (100 * total) / longest : 100;
  return h("div", { class: "timing" }, label, h("div", { class: "bar", style: `width:${width}%` }, ...pieces));
}

export function timing(runs: Run[]): HTMLElement | null {
  const timed = runs.map(phases_of);
  if (timed.every((phases) => phases.length === 0)) return null;
  const several = runs.length > 1;
  const total = (phases: Phase[]): number => phases.reduce((sum, phase) => sum + phase.seconds, 0);
  const longest = Math.max(...timed.map(total));
  const names = [...new Set(timed.flatMap((phases) => phases.map((phase) => phase.name)))];
  const rows = names.map((name) => [
    name,
    ...timed.flatMap((phases, index) => {
      const seconds = phases.find((phase) => phase.name === name)?.seconds ?? null;
      const steps = runs[index]!.summary?.steps ?? 0;
      return [
        number_cell(duration(seconds)),
        number_cell(percent(seconds === null || total(phases) === 0 ? null : seconds / total(phases), 2)),
        number_cell(with_unit(seconds === null || steps === 0 ? null : (1e3 * seconds) / steps, "ms", 3)),
      ];
    }),
  ]);
  const heads = runs.flatMap((_, index) => ["time", "share", "per step"].map((text) => (several ? `${run_label(index)}: ${text}` : text)));
  const sums = runs.map((run, index) => `${several ? run_label(index) + ": " : ""}${duration(total(timed[index]!))} for ${show(run.summary?.steps)} steps`);
  return section(
    "timing",
    "Wall time",
    h("p", { class: "note" }, sums.join("; ")),
    ...timed.map((phases, index) =>
      bar(phases, longest, several ? h("span", { class: `letter run${index}` }, run_label(index)) : null),
    ),
    table(["phase", ...heads], rows),
  );
}
