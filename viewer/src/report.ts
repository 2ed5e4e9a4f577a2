// The report of one run, or of several side by side.
import "uplot/dist/uPlot.min.css";
import "./palette.css";
import "./report.css";
import { read_report, run_label, type Comparison, type Report, type Run } from "./data";
import { comparison_section } from "./comparison";
import { crowd } from "./crowd";
import { distributions } from "./distributions";
import { h } from "./dom";
import { gauge_tables } from "./gauge_tables";
import { headline, warnings } from "./headline";
import { show, with_unit } from "./numbers";
import { pictures } from "./pictures";
import { log, provenance } from "./provenance";
import { scene_text } from "./scene_text";
import { series_plots } from "./series_plots";
import { time_plots } from "./time_plots";
import { timing } from "./timing";
import { track } from "./track";

function about(run: Run): string {
  const time = run.summary?.simulated_time_s;
  const parts = [run.folder, `${run.dimension}D`, `${show(run.summary?.bodies ?? run.bodies)} bodies`];
  if (time !== undefined && time !== null) parts.push(`${with_unit(time, "s")} simulated`);
  parts.push(run.provenance.started.replace("T", " ").replace("Z", " UTC"));
  return parts.join(" · ");
}

function heading(runs: Run[], comparison: Comparison | null): HTMLElement {
  const [a, b] = runs;
  if (!b) return h("header", {}, h("h1", {}, a!.title), h("p", {}, about(a!)));
  const lines = runs.map((run, index) =>
    h("p", {}, h("span", { class: `letter run${index}` }, run_label(index)), h("strong", {}, run.title), " · ", about(run)),
  );
  const words = { 2: "two", 3: "three" }[runs.length] ?? String(runs.length);
  const alike = runs.every((run) => run.title === a!.title);
  // a scene without a name is known by its file
  const subject = alike ? a!.title : comparison?.scene.replace(/^.*\//, "").replace(/\.toml$/, "");
  const title = subject ? `${subject}: ${words} ${comparison ? "methods" : "runs"}` : runs.map((run) => run.title).join(" and ");
  return h("header", {}, h("h1", {}, title), ...lines);
}

// The entry of the section in sight is marked.
function contents(sections: HTMLElement[]): HTMLElement {
  const links = new Map(sections.map((part) => [part, h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent!)]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) links.get(entry.target as HTMLElement)?.classList.toggle("here", entry.isIntersecting);
    },
    { rootMargin: "-20% 0px -70% 0px" },
  );
  sections.forEach((part) => observer.observe(part));
  return h("nav", { "aria-label": "contents" }, ...links.values());
}

function build(report: Report): void {
  const { runs, comparison } = report;
  const plots = time_plots(runs);
  const sections = [
    track(runs, plots),
    comparison_section(comparison, runs),
    headline(runs, !comparison),
    warnings(runs),
    crowd(runs),
    pictures(runs),
    series_plots(runs, plots),
    comparison ? null : gauge_tables(runs), // they are in its table
    distributions(runs),
    timing(runs),
    scene_text(runs),
    log(runs),
    provenance(runs),
  ].filter((part): part is HTMLElement => part !== null);
  const footer = h("footer", {}, `Made by talus ${comparison ? "compare" : "report"}, Talus ${report.talus}. This file needs no network.`);
  document.body.append(contents(sections), h("main", {}, heading(runs, comparison), ...sections, footer));
}

try {
  build(read_report());
} catch (error) {
  document.body.append(h("p", {}, `This report cannot be drawn: ${String(error)}`));
  throw error;
}
