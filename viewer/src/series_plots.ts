// Time series: the run's own columns, then each gauge, folded. A plot is made when it first comes into sight, so that
// a page with hundreds of columns opens at once.
import type uPlot from "uplot";
import { column, gauge_names, gauge_of, is_constant, is_of_crowd, largest, line_count, run_label, type Run } from "./data";
import { h, section } from "./dom";
import { column_name, plan_plots, shown, type PlotPlan } from "./names";
import { show, with_unit } from "./numbers";
import { make_plot, TimeAxis } from "./plot";

interface Waiting {
  place: HTMLElement;
  plan: PlotPlan;
  plot: uPlot | null;
}

// Columns that say the same all the time are a line of text instead.
function split_constant(runs: Run[], columns: string[]): { moving: string[]; constant: string[] } {
  const is_still = (name: string): boolean =>
    runs.every((run) => {
      const values = column(run.series, name);
      return values === null || is_constant(run.series, name) || largest(values) === null;
    });
  return { moving: columns.filter((name) => !is_still(name)), constant: columns.filter(is_still) };
}

// Where there is one exit, who has left has left by it.
function without_echo(columns: string[]): string[] {
  const by_exits = columns.filter((name) => name.startsWith("crowd.left by ")).length;
  return by_exits === 1 ? columns.filter((name) => name !== "crowd.left") : columns;
}

function constant_line(runs: Run[], columns: string[]): HTMLElement | null {
  if (columns.length === 0) return null;
  const words = columns.map((name) => {
    const { label, unit } = column_name(name);
    const values = runs.map((run) => with_unit(shown(name, column(run.series, name)?.at(-1) ?? null), unit));
    return `${label} ${[...new Set(values)].join(" | ")}`;
  });
  return h("p", { class: "note" }, `The same all the time: ${words.join("; ")}.`);
}

class Plots {
  private readonly waiting: Waiting[] = [];
  private readonly observer: IntersectionObserver;

  constructor(private readonly runs: Run[], private readonly time: TimeAxis) {
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (entry.isIntersecting) this.draw(this.waiting.find(({ place }) => place === entry.target)!);
        }
      },
      { rootMargin: "1200px" },
    );
    window.addEventListener("resize", () => this.resize());
    window.addEventListener("beforeprint", () => this.draw_for_paper());
    window.addEventListener("afterprint", () => this.resize());
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  grid(columns: string[], of_gauge: boolean): HTMLElement {
    const cells = plan_plots(columns, of_gauge).map((plan) => {
      const place = h("div", { class: "plot" });
      this.waiting.push({ place, plan, plot: null });
      this.observer.observe(place);
      return h("figure", { class: "series" }, h("figcaption", {}, plan.decades > 0 ? `${plan.title}, logarithmic` : plan.title), place);
    });
    return h("div", { class: "plots" }, ...cells);
  }

  private draw(item: Waiting): void {
    if (item.plot || item.place.clientWidth === 0) return;
    item.plot = make_plot(this.runs, item.plan, this.time, item.place);
    this.observer.unobserve(item.place);
  }
  // two beside each other on a page of A4 or letter
  private draw_for_paper(): void {
    for (const details of document.querySelectorAll("#series details")) details.setAttribute("open", "");
    for (const item of this.waiting) {
      this.draw(item);
      item.plot?.setSize({ width: 310, height: item.plot.height });
    }
  }
  private resize(): void {
    for (const { plot, place } of this.waiting) {
      if (plot && place.clientWidth > 0 && place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: plot.height });
    }
  }
  private redraw(): void {
    this.time.clear();
    for (const item of this.waiting) {
      if (item.plot) this.observer.observe(item.place);
      item.plot = null;
    }
  }
}

function whole_time(runs: Run[]): { min: number; max: number } | null {
  const ends = runs.flatMap((run) => {
    const time = column(run.series, "time_s") ?? [];
    return time.length > 0 ? [time[0]!, time.at(-1)!] : [];
  });
  if (ends.length === 0) return null;
  const [min, max] = [Math.min(...ends), Math.max(...ends)];
  return max > min ? { min, max } : { min: min - 0.5, max: max + 0.5 };
}

// "B is dashed", or of three runs "B is dashed, C is dotted"
function line_manners(runs: Run[]): string {
  const manners = ["", "is dashed", "is dotted"];
  const words = runs.slice(1).map((_, index) => `${run_label(index + 1)} ${manners[index + 1] ?? "is dash-dotted"}`);
  return `Where quantities share a plot, ${words.join(", ")}.`;
}

function zoom_bar(time: TimeAxis, runs: Run[]): HTMLElement {
  const hint = "Drag across a plot to zoom into that time, in all plots; a double click shows the whole run.";
  const text = h("span", {}, runs.length > 1 ? `${hint} ${line_manners(runs)}` : hint);
  const button = h("button", { type: "button", class: "small", disabled: true, click: () => time.show(null) }, "whole run");
  const idle = text.textContent!;
  time.onchange = (shown) => {
    button.disabled = shown === null;
    text.textContent = shown ? `Shown: t = ${show(shown.min)} to ${with_unit(shown.max, "s")}` : idle;
  };
  return h("div", { class: "zoom" }, text, button);
}

export function series_plots(runs: Run[]): HTMLElement {
  const whole = whole_time(runs);
  if (!whole) return section("series", "Time series", h("p", {}, "The series has no line yet."));
  const time = new TimeAxis(whole);
  const plots = new Plots(runs, time);
  const names = [...new Set(runs.flatMap((run) => run.series.names))];
  const own = split_constant(runs, names.filter((name) => !name.includes(".") && name !== "time_s" && name !== "step"));
  const all = [...new Set(runs.flatMap(gauge_names))];
  const has_crowd = all.includes("crowd");
  const folded = (gauge: string, index: number): HTMLElement => {
    const own_names = names.filter((name) => name.includes(".") && gauge_of(name) === gauge);
    const columns = split_constant(runs, without_echo(own_names));
    return h(
      "details",
      { open: index === 0 || is_of_crowd(gauge) },
      h("summary", {}, is_of_crowd(gauge) ? gauge.charAt(0).toUpperCase() + gauge.slice(1) : `Gauge ${gauge}`),
      plots.grid(columns.moving, true),
      constant_line(runs, columns.constant),
    );
  };
  const gauges = all.filter((gauge) => !is_of_crowd(gauge)).map((gauge, index) => folded(gauge, has_crowd ? 1 : index));
  const measures = all.filter(is_of_crowd).map(folded);
  const thinned = runs.some((run) => run.series.lines > line_count(run.series));
  return section(
    "series",
    "Time series",
    zoom_bar(time, runs),
    thinned ? h("p", { class: "note" }, "Neighbouring lines of series.csv are drawn together by their least and largest value.") : null,
    ...measures,
    h("details", { open: true }, h("summary", {}, "The whole sample"), plots.grid(own.moving, false), constant_line(runs, own.constant)),
    ...gauges,
  );
}
