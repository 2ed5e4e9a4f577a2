// What the page is about: the JSON that src/talus/report/pages/html_report.cpp puts into it, and questions one asks of a run.

export type Value = number | null;

export interface Series {
  names: string[];
  lines: number; // in series.csv; the page may carry fewer
  values: (Value | Value[])[]; // a column that never changes is one value
}

export interface Picture {
  colour: "compacity" | "speed" | "load"; // the first of a track, the second of all others
  frame: number;
  time: number; // [s]
  width: number;
  height: number;
  source: string;
}

export interface Distribution {
  name: string;
  title: string;
  x_label: string;
  y_label: string;
  kind: "line" | "bars" | "rose";
  x: Value[];
  y: Value[];
}

// Of summary.json what the page uses. Another version of Talus may have written less: nothing is sure to be there.
export interface Summary {
  outcome?: string;
  exit_reason?: string;
  simulated_time_s?: Value;
  bodies?: number;
  wall_time_s?: Record<string, Value>;
  steps?: number;
  contacts?: { last?: Value; max?: Value };
  solver?: { name?: string };
  sweeps?: { mean?: Value };
  residual?: { worst?: Value; steps_over_tolerance?: number };
  quality?: { residual_asked?: Value; interpenetration_limit?: Value; interpenetration_max?: Value; advice?: string };
  reproducible?: boolean;
  gauges?: Record<string, Record<string, Value | string>>;
  crowd?: CrowdSummary;
  track?: Track | null;
  warnings?: string[];
  state_hash?: string;
}

export interface CrowdSummary {
  persons?: number;
  left?: number;
  mean_time_s?: Value;
  time_of_95_percent_s?: Value;
  last_time_s?: Value;
  mean_contact_time_s?: Value;
  largest_force_N?: Value;
  crush_pressure_Npm?: Value;
  crushed?: number;
  exits?: { name: string; left?: Value; first_time_s?: Value; last_time_s?: Value; flow_ps?: Value }[];
  lines?: { name: string; ahead?: Value; back?: Value; ahead_flow_ps?: Value; ahead_specific_flow_pmps?: Value }[];
  most_pressed?: { person: number; force_N?: Value; time_s?: Value; contact_time_s?: Value }[];
}

// What became of a track: summary.json's "track". A run without pushes, tools or sleepers lacks what speaks of them.
export interface Track {
  verdict?: string[] | null; // phrases
  based_on?: string | null;
  warnings?: string[] | null;
  scale?: Value;
  operations?: Operation[] | null;
  sleepers?: Sleeper[] | null;
  resistances?: Push[] | null;
  loads?: Load[] | null;
  places?: Place[] | null;
  cribs?: { name: string; surface_start_m?: Value; surface_end_m?: Value; heave_m?: Value }[] | null;
  tools?: { name: string; place?: string | null; phases?: ToolPhase[] | null }[] | null;
  cycle_times_s?: Value[] | null;
  grains_moved?: { count?: Value; share?: Value; farther_than_m?: Value } | null;
  forces?: { period_s?: Value; time_s?: Value[]; mean_N?: Value[]; largest_N?: Value[]; highest_N?: Value[] } | null;
}

export interface Operation {
  type: string;
  from_s?: Value;
  until_s?: Value;
  sleepers?: number[] | null;
  phases?: { name: string; sleeper?: number | null; from_s?: Value; until_s?: Value }[] | null;
}

export interface Sleeper {
  name: string;
  y_m?: Value;
  level_start_m?: Value;
  level_end_m?: Value;
  lift_asked_m?: Value;
  lift_kept_m?: Value;
  settlements?: { operation: number; type: string; under_load_m?: Value; unloaded_m?: Value }[] | null;
  support?: Support | null;
}

export interface Support {
  from_below_N?: Value;
  left_share?: Value;
  right_share?: Value;
  foot_share?: Value;
  from_sides_N?: Value;
  hangs?: boolean | null;
}

export interface Push {
  operation: number;
  sleeper: number;
  largest_N?: Value;
  at_largest_m?: Value;
  at_2mm_N?: Value;
  displacement_m?: Value[] | null;
  force_N?: Value[] | null;
}

