// One plot against time with uPlot. All plots share the moment under the pointer and the interval they show.
import uPlot from "uplot";
import { column, gauge_of, run_label, type Sampled } from "./data";
import { column_name, type PlotPlan } from "./names";
import { power_of_ten, show, with_unit } from "./numbers";

export type Interval = { min: number; max: number } | null; // [s]; null: the whole run

// What the plots share.
export class TimeAxis {
  private plots: uPlot[] = [];
  private is_moving = false;
  private shown: Interval = null;
  private readonly listeners: ((shown: Interval) => void)[] = [];
  readonly sync = uPlot.sync("time");

  constructor(public whole: { min: number; max: number }) {}

  on_change(listener: (shown: Interval) => void): void {
    this.listeners.push(listener);
  }
  // the run goes on
  extend(whole: { min: number; max: number }): void {
    this.whole = whole;
    if (this.shown === null) this.show(null);
  }

  add(plot: uPlot): void {
    this.plots.push(plot);
    this.apply(plot);
  }
  remove(plot: uPlot): void {
    this.plots = this.plots.filter((other) => other !== plot);
    plot.destroy();
  }
  clear(): void {
    for (const plot of this.plots) plot.destroy();
    this.plots = [];
  }
  show(interval: Interval): void {
    if (this.is_moving) return;
    this.shown = interval;
    this.is_moving = true;
    for (const plot of this.plots) this.apply(plot);
    this.is_moving = false;
    for (const listener of this.listeners) listener(interval);
  }
  // a plot was zoomed by hand, or reset by a double click
  follow(plot: uPlot): void {
    const { min, max } = plot.scales["x"]!;
    if (this.is_moving || min == null || max == null) return;
    const is_whole = min <= this.whole.min && max >= this.whole.max;
    const now = this.shown ?? this.whole;
    if (Math.abs(min - now.min) + Math.abs(max - now.max) > 0) this.show(is_whole ? null : { min, max });
  }
  private apply(plot: uPlot): void {
    plot.setScale("x", this.shown ?? this.whole);
  }
}

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Values that a logarithmic axis has no place for are left out.
function values_of(run: Sampled, name: string, is_log: boolean): (number | null)[] {
  const { scale } = column_name(name);
  const values = column(run.series, name) ?? [];
  return values.map((value) => (value === null || (is_log && value <= 0) ? null : value * scale));
}

interface Line {
  run: number;
  column: string;
}

function lines_of(runs: Sampled[], plan: PlotPlan): Line[] {
  return plan.columns.flatMap((name) => runs.flatMap((run, index) => (column(run.series, name) ? [{ run: index, column: name }] : [])));
}

function data_of(runs: Sampled[], lines: Line[], is_log: boolean): uPlot.AlignedData {
  const tables = runs.flatMap((run, index) => {
    const own = lines.filter((line) => line.run === index);
    if (own.length === 0) return [];
    const time = column(run.series, "time_s") as number[];
    return [[time, ...own.map((line) => values_of(run, line.column, is_log))] as uPlot.AlignedData];
  });
  return tables.length > 1 ? uPlot.join(tables) : tables[0]!;
}

const tick = (value: number): string => show(value, 3);
const log_tick = (value: number | null): string => (value === null ? "" : power_of_ten(value) ?? show(value, 2));

function axis(label: string, size: number): uPlot.Axis {
  return {
    label,
    labelSize: 18,
    size,
    font: "11px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    stroke: css("--muted"),
    grid: { stroke: css("--grid"), width: 1 },
    ticks: { stroke: css("--grid"), width: 1, size: 4 },
  };
}

const dashes = [undefined, [6, 4], [2, 3], [9, 3, 2, 3]]; // by run

// Several runs: the same colour for the same column, dashes tell the runs apart. One column of several runs: a colour for each.
function strokes(lines: Line[], runs: number, by_gauge = false): uPlot.Series[] {
  const names = [...new Set(lines.map((line) => line.column))];
  return lines.map((line) => {
    const by_run = runs > 1 && names.length === 1;
    const colour = by_run ? css(`--run${line.run % 4}`) : css(`--series${names.indexOf(line.column) % 8}`);
    const { label: indicator, unit } = column_name(line.column);
    const label = by_gauge ? gauge_of(line.column) : indicator;
    return {
      label: runs > 1 ? `${run_label(line.run)} ${label}` : label,
      stroke: colour,
      width: 1.6,
      dash: by_run ? undefined : dashes[Math.min(line.run, dashes.length - 1)],
      points: { size: 4 },
      value: (_plot: uPlot, value: number | null) => with_unit(value, unit),
    };
  });
}

