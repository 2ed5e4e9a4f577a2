// The figures of a track result, in sheets of rows and columns: each knows its place in summary.json, its number there
// and how a railway engineer reads it.
import type { Place, Sleeper, Support, ToolPhase, Track, Value } from "./data";
import type { Cell } from "./dom";
import { words_of } from "./names";
import { absent, fixed, show, significant } from "./numbers";

interface Quantity {
  unit: string;
  scale: number; // from the file's number to the one shown
  decimals?: number; // of numbers that stand below each other
  digits?: number; // ... or so many digits; else at most three
}

const settlement: Quantity = { unit: "mm", scale: 1e3, decimals: 2 };
const level: Quantity = { unit: "mm", scale: 1e3, decimals: 1 };
const distance: Quantity = { unit: "mm", scale: 1e3 };
const place_along: Quantity = { unit: "m", scale: 1, decimals: 2 };
const force: Quantity = { unit: "kN", scale: 1e-3, digits: 3 };
const share: Quantity = { unit: "%", scale: 100 };
const compacity: Quantity = { unit: "", scale: 1, decimals: 3 };
const time: Quantity = { unit: "s", scale: 1 };
const count: Quantity = { unit: "", scale: 1 };

export interface Figure {
  value: Value | boolean;
  quantity: Quantity;
  path?: string; // in summary.json's "track"; what the page computes has none
}

export const shown_value = ({ value, quantity }: Figure): Value => (value === null ? null : Number(value) * quantity.scale);

export function figure_text(figure: Figure): string {
  if (typeof figure.value === "boolean") return figure.value ? "yes" : "no";
  const value = shown_value(figure);
  const { decimals, digits } = figure.quantity;
  if (decimals !== undefined) return fixed(value, decimals);
  return digits === undefined ? show(value, 3) : significant(value, digits);
}

export const place_of = (run: number, path: string, value?: unknown): Record<string, string> => ({
  "data-run": String(run),
  "data-track": path,
  ...(value === undefined ? {} : { "data-value": value === null ? "" : String(value) }),
});

export const figure_data = (run: number, { path, value }: Figure): Record<string, string> | undefined =>
  path === undefined ? undefined : place_of(run, path, value);

export const figure_cell = (run: number, figure: Figure | null): Cell =>
  figure ? { text: figure_text(figure), kind: "number", data: figure_data(run, figure) } : { text: absent, kind: "number" };

interface Row {
  name: string;
  figures: (Figure | null)[];
  is_given?: boolean; // by the scene, no result
}

export interface Sheet {
  title: string;
  corner: string; // above the names of the rows
  columns: string[];
  rows: Row[];
}

const at = (value: Value | boolean | undefined, quantity: Quantity, path?: string): Figure => ({ value: value ?? null, quantity, path });
const is_there = (figure: Figure | null): boolean => figure !== null && figure.value !== null;

// Rows and columns that say nothing are left out; so is a sheet without a number.
function sheet(whole: Sheet): Sheet | null {
  const rows = whole.rows.filter(({ figures }) => figures.some(is_there));
  if (rows.length === 0) return null;
  const kept = whole.columns.map((_, index) => rows.some(({ figures }) => is_there(figures[index] ?? null)));
  return {
    ...whole,
    columns: whole.columns.filter((_, index) => kept[index]),
    rows: rows.map((row) => ({ ...row, figures: row.figures.filter((_, index) => kept[index]) })),
  };
}

export const operation_name = (track: Track, number: number): string => {
  const type = track.operations?.[number - 1]?.type;
  return type ? `${number} ${words_of(type)}` : `operation ${number}`;
};

