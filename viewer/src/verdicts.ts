// What one asks of a run first: did it end well, is it controlled, solved, at rest, in which regime, does energy add up.
// A verdict has a word and a symbol besides its colour.
import { column, gauge_names, largest, last_indicators, last_value, type Run, type Value } from "./data";
import { absent, percent, show, with_unit } from "./numbers";

export type Level = "good" | "fair" | "bad" | "plain" | "none";

export interface Verdict {
  question: string;
  word: string;
  level: Level;
  detail: string;
}

export const symbols: Record<Level, string> = { good: "✓", fair: "!", bad: "✕", plain: "•", none: "–" };

function outcome(run: Run): Verdict {
  const question = "Outcome";
  const end = run.summary;
  if (!end) {
    const detail = "no summary yet: it still runs, or was killed" + (run.can_resume ? "; --resume goes on" : "");
    return { question, word: "not ended", level: "plain", detail };
  }
  const detail = end.exit_reason ?? "";
  if (end.outcome === "done") return { question, word: "done", level: "good", detail };
  if (end.outcome === "quality") return { question, word: "limit exceeded", level: "fair", detail };
  if (end.outcome === "interrupted") return { question, word: "interrupted", level: "fair", detail };
  return { question, word: end.outcome ?? "unknown", level: "bad", detail };
}

export function worst_interpenetration(run: Run): Value {
  if (gauge_names(run).length === 0) return null;
  const columns = run.series.names.filter((name) => name.endsWith(".interpenetration"));
  const seen = columns.map((name) => largest(column(run.series, name)));
  return largest([...seen, run.summary?.quality?.interpenetration_max ?? null]);
}

// MODEL: a run is controlled while the grains share less than 2 % of the volume.
function controlled(run: Run): Verdict {
  const question = "Controlled";
  const worst = worst_interpenetration(run);
  if (worst === null) return { question, word: "not measured", level: "none", detail: "no gauge looked at the interpenetration" };
  const limit = run.summary?.quality?.interpenetration_limit ?? 0.02;
  const kept = worst <= limit;
  const detail = `interpenetration ${percent(worst)} at most, ${percent(limit)} allowed`;
  return { question, word: kept ? "controlled" : "not controlled", level: kept ? "good" : "bad", detail };
}

function solved(run: Run): Verdict {
  const question = "Solved";
  const end = run.summary;
  if (!end) {
    const worst = largest(column(run.series, "residual"));
    if (worst === null) return { question, word: "not yet", level: "none", detail: "no step was taken" };
    return { question, word: "so far", level: "plain", detail: `worst residual ${show(worst, 3)}` };
  }
  const missed = end.residual?.steps_over_tolerance;
  if (missed === undefined) return { question, word: "not known", level: "none", detail: "the summary does not say" };
  const steps = end.steps ?? 0;
  const worst = `worst residual ${show(end.residual?.worst, 3)}`;
  const asked = end.quality?.residual_asked;
  const detail = asked ? `${worst}, ${show(asked, 3)} asked` : worst;
  if (missed === 0) return { question, word: "every step", level: "good", detail };
  const share = percent(missed / Math.max(steps, 1), 2);
  return { question, word: `${show(missed)} ${missed === 1 ? "step" : "steps"} missed`, level: "fair", detail: `${share} of ${show(steps)} steps; ${detail}` };
}

export function regime_of(inertial_number: Value): string {
  if (inertial_number === null) return absent;
  if (inertial_number < 1e-3) return "static";
  return inertial_number < 1e-1 ? "quasi-static" : "dynamic";
}

function regime(run: Run): Verdict {
  const question = "Regime";
  const gauges = gauge_names(run).map((gauge) => ({ gauge, number: last_indicators(run, gauge).get("inertial_number") ?? null }));
  const known = gauges.filter(({ number }) => number !== null);
  if (known.length === 0) return { question, word: "not measured", level: "none", detail: "no gauge has an inertial number" };
  const words = [...new Set(known.map(({ number }) => regime_of(number)))];
  const detail = known.map(({ gauge, number }) => `${gauge}: ${regime_of(number)}, I = ${show(number, 2)}`).join("; ");
  return { question, word: words.join(", "), level: "plain", detail };
}

const settled_share = 1e-3; // of the largest kinetic energy

function settled(run: Run): Verdict {
  const question = "Settled";
  const kinetic = column(run.series, "kinetic_J");
  const most = largest(kinetic);
  const last = kinetic?.at(-1) ?? null;
  const share = most !== null && most > 0 && last !== null ? last / most : null;
  const detail = share === null ? "nothing moved" : `kinetic energy ${with_unit(last, "J", 3)} at the end, ${show(share, 2)} of its largest`;
  if (run.summary?.exit_reason === "at rest") return { question, word: "at rest", level: "good", detail };
  if (share === null) return { question, word: "no motion", level: "none", detail };
  const still = share < settled_share;
  return { question, word: still ? "settled" : "in motion", level: still ? "good" : "plain", detail };
}

// The largest of the ledger's entries is what an imbalance is measured against.
function balanced(run: Run): Verdict | null {
  const imbalance = largest(column(run.series, "energy_imbalance_J"));
  if (imbalance === null) return null;
  const entries = run.series.names.filter((name) => /^[^.]+_J$/.test(name) && name !== "energy_imbalance_J");
  const scale = largest(entries.map((name) => largest(column(run.series, name))));
  const share = scale ? imbalance / scale : null;
  const detail = `the ledger is off by ${with_unit(imbalance, "J", 2)} at most, ${show(share, 2)} of its largest entry`;
  const level = share === null ? "none" : share < 0.01 ? "good" : share < 0.05 ? "fair" : "bad";
  const word = { good: "closes", fair: "nearly closes", bad: "does not close", none: "nothing to add up", plain: "" }[level];
  return { question: "Energy", word, level, detail };
}

export function verdicts_of(run: Run): Verdict[] {
  const all = [outcome(run), controlled(run), solved(run), settled(run), regime(run), balanced(run)];
  return all.filter((verdict): verdict is Verdict => verdict !== null);
}

export interface Figure {
  label: string;
  value: Value;
  unit: string;
}

// The numbers beside the verdicts.
export function figures_of(run: Run): Figure[] {
  const end = run.summary;
  const last = (name: string): Value => last_value(run.series, name);
  const wall = end?.wall_time_s?.["total"] ?? null;
  const steps = end?.steps ?? last("step");
  const rate = wall && steps ? steps / wall : null;
  const figure = (label: string, value: Value | undefined, unit = ""): Figure => ({ label, value: value ?? null, unit });
  const overlap = worst_interpenetration(run);
  return [
    figure("Simulated time", end?.simulated_time_s ?? last("time_s"), "s"),
    figure("Wall time", wall, "s"),
    figure("Bodies", end?.bodies ?? run.bodies),
    figure("Steps", steps),
    figure("Steps per second", rate),
    figure("Contacts at the end", end?.contacts?.last ?? last("contacts")),
    figure("Contacts at most", end?.contacts?.max ?? largest(column(run.series, "contacts"))),
    figure("Sweeps per step", end?.sweeps?.mean ?? null),
    figure("Worst residual", end?.residual?.worst ?? largest(column(run.series, "residual"))),
    figure("Interpenetration", overlap === null ? null : 100 * overlap, "%"),
  ];
}