export interface Load {
  operation: number;
  type: string;
  sleeper: number;
  settlement_m?: Value[] | null;
  force_N?: Value[] | null;
}

export interface Place {
  name: string; // of its gauge
  start?: Value; // compacity
  end?: Value;
  after?: Value[] | null; // each operation
}

export interface ToolPhase {
  name: string;
  force_N?: Value; // mean
  largest_N?: Value; // mean over a period of the vibration
  energy_J?: Value;
  power_W?: Value;
}

export interface CrowdMap {
  what: "density" | "speed" | "service" | "paths";
  width: number;
  height: number;
  source: string;
}

// Anything that has a series: a run of the report, or the one in the viewer.
export interface Sampled {
  series: Series;
}

export interface Run extends Sampled {
  title: string;
  folder: string;
  dimension: 2 | 3;
  bodies: number;
  frames: number;
  can_resume: boolean;
  provenance: {
    version: string;
    build: string;
    seed: string;
    command: string;
    threads: number;
    cpu: string;
    cores: number;
    started: string;
    resumed: string[];
  };
  summary: Summary | null; // null: the run goes on, or was killed
  scene: string;
  log: string;
  pictures: Picture[];
  crowd?: { square: number; pictures: CrowdMap[] } | null; // null: no crowd
  measured: { gauges?: { name: string; distributions: Distribution[] }[] };
}

// What src/talus/report/comparison.cpp writes: one scene by several methods, of which some may not apply.
export interface Comparison {
  scene: string;
  methods: { method: string; outcome: string; reason: string }[];
  figures: { group: string; quantity: string; values: Record<string, Value> }[];
}

export interface Report {
  talus: string;
  comparison: Comparison | null;
  runs: Run[];
}

let labels = ["A", "B"]; // of the runs

export const run_label = (index: number): string => labels[index] ?? String(index + 1);

export function read_report(): Report {
  const report = JSON.parse(document.getElementById("data")!.textContent!) as Report;
  if (report.comparison) labels = report.runs.map((run) => run.folder); // named as their methods
  return report;
}

// Lines that the page carries.
export function line_count(series: Series): number {
  const time = series.values[0];
  return Array.isArray(time) ? time.length : 0;
}

export function column(series: Series, name: string): Value[] | null {
  const index = series.names.indexOf(name);
  if (index < 0) return null;
  const values = series.values[index]!;
  return Array.isArray(values) ? values : new Array<Value>(line_count(series)).fill(values);
}

export function is_constant(series: Series, name: string): boolean {
  const index = series.names.indexOf(name);
  return index >= 0 && !Array.isArray(series.values[index]);
}

export function last_value(series: Series, name: string): Value {
  return column(series, name)?.at(-1) ?? null;
}

// The largest of the values that are there, by size.
export function largest(values: Value[] | null): Value {
  let found: Value = null;
  for (const value of values ?? []) {
    if (value !== null && (found === null || Math.abs(value) > found)) found = Math.abs(value);
  }
  return found;
}

export function gauge_names(run: Run): string[] {
  const names = run.series.names.filter((name) => name.includes(".")).map(gauge_of);
  return [...new Set([...names, ...Object.keys(run.summary?.gauges ?? {})])];
}

// A gauge may have dots in its name, an indicator has none.
export const gauge_of = (name: string): string => name.slice(0, name.lastIndexOf("."));
export const indicator_of = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

// What a crowd is measured by stands in the series like a gauge.
export const is_of_crowd = (gauge: string): boolean => gauge === "crowd" || gauge.startsWith("line ");

// The last indicators of a gauge: of the summary, or of the last line while there is none.
export function last_indicators(run: Run, gauge: string): Map<string, Value> {
  const summed_up = run.summary?.gauges?.[gauge];
  const found = new Map<string, Value>();
  for (const [name, value] of Object.entries(summed_up ?? {})) {
    if (typeof value !== "string") found.set(name, value); // the regime in words: the page has its own
  }
  if (summed_up) return found;
  for (const name of run.series.names) {
    if (name.includes(".") && gauge_of(name) === gauge) found.set(indicator_of(name), last_value(run.series, name));
  }
  return found;
}
