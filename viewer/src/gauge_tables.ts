// The last indicators of every gauge, with names and units for people.
import { gauge_names, last_indicators, type Run, type Value } from "./data";
import { h, number_cell, section, table, type Cell } from "./dom";
import { column_name, shown } from "./names";
import { absent, difference, show } from "./numbers";
import { regime_of } from "./verdicts";

const row_name = (indicator: string): Cell => {
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
  const gauges = gauge_names(run);
  const values = gauges.map((gauge) => last_indicators(run, gauge));
  const rows = all_indicators(values).map((indicator) => [
    row_name(indicator),
    ...values.map((list) => number_cell(value_text(indicator, list.get(indicator)))),
  ]);
  return table(["indicator", ...gauges], rows);
}

function of_two(a: Run, b: Run): HTMLElement[] {
  const gauges = [...new Set([...gauge_names(a), ...gauge_names(b)])];
  return gauges.map((gauge) => {
    const [left, right] = [last_indicators(a, gauge), last_indicators(b, gauge)];
    const rows = all_indicators([left, right]).map((indicator) => {
      const [one, other] = [left.get(indicator) ?? null, right.get(indicator) ?? null];
      const change = difference(shown(indicator, one), shown(indicator, other));
      return [
        row_name(indicator),
        number_cell(value_text(indicator, one)),
        number_cell(value_text(indicator, other)),
        number_cell(change.is_equal ? "=" : change.absolute, !change.is_equal),
        number_cell(change.is_equal ? "" : change.relative, !change.is_equal),
      ];
    });
    return table([gauge, "A", "B", "B − A", "relative"], rows);
  });
}

export function gauge_tables(runs: Run[]): HTMLElement | null {
  if (runs.every((run) => gauge_names(run).length === 0)) return null;
  const [a, b] = runs;
  return section(
    "gauges",
    "Gauges",
    h("p", { class: "note" }, `The last value of every indicator of every gauge; ${absent} where there is none, such as a mean over no grain.`),
    ...(b ? of_two(a!, b) : [of_one(a!)]),
  );
}
