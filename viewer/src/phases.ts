// The phases of a track's operations, as soft bands behind every plot against time.
import type uPlot from "uplot";
import { run_label, type Operation, type Run, type Value } from "./data";
import { h } from "./dom";
import { words_of } from "./names";

export interface Band {
  name: string;
  from: number; // [s]
  until: number; // [s]
}

// Places in the palette of the series.
const colours: Record<string, number> = { lift: 2, penetration: 1, squeeze: 5, hold: 4, withdrawal: 6, travel: 7, train: 3, "lateral push": 0, stabilisation: 4 };
const colour_of = (name: string): number => colours[name] ?? 7;

function band(name: string, from: Value | undefined, until: Value | undefined): Band[] {
  return from != null && until != null && until > from ? [{ name: words_of(name), from, until }] : [];
}

// An operation without phases is one.
function bands_of_operation({ type, from_s, until_s, phases }: Operation): Band[] {
  const parts = (phases ?? []).flatMap((phase) => band(phase.name, phase.from_s, phase.until_s));
  return parts.length > 0 ? parts : band(type, from_s, until_s);
}

// Where operations go on at the same time, the longest is shown.
function bands_of(run: Run): Band[] {
  const all = (run.summary?.track?.operations ?? []).map(bands_of_operation).filter((bands) => bands.length > 0);
  const from = (bands: Band[]): number => bands[0]!.from;
  const until = (bands: Band[]): number => bands.at(-1)!.until;
  const kept: Band[][] = [];
  for (const bands of all.sort((a, b) => until(b) - from(b) - (until(a) - from(a)))) {
    const is_free = kept.every((other) => until(bands) <= from(other) + 1e-9 || from(bands) >= until(other) - 1e-9);
    if (is_free) kept.push(bands);
  }
  return kept.flat().sort((a, b) => a.from - b.from);
}

// What a run was at: the name of a phase, or of an operation without; nothing before the first has begun.
export function phase_at(run: Run, time: number): string | null {
  return bands_of(run).find(({ from, until }) => Math.max(from, 1e-9) <= time && time < until)?.name ?? null;
}

const alike = (a: Band[], b: Band[]): boolean =>
  a.length === b.length && a.every((one, k) => one.name === b[k]!.name && Math.abs(one.from - b[k]!.from) + Math.abs(one.until - b[k]!.until) < 1e-6);

export interface Shading {
  bands: Band[];
  of_run: number | null; // whose they are where runs differ
}

export function shading_of(runs: Run[]): Shading {
  const all = runs.map(bands_of);
  const first = all.findIndex((bands) => bands.length > 0);
  if (first < 0) return { bands: [], of_run: null };
  return { bands: all[first]!, of_run: all.every((bands) => alike(bands, all[first]!)) ? null : first };
}

export function shading_legend({ bands, of_run }: Shading): HTMLElement | null {
  if (bands.length === 0) return null;
  const names = [...new Set(bands.map(({ name }) => name))];
  return h(
    "p",
    { class: "phases" },
    of_run === null ? null : `Phases of ${run_label(of_run)}: `,
    ...names.map((name) => h("span", { "data-phase": name }, h("i", { style: `background: color-mix(in srgb, var(--series${colour_of(name)}) 30%, transparent)` }), name)),
  );
}

// Behind the curves; named above the plot where there is room.
export function shade(plot: uPlot, bands: Band[]): void {
  const { ctx, bbox } = plot;
  const style = getComputedStyle(document.documentElement);
  const css = (name: string): string => style.getPropertyValue(name).trim();
  const ratio = window.devicePixelRatio;
  ctx.save();
  ctx.font = `${10 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  for (const { name, from, until } of bands) {
    const left = Math.max(plot.valToPos(from, "x", true), bbox.left);
    const right = Math.min(plot.valToPos(until, "x", true), bbox.left + bbox.width);
    if (right <= left) continue;
    ctx.globalAlpha = 0.12;
    ctx.fillStyle = css(`--series${colour_of(name)}`);
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillStyle = css("--muted");
    if (ctx.measureText(name).width < right - left - 4 * ratio) ctx.fillText(name, (left + right) / 2, bbox.top - 4 * ratio);
  }
  ctx.restore();
}
