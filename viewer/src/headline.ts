// The head of the page: verdicts as cards, then the figures; of several runs with their differences.
import { run_label, type Run } from "./data";
import { differences_table } from "./differences";
import { h, section } from "./dom";
import { absent, show, with_unit } from "./numbers";
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
        several ? h("span", { class: `letter run${index}` }, run_label(index)) : null,
        verdict ? badge(verdict) : h("span", { class: "verdict none" }, absent),
      ),
      h("p", { class: "detail" }, verdict?.detail ?? "not measured"),
    ),
  );
  return h("article", { class: "card" }, h("h3", {}, question), ...lines);
}

// A comparison has the figures in its own table.
export function headline(runs: Run[], with_figures: boolean): HTMLElement {
  const verdicts = runs.map(verdicts_of);
  const questions = [...new Set(verdicts.flat().map((verdict) => verdict.question))];
  const cards = questions.map((question) =>
    card(question, verdicts.map((list) => list.find((verdict) => verdict.question === question))),
  );
  return section("verdicts", "Verdicts", h("div", { class: "cards" }, ...cards), with_figures ? figures(runs) : null);
}

function figures(runs: Run[]): HTMLElement {
  const all = runs.map(figures_of);
  const a = all[0]!;
  if (runs.length === 1) {
    const tiles = a.filter(({ value }) => value !== null);
    return h(
      "dl",
      { class: "figures" },
      ...tiles.map(({ label, value, unit }) => h("div", {}, h("dt", {}, label), h("dd", {}, with_unit(value, unit)))),
    );
  }
  const rows = a.map(({ label, unit }, index) => ({
    name: unit ? `${label} [${unit}]` : label,
    values: all.map((list) => list[index]!.value),
  }));
  return differences_table("", rows, runs.length);
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
    const label = several ? [h("h3", {}, h("span", { class: `letter run${index}` }, run_label(index)), run.folder)] : [];
    return [...label, h("ul", { class: "warnings" }, ...lines.map((line) => h("li", {}, line)))];
  });
  const count = boxes.filter((box) => box.tagName === "UL").reduce((sum, box) => sum + box.children.length, 0);
  if (count === 0) return null;
  return section("warnings", `Warnings (${show(count)})`, ...boxes);
}