// The space between two columns of a run, filled.
function envelope_of(lines: Line[], plan: PlotPlan): uPlot.Band[] {
  const { envelope } = plan;
  if (!envelope) return [];
  const place = (run: number, name: string): number => 1 + lines.findIndex((line) => line.run === run && line.column === name);
  return [...new Set(lines.map(({ run }) => run))].map((run) => ({
    series: [place(run, envelope.upper), place(run, envelope.lower)],
    fill: `${css("--accent")}29`, // six digits of the palette, and how dense
  }));
}

// Without a pointer the legend shows the values at the end of each run.
function last_indices(runs: Sampled[], lines: Line[], times: ArrayLike<number>): (number | null)[] {
  const ends = runs.map((run) => {
    const last = column(run.series, "time_s")?.at(-1) ?? null;
    return last === null ? null : Array.prototype.lastIndexOf.call(times, last);
  });
  return [times.length - 1, ...lines.map((line) => ends[line.run]!)];
}

// Over many decades only powers of ten have a line, and not each a number.
const decade_count = (plot: uPlot): number => Math.log10((plot.scales["y"]!.max ?? 1) / (plot.scales["y"]!.min ?? 1));
const exponent_of = (value: number): number => Math.round(Math.log10(value) * 1e6) / 1e6;
const every = (splits: number[], step: number): (number | null)[] =>
  splits.map((value) => (step > 0 && exponent_of(value) % step !== 0 ? null : value));
const log_lines = (plot: uPlot, splits: number[]): (number | null)[] => every(splits, decade_count(plot) > 2 ? 1 : 0);
const log_numbers = (plot: uPlot, splits: number[]): (number | null)[] => {
  const decades = decade_count(plot);
  return decades < 1 ? every(splits, 0) : every(splits, Math.max(1, Math.ceil(decades / 5)));
};

// A single value of 1e-16 must not hide the rest.
function log_range(decades: number): uPlot.Scale.Range {
  return (_plot, min, max) =>
    min == null || max == null || !(max > 0) ? [0.1, 1] : uPlot.rangeLog(Math.max(min, max * 10 ** -decades), max, 10, false);
}

function ordered_lines(runs: Sampled[], plan: PlotPlan): Line[] {
  const lines = lines_of(runs, plan);
  return runs.flatMap((_, run) => lines.filter((line) => line.run === run));
}

export function plot_data(runs: Sampled[], plan: PlotPlan): uPlot.AlignedData {
  return data_of(runs, ordered_lines(runs, plan), plan.decades > 0);
}

// What a page may want otherwise.
export interface PlotManner {
  height?: number;
  resting?: (times: ArrayLike<number>) => number; // line that the legend shows without a pointer
  moved?: (plot: uPlot) => void; // its scale or size changed
  behind?: (plot: uPlot) => void; // draws what lies behind the curves
}

export function make_plot(runs: Sampled[], plan: PlotPlan, time: TimeAxis, place: HTMLElement, manner: PlotManner = {}): uPlot {
  const ordered = ordered_lines(runs, plan);
  const is_log = plan.decades > 0;
  const data = data_of(runs, ordered, is_log);
  const resting = (plot: uPlot): (number | null)[] =>
    manner.resting ? plot.data.map(() => manner.resting!(plot.data[0])) : last_indices(runs, ordered, plot.data[0]);
  const y_axis = axis(plan.unit ? `[${plan.unit}]` : "", 66);
  if (is_log) {
    y_axis.filter = log_numbers;
    y_axis.grid!.filter = log_lines;
    y_axis.ticks!.filter = log_lines;
  }
  const options: uPlot.Options = {
    width: place.clientWidth,
    height: manner.height ?? 210,
    series: [{ label: "t", value: (_plot, value) => with_unit(value, "s") }, ...strokes(ordered, runs.length, plan.by_gauge)],
    scales: { x: { time: false }, y: is_log ? { distr: 3, range: log_range(plan.decades) } : {} },
    axes: [
      { ...axis("time [s]", 32), values: (_plot, splits) => splits.map(tick) },
      { ...y_axis, values: (_plot, splits) => splits.map(is_log ? log_tick : tick) },
    ],
    cursor: { sync: { key: time.sync.key, setSeries: false }, drag: { x: true, y: false, dist: 6 }, points: { size: 7 } },
    legend: { live: true },
    bands: envelope_of(ordered, plan),
    hooks: {
      drawClear: [(plot) => manner.behind?.(plot)],
      setScale: [(plot, key) => key === "x" && (time.follow(plot), manner.moved?.(plot))],
      setSize: [(plot) => manner.moved?.(plot)],
      setCursor: [(plot) => plot.cursor.idx == null && plot.setLegend({ idxs: resting(plot) }, false)],
    },
  };
  const plot = new uPlot(options, data, place);
  plot.setLegend({ idxs: resting(plot) }, false);
  time.add(plot);
  return plot;
}
