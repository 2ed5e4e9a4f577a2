// The plots against time of a report. They share the interval shown and the bands of the phases. A plot is made when
// it first comes into sight, so that a page with hundreds of columns opens at once.
import type uPlot from "uplot";
import { column, run_label, type Run, type Sampled } from "./data";
import { h } from "./dom";
import type { PlotPlan } from "./names";
import { show, with_unit } from "./numbers";
import { shade, shading_legend, shading_of, type Shading } from "./phases";
import { make_plot, TimeAxis } from "./plot";

interface Waiting {
  place: HTMLElement;
  plan: PlotPlan;
  sampled: Sampled[]; // one per run
  plot: uPlot | null;
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

export class TimePlots {
  private readonly waiting: Waiting[] = [];
  private readonly observer: IntersectionObserver;
  private readonly time: TimeAxis;
  private readonly shading: Shading;

  constructor(private readonly runs: Run[], whole: { min: number; max: number }) {
    this.time = new TimeAxis(whole);
    this.shading = shading_of(runs);
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

  grid(plans: PlotPlan[]): HTMLElement {
    return h("div", { class: "plots" }, ...plans.map((plan) => this.figure(plan)));
  }
  // of the series of the runs, or of other samples, one per run
  figure(plan: PlotPlan, sampled: Sampled[] = this.runs): HTMLElement {
    const place = h("div", { class: "plot" });
    this.waiting.push({ place, plan, sampled, plot: null });
    this.observer.observe(place);
    return h("figure", { class: "series" }, h("figcaption", {}, plan.decades > 0 ? `${plan.title}, logarithmic` : plan.title), place);
  }
  legend(): HTMLElement | null {
    return shading_legend(this.shading);
  }
  zoom_bar(): HTMLElement {
    const hint = "Drag across a plot to zoom into that time, in all plots; a double click shows the whole run.";
    const idle = this.runs.length > 1 ? `${hint} ${line_manners(this.runs)}` : hint;
    const text = h("span", {}, idle);
    const button = h("button", { type: "button", class: "small", disabled: true, click: () => this.time.show(null) }, "whole run");
    this.time.on_change((shown) => {
      button.disabled = shown === null;
      text.textContent = shown ? `Shown: t = ${show(shown.min)} to ${with_unit(shown.max, "s")}` : idle;
    });
    return h("div", { class: "zoom" }, text, button);
  }

  private draw(item: Waiting): void {
    if (item.plot || item.place.clientWidth === 0) return;
    const { bands } = this.shading;
    item.plot = make_plot(item.sampled, item.plan, this.time, item.place, { behind: (plot) => shade(plot, bands) });
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

// None while no run has a line of its series.
export function time_plots(runs: Run[]): TimePlots | null {
  const whole = whole_time(runs);
  return whole && new TimePlots(runs, whole);
}
