// What became of the track, as a railway engineer asks: did tamping work? Before all that speaks of the computation.
import { run_label, type Operation, type Run, type Sampled, type Track, type Value } from "./data";
import { differences_table, type ComparedRow } from "./differences";
import { h, section, table, type Cell } from "./dom";
import type { PlotPlan } from "./names";
import { absent, show, with_unit } from "./numbers";
import type { TimePlots } from "./time_plots";
import { loads_chart, profile_chart, pushes_chart } from "./track_charts";
import { each_tool_sheet, figure_cell, figure_data, figure_text, headings, lines_of, place_of, sheets_of, shown_value, type Figure, type Sheet, type Sheets } from "./track_figures";

const track_of = (run: Run): Track | null => run.summary?.track ?? null;

const letter = (index: number): HTMLElement => h("span", { class: `letter run${index}` }, run_label(index));

// The verdict, and what it is based on.
function answer(run: Run, index: number, several: boolean): HTMLElement | null {
  const track = track_of(run);
  const phrases = track?.verdict ?? [], based_on = track?.based_on, warnings = track?.warnings ?? [];
  if (!several && phrases.length === 0 && !based_on && warnings.length === 0) return null;
  const nothing = track ? "No verdict: the run has nothing to judge by." : "No track result.";
  const phrase = (kind: "p" | "li", k: number): HTMLElement => h(kind, { class: "headline", ...place_of(index, `verdict.${k}`) }, phrases[k]!);
  return h(
    "div",
    { class: "result" },
    several ? h("p", { class: "of" }, letter(index), run.folder) : null,
    phrases.length > 0 ? phrase("p", 0) : h("p", { class: "headline" }, nothing),
    phrases.length > 1 ? h("ul", { class: "phrases" }, ...phrases.slice(1).map((_, k) => phrase("li", k + 1))) : null,
    based_on ? h("p", { class: "note", ...place_of(index, "based_on") }, based_on) : null,
    warnings.length > 0 ? h("ul", { class: "warnings" }, ...warnings.map((line, k) => h("li", place_of(index, `warnings.${k}`), line))) : null,
  );
}

function sheet_table(sheet: Sheet, run: number): HTMLElement {
  const { columns, rows } = headings(sheet);
  const lines = sheet.rows.map(({ figures }, index) => [rows[index]!, ...figures.map((figure) => figure_cell(run, figure))]);
  return table([sheet.corner, ...columns], lines);
}

function tiles(sheet: Sheet, run: number): HTMLElement {
  const tile = ({ name, figures }: Sheet["rows"][number]): HTMLElement => {
    const figure = figures[0]!;
    return h("div", {}, h("dt", {}, name), h("dd", figure_data(run, figure), `${figure_text(figure)} ${figure.quantity.unit}`.trim()));
  };
  return h("dl", { class: "figures" }, ...sheet.rows.map(tile));
}

function operations_table(track: Track, run: number): HTMLElement | null {
  const operations = track.operations ?? [];
  if (operations.length === 0) return null;
  const time = (value: Value | undefined, path: string): Cell => ({ text: show(value ?? null, 4), kind: "number", data: place_of(run, path, value ?? null) });
  const rows = operations.flatMap(({ type, sleepers, from_s, until_s, phases }: Operation, k) => [
    [
      `${k + 1} ${type}`,
      { text: sleepers?.join(", ") ?? "", kind: "number", data: place_of(run, `operations.${k}.sleepers`, sleepers?.join(",") ?? null) } satisfies Cell,
      time(from_s, `operations.${k}.from_s`),
      time(until_s, `operations.${k}.until_s`),
    ],
    ...(phases ?? []).map((phase, p) => [
      `\u2003${phase.name}`,
      { text: phase.sleeper == null ? "" : String(phase.sleeper), kind: "number", data: place_of(run, `operations.${k}.phases.${p}.sleeper`, phase.sleeper ?? null) } satisfies Cell,
      time(phase.from_s, `operations.${k}.phases.${p}.from_s`),
      time(phase.until_s, `operations.${k}.phases.${p}.until_s`),
    ]),
  ]);
  return h("details", {}, h("summary", {}, "Operations and their phases"), table(["operation", "sleepers", "from [s]", "until [s]"], rows));
}

const parts = (...children: (HTMLElement | null)[]): HTMLElement[] => children.filter((child) => child !== null);

// A table and its charts beside each other where they fit.
function block(title: string, sheet: HTMLElement | null, ...charts: (HTMLElement | null)[]): HTMLElement[] {
  const all = parts(sheet, ...charts);
  if (all.length === 0) return [];
  const is_wide = all.length === 1 && sheet !== null;
  const content = is_wide ? sheet : h("div", { class: "beside" }, ...all);
  return title ? [h("h3", {}, title), content] : [content];
}

// Both charts beside each other below the table, where there are both.
function strength(sheet: HTMLElement | null, pushes: HTMLElement | null, loads: HTMLElement | null): HTMLElement[] {
  if (!loads) return block("Lateral resistance", sheet, pushes);
  if (!pushes) return [...block("Lateral resistance", sheet), ...block("Load and settlement", null, loads)];
  return [...block("Lateral resistance, load and settlement", sheet), ...block("", null, pushes, loads)];
}

const most_columns = 3; // of a table on half a page

