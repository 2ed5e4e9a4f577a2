// The head of the page: verdicts as cards, then the figures; of two runs with their differences.
import { run_letter, type Run } from "./data";
import { h, number_cell, section, table } from "./dom";
import { absent, difference, show, with_unit } from "./numbers";
import { figures_of, symbols, verdicts_of, type Verdict } from "./verdicts";

function badge(verdict: Verdict): HTMLElement {
  return h(
    "span",
    { class: `verdict ${verdict.level}` },
    h("span", { class: "symbol", "aria-hidden": "true" }, symbols[verdict.level]),
    verdict.word,
  );
}

function card(question: string, verdicts: (Verdict | undefined)[]): HTMLElement {
  const several = verdicts.length > 1;
  const lines = verdicts.map((verdict, index) =>
    h(
      "div",
      { class: "answer" },
      h(
        "p",
        {},
        several ? h("span", { class: `letter run${index}` }, run_letter(index)) : null,
        verdict ? badge(verdict) : h("span", { class: "verdict none" }, absent),
      ),
      h("p", { class: "detail" }, verdict?.detail ?? "not measured"),
    ),
  );
  return h("article", { class: "card" }, h("h3", {}, question), ...lines);
}

export function headline(runs: Run[]): HTMLElement {
  const verdicts = runs.map(verdicts_of);
  const questions = [...new Set(verdicts.flat().map((verdict) => verdict.question))];
  const cards = questions.map((question) =>
    card(question, verdicts.map((list) => list.find((verdict) => verdict.question === question))),
  );
  return section("verdicts", "Verdicts", h("div", { class: "cards" }, ...cards), figures(runs));
}

function figures(runs: Run[]): HTMLElement {
  const [a, b] = runs.map(figures_of);
  if (!b) {
    const tiles = a!.filter(({ value }) => value !== null);
    return h(
      "dl",
      { class: "figures" },
      ...tiles.map(({ label, value, unit }) => h("div", {}, h("dt", {}, label), h("dd", {}, with_unit(value, unit)))),
    );
  }
  const rows = a!.map((figure, index) => {
    const other = b[index]!;
    const change = difference(figure.value, other.value);
    return [
      figure.unit ? `${figure.label} [${figure.unit}]` : figure.label,
      number_cell(show(figure.value)),
      number_cell(show(other.value)),
      number_cell(change.is_equal ? "=" : change.absolute, !change.is_equal),
      number_cell(change.is_equal ? "" : change.relative, !change.is_equal),
    ];
  });
  return table(["", "A", "B", "B − A", "relative"], rows);
}

export function warnings(runs: Run[]): HTMLElement | null {
  const several = runs.length > 1;
  const boxes = runs.flatMap((run, index) => {
    const end = run.summary;
    const lines = [...(end?.warnings ?? []), ...(end?.quality?.advice ? [end.quality.advice] : [])];
    if (!end) {
      lines.push(...run.log.split("\n").filter((line) => /^(warning|error): /.test(line)));
    }
    if (lines.length === 0) return [];
    const label = several ? [h("h3", {}, h("span", { class: `letter run${index}` }, run_letter(index)), run.folder)] : [];
    return [...label, h("ul", { class: "warnings" }, ...lines.map((line) => h("li", {}, line)))];
  });
  const count = boxes.filter((box) => box.tagName === "UL").reduce((sum, box) => sum + box.children.length, 0);
  if (count === 0) return null;
  return section("warnings", `Warnings (${show(count)})`, ...boxes);
}
