// Plots of every series beside the scene: a line at the time shown, a click goes to that time. Plots are made when
// they come into sight, and only the chosen ones are there at all.
import type uPlot from "uplot";
import { column, gauge_of, is_constant, largest, line_count } from "../data";
import { h } from "../dom";
import { column_name, plan_plots, shown, type PlotPlan } from "../names";
import { with_unit } from "../numbers";
import { make_plot, plot_data, TimeAxis } from "../plot";
import type { Timeline } from "./timeline";
import type { Viewer } from "./viewer";

interface Figure {
  plan: PlotPlan;
  place: HTMLElement;
  plot: uPlot | null;
  now: HTMLElement; // the line at the time shown
}

const own = "the whole sample";
const everything = "everything";

export class SeriesPanel {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "plots" });
  private readonly search = h("input", { type: "search", placeholder: "search the series", "aria-label": "search the series", input: () => this.build() });
  private readonly chooser = h("select", { "aria-label": "whose series", change: () => this.build() });
  private figures: Figure[] = [];
  private readonly time = new TimeAxis({ min: 0, max: 1 });
  private readonly observer: IntersectionObserver;
  private known = "";

  constructor(private readonly viewer: Viewer, private readonly timeline: Timeline) {
    this.element = h("div", { class: "series" }, h("div", { class: "choose" }, this.chooser, this.search), this.list);
    this.observer = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.draw(this.figures.find(({ place }) => place === entry.target));
    }, { rootMargin: "300px" });
    new ResizeObserver(() => this.resize()).observe(this.list);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.build());
    viewer.on("frame", () => this.move());
    viewer.on("news", () => this.news());
    this.refresh();
  }

  // Names may come with the first line of a run that has just begun.
  private refresh(): void {
    const { names } = this.viewer.run.series;
    this.known = names.join();
    const gauges = [...new Set(names.filter((name) => name.includes(".")).map(gauge_of))];
    const before = this.chooser.value;
    this.chooser.replaceChildren(...[own, ...gauges.map((name) => `gauge ${name}`), ...(gauges.length > 0 ? [everything] : [])].map((text) => h("option", {}, text)));
    if (before) this.chooser.value = before;
    this.search.placeholder = `search ${names.length} series`;
    this.extend();
    this.build();
  }
  private extend(): void {
    const times = (column(this.viewer.run.series, "time_s") ?? []) as number[];
    const first = times[0] ?? 0, last = times.at(-1) ?? first;
    this.time.extend(last > first ? { min: first, max: last } : { min: first - 0.5, max: first + 0.5 });
  }

  private wanted(): string[] {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const choice = this.chooser.value;
    return this.viewer.run.series.names.filter((name) => {
      if (name === "time_s" || name === "step") return false;
      if (words.length > 0) return words.every((word) => `${name} ${column_name(name).label}`.toLowerCase().includes(word));
      if (choice === everything) return true;
      return choice === own ? !name.includes(".") : name.includes(".") && `gauge ${gauge_of(name)}` === choice;
    });
  }
  private is_still(name: string): boolean {
    const { series } = this.viewer.run;
    return is_constant(series, name) || largest(column(series, name)) === null;
  }
  private build(): void {
    this.time.clear();
    this.observer.disconnect();
    this.figures = [];
    const { series } = this.viewer.run;
    if (line_count(series) === 0) {
      this.list.replaceChildren(h("p", { class: "note" }, "The series has no line yet."));
      return;
    }
    const names = this.wanted();
    const moving = names.filter((name) => !this.is_still(name)), still = names.filter((name) => this.is_still(name));
    const sources = [...new Set(moving.map((name) => (name.includes(".") ? gauge_of(name) : "")))];
    const figures = sources.flatMap((source) => {
      const columns = moving.filter((name) => (name.includes(".") ? gauge_of(name) : "") === source);
      return plan_plots(columns, source !== "").map((plan) => this.figure(plan, sources.length > 1 && source ? `${source}: ` : ""));
    });
    const same = still.map((name) => `${column_name(name).label} ${with_unit(shown(name, column(series, name)?.at(-1) ?? null), column_name(name).unit)}`);
    this.list.replaceChildren(...figures, ...(same.length > 0 ? [h("p", { class: "note" }, `The same all the time: ${same.join("; ")}.`)] : []));
    if (names.length === 0) this.list.replaceChildren(h("p", { class: "note" }, "No series has such a name."));
  }
  private figure(plan: PlotPlan, prefix: string): HTMLElement {
    const place = h("div", { class: "plot" });
    this.figures.push({ plan, place, plot: null, now: h("div", { class: "now" }) });
    this.observer.observe(place);
    return h("figure", { class: "series" }, h("figcaption", {}, `${prefix}${plan.title}${plan.decades > 0 ? ", logarithmic" : ""}`), place);
  }

  private draw(figure: Figure | undefined): void {
    if (!figure || figure.plot || figure.place.clientWidth === 0) return;
    this.observer.unobserve(figure.place);
    const plot = make_plot([this.viewer.run], figure.plan, this.time, figure.place, {
      height: 170,
      resting: (times) => this.line_at(times),
      moved: () => this.move_line(figure),
    });
    figure.plot = plot;
    plot.over.append(figure.now);
    this.move_line(figure);
    let from = 0;
    plot.over.addEventListener("pointerdown", (event) => (from = event.clientX));
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - from) > 4) return; // the end of a zoom
      const time = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x");
      this.timeline.by_hand(this.viewer.nearest(time));
    });
  }
  private line_at(times: ArrayLike<number>): number {
    const time = this.viewer.frame?.time ?? Infinity;
    let low = 0, high = times.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! < time - 1e-12) low = middle + 1;
      else high = middle;
    }
    return low > 0 && Math.abs(times[low - 1]! - time) < Math.abs(times[low]! - time) ? low - 1 : low;
  }
  private move_line({ plot, now }: Figure): void {
    const time = this.viewer.frame?.time;
    if (!plot || time === undefined) return;
    const x = plot.valToPos(time, "x");
    now.hidden = !(x >= -1 && x <= plot.over.clientWidth + 1);
    now.style.transform = `translateX(${x.toFixed(1)}px)`;
  }
  private move(): void {
    for (const figure of this.figures) {
      if (!figure.plot) continue;
      this.move_line(figure);
      const line = this.line_at(figure.plot.data[0]);
      if (figure.plot.cursor.idx == null) figure.plot.setLegend({ idxs: figure.plot.data.map(() => line) }, false);
    }
  }
  private news(): void {
    if (this.viewer.run.series.names.join() !== this.known || this.figures.length === 0) {
      this.refresh();
      return;
    }
    for (const { plot, plan } of this.figures) plot?.setData(plot_data([this.viewer.run], plan), true);
    this.extend();
    this.move();
  }
  private resize(): void {
    for (const figure of this.figures) {
      const { plot, place } = figure;
      if (!plot) this.draw_if_in_sight(figure);
      else if (place.clientWidth > 0 && place.clientWidth !== plot.width) plot.setSize({ width: place.clientWidth, height: plot.height });
    }
  }
  // A panel that was folded had no width when its plots came into sight.
  private draw_if_in_sight(figure: Figure): void {
    this.observer.unobserve(figure.place);
    this.observer.observe(figure.place);
  }
}
