// The last indicators of every gauge, with names and units for people.
import { gauge_names, is_of_crowd, last_indicators, type Run, type Value } from "./data";
import { differences_table } from "./differences";
import { h, number_cell, section, table, type Cell } from "./dom";
import { column_name, shown } from "./names";
import { absent, show } from "./numbers";
import { regime_of } from "./verdicts";

// A crowd has a section of its own.
const gauges_of = (run: Run): string[] => gauge_names(run).filter((gauge) => !is_of_crowd(gauge));

export const row_name = (indicator: string): Cell => {
  const { label, unit } = column_name(indicator);
  return { text: unit ? `${label} [${unit}]` : label, title: indicator };
};

function value_text(indicator: string, value: Value | undefined): string {
  const text = show(shown(indicator, value ?? null));
  return indicator === "inertial_number" && text !== absent ? `${text} (${regime_of(value ?? null)})` : text;
}

function all_indicators(lists: Map<string, Value>[]): string[] {
  return [...new Set(lists.flatMap((list) => [...list.keys()]))];
}

function of_one(run: Run): HTMLElement {
  const gauges = gauges_of(run);
  const values = gauges.map((gauge) => last_indicators(run, gauge));
  const rows = all_indicators(values).map((indicator) => [
    row_name(indicator),
    ...values.map((list) => number_cell(value_text(indicator, list.get(indicator)))),
  ]);
  return table(["indicator", ...gauges], rows);
}

function of_several(runs: Run[]): HTMLElement[] {
  const gauges = [...new Set(runs.flatMap(gauges_of))];
  return gauges.map((gauge) => {
    const lists = runs.map((run) => last_indicators(run, gauge));
    const rows = all_indicators(lists).map((indicator) => {
      const values = lists.map((list) => list.get(indicator) ?? null);
      return {
        name: row_name(indicator),
        values: values.map((value) => shown(indicator, value)),
        texts: values.map((value) => value_text(indicator, value)),
      };
    });
    return differences_table(gauge, rows, runs.length);
  });
}

export function gauge_tables(runs: Run[]): HTMLElement | null {
  if (runs.every((run) => gauges_of(run).length === 0)) return null;
  return section(
    "gauges",
    "Gauges",
    h("p", { class: "note" }, `The last value of every indicator of every gauge; ${absent} where there is none, such as a mean over no grain.`),
    ...(runs.length > 1 ? of_several(runs) : [of_one(runs[0]!)]),
  );
}