// One row per quantity, one column per sleeper: with one sleeper or with twenty the names stay in sight.
function sleepers_sheet(track: Track): Sheet | null {
  const sleepers = track.sleepers ?? [];
  const row = (name: string, key: keyof Sleeper, quantity: Quantity): Row => ({
    name,
    figures: sleepers.map((sleeper, k) => at(sleeper[key] as Value | undefined, quantity, `sleepers.${k}.${key}`)),
  });
  const of_support = (name: string, key: keyof Support, quantity: Quantity) => ({
    name,
    figures: sleepers.map(({ support }, k) => at(support?.[key], quantity, `sleepers.${k}.support.${key}`)),
  });
  const loaded = [...new Set(sleepers.flatMap(({ settlements }) => (settlements ?? []).map(({ operation }) => operation)))].sort((a, b) => a - b);
  const settlements = loaded.flatMap((operation) =>
    (["under_load_m", "unloaded_m"] as const).map((key) => ({
      name: `settlement ${key === "under_load_m" ? "under load" : "unloaded"}, ${operation_name(track, operation)}`,
      figures: sleepers.map((sleeper, k) => {
        const place = (sleeper.settlements ?? []).findIndex((settlement) => settlement.operation === operation);
        return place < 0 ? null : at(sleeper.settlements![place]![key], settlement, `sleepers.${k}.settlements.${place}.${key}`);
      }),
    })),
  );
  return sheet({
    title: "Sleepers",
    corner: "",
    columns: sleepers.map(({ name }) => name),
    rows: [
      { ...row("place along the track", "y_m", place_along), is_given: true },
      row("level at the start", "level_start_m", level),
      row("level at the end", "level_end_m", level),
      row("lift asked for", "lift_asked_m", level),
      row("lift kept", "lift_kept_m", level),
      ...settlements,
      of_support("carried from below", "from_below_N", force),
      of_support("of it by the left half", "left_share", share),
      of_support("of it by the right half", "right_share", share),
      of_support("foot that is supported", "foot_share", share),
      of_support("held at the sides", "from_sides_N", force),
      of_support("ballast hangs on it", "hangs", count),
    ],
  });
}

function places_sheet(track: Track): Sheet | null {
  const places = track.places ?? [];
  const operations = Math.max(0, ...places.map(({ after }) => after?.length ?? 0));
  const numbers = Array.from({ length: operations }, (_, k) => k);
  const change = ({ start, end }: Place): Figure => at(start != null && end != null ? end - start : null, compacity);
  return sheet({
    title: "Compacity",
    corner: "place",
    columns: ["start", ...numbers.map((k) => `after ${operation_name(track, k + 1)}`), "end", "change"],
    rows: places.map((place, p) => ({
      name: place.name,
      figures: [
        at(place.start, compacity, `places.${p}.start`),
        ...numbers.map((k) => at(place.after?.[k], compacity, `places.${p}.after.${k}`)),
        at(place.end, compacity, `places.${p}.end`),
        change(place),
      ],
    })),
  });
}

export const push_name = (track: Track, push: { operation: number; sleeper: number }): string =>
  `${operation_name(track, push.operation)}, sleeper ${push.sleeper}`;

function pushes_sheet(track: Track): Sheet | null {
  return sheet({
    title: "Lateral resistance",
    corner: "push",
    columns: ["at 2 mm", "largest", "largest at"],
    rows: (track.resistances ?? []).map((push, k) => ({
      name: push_name(track, push),
      figures: [
        at(push.at_2mm_N, force, `resistances.${k}.at_2mm_N`),
        at(push.largest_N, force, `resistances.${k}.largest_N`),
        at(push.at_largest_m, level, `resistances.${k}.at_largest_m`),
      ],
    })),
  });
}

// J or kJ, W or kW: one for all phases and tools.
function in_thousands(values: (Value | undefined)[], unit: string): Quantity {
  const largest = Math.max(0, ...values.map((value) => Math.abs(value ?? 0)));
  return largest >= 1000 ? { unit: `k${unit}`, scale: 1e-3, digits: 3 } : { unit, scale: 1, digits: 3 };
}

function tool_quantities(track: Track): { energy: Quantity; power: Quantity } {
  const all = (track.tools ?? []).flatMap(({ phases }) => phases ?? []);
  return { energy: in_thousands(all.map(({ energy_J }) => energy_J), "J"), power: in_thousands(all.map(({ power_W }) => power_W), "W") };
}

function phase_names(track: Track): string[] {
  return [...new Set((track.tools ?? []).flatMap(({ phases }) => (phases ?? []).map(({ name }) => name)))];
}

function tool_phases_sheet(track: Track): Sheet | null {
  const tools = track.tools ?? [];
  const quantities = tool_quantities(track);
  const numbers = (name: string, key: "force_N" | "largest_N" | "energy_J" | "power_W"): number[] =>
    tools.flatMap(({ phases }) => (phases ?? []).filter((phase) => phase.name === name).map((phase: ToolPhase) => phase[key] ?? null)).filter((value) => value !== null);
  const sum = (values: number[]): Value => (values.length > 0 ? values.reduce((total, value) => total + value, 0) : null);
  return sheet({
    title: "Tools",
    corner: `phase, ${tools.length} ${tools.length === 1 ? "tool" : "tools"}`,
    columns: ["mean force of a tool", "largest force of a tool", "energy of all tools", "power of all tools"],
    rows: phase_names(track).map((name) => {
      const forces = numbers(name, "force_N"), largest = numbers(name, "largest_N"), total = sum(forces);
      return {
        name,
        figures: [
          at(total === null ? null : total / forces.length, force),
          at(largest.length > 0 ? Math.max(...largest) : null, force),
          at(sum(numbers(name, "energy_J")), quantities.energy),
          at(sum(numbers(name, "power_W")), quantities.power),
        ],
      };
    }),
  });
}

