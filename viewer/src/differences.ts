// A table of several runs side by side, and how each differs from the first.
import { run_label, type Value } from "./data";
import { number_cell, table, type Cell } from "./dom";
import { difference, show } from "./numbers";

export interface ComparedRow {
  name: string | Cell;
  values: Value[]; // one per run, as they are shown
  texts?: string[]; // instead of the numbers
}

export function differences_table(head: string, rows: ComparedRow[], runs: number): HTMLElement {
  const others = Array.from({ length: runs - 1 }, (_, index) => index + 1);
  const heads = others.flatMap((index) => [`${run_label(index)} − ${run_label(0)}`, "relative"]);
  const lines = rows.map(({ name, values, texts }) => [
    name,
    ...values.map((value, index) => number_cell(texts?.[index] ?? show(value))),
    ...others.flatMap((index) => {
      const change = difference(values[0], values[index]);
      return [
        number_cell(change.is_equal ? "=" : change.absolute, !change.is_equal),
        number_cell(change.is_equal ? "" : change.relative, !change.is_equal),
      ];
    }),
  ]);
  return table([head, ...Array.from({ length: runs }, (_, index) => run_label(index)), ...heads], lines);
}
