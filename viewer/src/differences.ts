// A table of several runs side by side, and how each differs from the first.
import { run_label, type Value } from "./data";
import { number_cell, table, type Cell } from "./dom";
import { difference, show } from "./numbers";

export interface ComparedRow {
  name: string | Cell;
  values: Value[]; // one per run, as they are shown; none: a heading of the rows below
  texts?: string[]; // instead of the numbers
  in_words?: boolean; // what differs has no size
  data?: (Record<string, string> | undefined)[]; // attributes of the cells
}

export function differences_table(head: string, rows: ComparedRow[], runs: number): HTMLElement {
  const others = Array.from({ length: runs - 1 }, (_, index) => index + 1);
  const heads = others.flatMap((index) => [`${run_label(index)} − ${run_label(0)}`, "relative"]);
  const lines = rows.map(({ name, values, texts, in_words, data }) => [
    name,
    ...values.map((value, index) => ({ ...number_cell(texts?.[index] ?? show(value)), data: data?.[index] })),
    ...others.flatMap((index) => {
      if (values.length === 0) return [];
      const change = difference(values[0], values[index]);
      return [
        number_cell(change.is_equal ? "=" : in_words ? "≠" : change.absolute, !change.is_equal),
        number_cell(change.is_equal || in_words ? "" : change.relative, !change.is_equal),
      ];
    }),
  ]);
  return table([head, ...Array.from({ length: runs }, (_, index) => run_label(index)), ...heads], lines);
}
