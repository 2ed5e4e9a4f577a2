// One scene by several methods: the table that `talus compare` made, on top of its page.
import { run_label, type Comparison, type Run } from "./data";
import { differences_table } from "./differences";
import { h, section } from "./dom";
import { row_name } from "./gauge_tables";
import { shown } from "./names";
import { show } from "./numbers";

const titles: Record<string, string> = { run: "The run", energy: "Energy at the end", contacts: "Contacts", cost: "Cost" };

const ratio_name = "wall_time_ratio";

// The cost in a sentence: what one looks for first.
function cost_line(comparison: Comparison, methods: string[]): string | null {
  const ratio = comparison.figures.find((figure) => figure.quantity === ratio_name);
  const parts = methods.slice(1).flatMap((method) => {
    const value = ratio?.values[method];
    return value ? [`${method} took ${show(value, 3)} times as long as ${methods[0]}`] : [];
  });
  return parts.length > 0 ? `${parts.join("; ")}.` : null;
}

export function comparison_section(comparison: Comparison | null, runs: Run[]): HTMLElement | null {
  if (!comparison) return null;
  const methods = runs.map((_, index) => run_label(index));
  const refused = comparison.methods
    .filter((method) => !methods.includes(method.method))
    .map(({ method, outcome, reason }) => h("li", {}, h("strong", {}, method), ` – ${outcome}: ${reason}`));
  const groups = [...new Set(comparison.figures.map((figure) => figure.group))];
  const tables = groups.map((group) => {
    const rows = comparison.figures
      .filter((figure) => figure.group === group && figure.quantity !== ratio_name) // it is said above
      .map(({ quantity, values }) => ({ name: row_name(quantity), values: methods.map((method) => shown(quantity, values[method] ?? null)) }))
      .filter(({ values }) => values.some((value) => value !== null && value !== 0)); // nothing to compare
    return rows.length > 0 ? differences_table(titles[group] ?? group, rows, methods.length) : null;
  });
  const cost = cost_line(comparison, methods);
  return section(
    "comparison",
    "Comparison",
    refused.length > 0 ? h("ul", { class: "warnings" }, ...refused) : null,
    h("p", { class: "note" }, `At the end of the runs of ${comparison.scene}, of which only scene.method differs. Quantities that are 0 with all are left out.`),
    cost ? h("p", {}, cost) : null,
    ...tables,
  );
}