// Every tool in every phase.
export function each_tool_sheet(track: Track): Sheet | null {
  const { energy, power } = tool_quantities(track);
  const rows = phase_names(track).flatMap((name) =>
    (track.tools ?? []).flatMap((tool, t) =>
      (tool.phases ?? []).flatMap((phase, p) => {
        if (phase.name !== name) return [];
        const path = `tools.${t}.phases.${p}`;
        return [
          {
            name: `${name}: ${tool.name}${tool.place ? `, ${tool.place}` : ""}`,
            figures: [
              at(phase.force_N, force, `${path}.force_N`),
              at(phase.largest_N, force, `${path}.largest_N`),
              at(phase.energy_J, energy, `${path}.energy_J`),
              at(phase.power_W, power, `${path}.power_W`),
            ],
          },
        ];
      }),
    ),
  );
  return sheet({ title: "Each tool", corner: "phase: tool", columns: ["mean force", "largest force", "energy", "power"], rows });
}

function cribs_sheet(track: Track): Sheet | null {
  return sheet({
    title: "Cribs",
    corner: "crib",
    columns: ["surface at the start", "surface at the end", "heave"],
    rows: (track.cribs ?? []).map((crib, k) => ({
      name: crib.name,
      figures: [
        at(crib.surface_start_m, level, `cribs.${k}.surface_start_m`),
        at(crib.surface_end_m, level, `cribs.${k}.surface_end_m`),
        at(crib.heave_m, level, `cribs.${k}.heave_m`),
      ],
    })),
  });
}

function work_sheet(track: Track): Sheet | null {
  const cycles = track.cycle_times_s ?? [], moved = track.grains_moved;
  const row = (name: string, figure: Figure) => ({ name, figures: [figure] });
  return sheet({
    title: "Work",
    corner: "",
    columns: [""],
    rows: [
      ...cycles.map((value, k) => row(cycles.length > 1 ? `cycle time, sleeper ${k + 1} of ${cycles.length}` : "cycle time", at(value, time, `cycle_times_s.${k}`))),
      row("grains moved", at(moved?.count, count, "grains_moved.count")),
      row("share of all grains", at(moved?.share, share, "grains_moved.share")),
      row("moved is farther than", at(moved?.farther_than_m, distance, "grains_moved.farther_than_m")),
      row("scale of the track", at(track.scale, count, "scale")),
    ],
  });
}

export interface Sheets {
  work: Sheet | null;
  sleepers: Sheet | null;
  places: Sheet | null;
  pushes: Sheet | null;
  tools: Sheet | null;
  cribs: Sheet | null;
}

export const sheets_of = (track: Track): Sheets => ({
  work: work_sheet(track),
  sleepers: sleepers_sheet(track),
  places: places_sheet(track),
  pushes: pushes_sheet(track),
  tools: tool_phases_sheet(track),
  cribs: cribs_sheet(track),
});

const named = (name: string, unit: string): string => (unit ? `${name} [${unit}]` : name);

// The unit that all of some figures share.
export function unit_of(figures: (Figure | null)[]): string | null {
  const units = new Set(figures.filter((figure) => figure !== null).map(({ quantity }) => quantity.unit));
  return units.size === 1 ? [...units][0]! : null;
}

// Where a row's figures share a unit it stands in its name, else in that of the columns.
export function headings({ columns, rows }: Sheet): { columns: string[]; rows: string[] } {
  const by_column = columns.map((_, index) => unit_of(rows.map(({ figures }) => figures[index] ?? null)));
  if (by_column.every((unit) => unit !== null)) {
    return { columns: columns.map((name, index) => named(name, by_column[index]!)), rows: rows.map(({ name }) => name) };
  }
  return { columns, rows: rows.map(({ name, figures }) => named(name, unit_of(figures) ?? "")) };
}

// One result per line, for runs side by side: the same line of each run has the same name.
export function lines_of(sheet: Sheet): Map<string, Figure> {
  const lines = new Map<string, Figure>();
  for (const { name, figures } of sheet.rows.filter(({ is_given }) => !is_given)) {
    figures.forEach((figure, index) => {
      if (figure && figure.value !== null) lines.set([name, sheet.columns[index]].filter(Boolean).join(", "), figure);
    });
  }
  return lines;
}
