// Time series: the run's own columns, then each gauge, folded.
import { column, gauge_names, gauge_of, is_constant, is_of_crowd, largest, line_count, type Run } from "./data";
import { h, section } from "./dom";
import { column_name, plan_plots, shown } from "./names";
import { with_unit } from "./numbers";
import type { TimePlots } from "./time_plots";

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

export function series_plots(runs: Run[], plots: TimePlots | null): HTMLElement {
  if (!plots) return section("series", "Time series", h("p", {}, "The series has no line yet."));
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
      plots.grid(plan_plots(columns.moving, true)),
      constant_line(runs, columns.constant),
    );
  };
  const gauges = all.filter((gauge) => !is_of_crowd(gauge)).map((gauge, index) => folded(gauge, has_crowd ? 1 : index));
  const measures = all.filter(is_of_crowd).map(folded);
  const thinned = runs.some((run) => run.series.lines > line_count(run.series));
  return section(
    "series",
    "Time series",
    plots.zoom_bar(),
    plots.legend(),
    thinned ? h("p", { class: "note" }, "Neighbouring lines of series.csv are drawn together by their least and largest value.") : null,
    ...measures,
    h("details", { open: true }, h("summary", {}, "The whole sample"), plots.grid(plan_plots(own.moving, false)), constant_line(runs, own.constant)),
    ...gauges,
  );
}