function of_one(run: Run, index: number): HTMLElement[] {
  const track = track_of(run)!;
  const sheets = sheets_of(track);
  const made = (sheet: Sheet | null): HTMLElement | null => sheet && sheet_table(sheet, index);
  const sleepers = made(sheets.sleepers), profile = profile_chart([run]);
  const is_long_row = (sheets.sleepers?.columns.length ?? 0) > most_columns;
  return [
    ...parts(sheets.work && tiles(sheets.work, index)),
    ...(is_long_row ? [...block("Sleepers", sleepers), ...block("", null, profile)] : block("Sleepers", sleepers, profile)),
    ...block("Compacity by place", made(sheets.places)),
    ...strength(made(sheets.pushes), pushes_chart([run]), loads_chart([run])),
    ...block("Tools", made(sheets.tools)),
    ...parts(each_tool(track, index)),
    ...block("Cribs", made(sheets.cribs)),
    ...parts(operations_table(track, index)),
  ];
}

function each_tool(track: Track, run: number): HTMLElement | null {
  const sheet = each_tool_sheet(track);
  return sheet && h("details", {}, h("summary", {}, sheet.title), sheet_table(sheet, run));
}

// The figures of all runs in one table, and how they differ from the first run's.
function main_figures(runs: Run[]): HTMLElement | null {
  const all = runs.map((run) => (track_of(run) ? sheets_of(track_of(run)!) : null));
  const kinds: (keyof Sheets)[] = ["sleepers", "places", "pushes", "tools", "cribs", "work"];
  const rows = kinds.flatMap((kind) => {
    const sheets = all.map((of_run) => of_run?.[kind] ?? null);
    const lists = sheets.map((sheet) => (sheet ? lines_of(sheet) : new Map<string, Figure>()));
    const names = [...new Set(lists.flatMap((list) => [...list.keys()]))];
    const lines = names.map((name): ComparedRow => {
      const found = lists.map((list) => list.get(name) ?? null);
      const { quantity } = found.find((figure) => figure !== null)!; // in the same unit, or they cannot be compared
      const figures = found.map((figure) => figure && { ...figure, quantity });
      return {
        name: quantity.unit ? `${name} [${quantity.unit}]` : name,
        values: figures.map((figure) => figure && shown_value(figure)),
        texts: figures.map((figure) => (figure ? figure_text(figure) : absent)),
        in_words: found.some((figure) => typeof figure?.value === "boolean"),
        data: figures.map((figure, run) => (figure ? figure_data(run, figure) : undefined)),
      };
    });
    const title: ComparedRow = { name: { text: sheets.find((sheet) => sheet)?.title ?? "", kind: "group" }, values: [] };
    return lines.length > 0 ? [title, ...lines] : [];
  });
  return rows.length > 0 ? differences_table("", rows, runs.length) : null;
}

function of_several(runs: Run[]): HTMLElement[] {
  const charts = parts(profile_chart(runs), pushes_chart(runs), loads_chart(runs));
  const folded = runs.flatMap((run, index) => {
    const track = track_of(run);
    if (!track) return [];
    const inside = parts(each_tool(track, index), operations_table(track, index));
    return inside.length > 0 ? [h("h3", {}, letter(index), run.folder), ...inside] : [];
  });
  return [...parts(main_figures(runs)), ...(charts.length > 0 ? [h("div", { class: "beside" }, ...charts)] : []), ...folded];
}

const mean = "mean_over_the_tools_kN", largest = "largest_tool_kN", highest = "highest_in_an_eighth_of_a_period_kN";

// The forces of the tools as a sample of their own: one line per period of the vibration.
function forces_of(run: Run): Sampled {
  const forces = track_of(run)?.forces;
  const time = forces?.time_s ?? [];
  const kilo = (values: Value[] | undefined): Value[] => time.map((_, k) => (values?.[k] == null ? null : 1e-3 * values[k]!));
  if (!forces || time.length === 0) return { series: { names: [], lines: 0, values: [] } };
  const values = [time, kilo(forces.mean_N), kilo(forces.largest_N), kilo(forces.highest_N)];
  return { series: { names: ["time_s", mean, largest, highest], lines: time.length, values } };
}

function time_grid(runs: Run[], plots: TimePlots | null): HTMLElement | null {
  if (!plots) return null;
  const figures: HTMLElement[] = [];
  const forces = runs.map(forces_of);
  if (forces.some(({ series }) => series.lines > 0)) {
    const plan: PlotPlan = { title: "Force of the tools", columns: [mean, largest, highest], unit: "kN", decades: 0, envelope: { upper: highest, lower: mean } };
    const figure = plots.figure(plan, forces);
    const periods = runs.flatMap((run, index) => {
      const period = track_of(run)?.forces?.period_s;
      return period ? [h("span", place_of(index, "forces.period_s", period), with_unit(1e3 * period, "ms", 3))] : [];
    });
    const words = periods.flatMap((period, index) => [index === 0 ? ", by periods of " : " and ", period]);
    figure.querySelector("figcaption")!.append(...words);
    figures.push(figure);
  }
  const gauges = [...new Set(runs.flatMap((run) => (track_of(run)?.places ?? []).map(({ name }) => name)))];
  const columns = gauges.map((gauge) => `${gauge}.compacity`).filter((name) => runs.some((run) => run.series.names.includes(name)));
  if (columns.length > 0) figures.push(plots.figure({ title: "Compacity by place", columns, unit: "", decades: 0, by_gauge: true }));
  if (figures.length === 0) return null;
  return h("div", {}, h("h3", {}, "Against time"), plots.zoom_bar(), plots.legend(), h("div", { class: "plots" }, ...figures));
}

export function track(runs: Run[], plots: TimePlots | null): HTMLElement | null {
  if (!runs.some(track_of)) return null;
  const several = runs.length > 1;
  const answers = parts(...runs.map((run, index) => answer(run, index, several)));
  const content = [
    answers.length > 0 ? h("div", { class: "results" }, ...answers) : null,
    ...(several ? of_several(runs) : of_one(runs[0]!, 0)),
    time_grid(runs, plots),
  ].filter((part) => part !== null);
  return content.length > 0 ? section("track", "Track result", ...content) : null;
}
