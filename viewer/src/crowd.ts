// A crowd: how it left, by which exits and across which lines, who was pressed most, and maps of the ground.
import { run_label, type CrowdMap, type CrowdSummary, type Run } from "./data";
import { h, number_cell, section, table } from "./dom";
import { show, with_unit } from "./numbers";
import { figure } from "./pictures";

function tiles(crowd: CrowdSummary): HTMLElement {
  const all: [string, string][] = [
    ["persons", show(crowd.persons)],
    ["left", show(crowd.left)],
    ["mean time to leave", with_unit(crowd.mean_time_s, "s")],
    ["95 % have left", with_unit(crowd.time_of_95_percent_s, "s")],
    ["last one left", with_unit(crowd.last_time_s, "s")],
    ["mean time in contact", with_unit(crowd.mean_contact_time_s, "s", 3)],
    ["largest force over 0.1 s", with_unit(crowd.largest_force_N, "N", 3)],
    [`crushed, over ${with_unit(crowd.crush_pressure_Npm, "N/m")}`, show(crowd.crushed)],
  ];
  return h("dl", { class: "figures" }, ...all.map(([label, value]) => h("div", {}, h("dt", {}, label), h("dd", {}, value))));
}

function tables(crowd: CrowdSummary): (HTMLElement | null)[] {
  const exits = (crowd.exits ?? []).map(({ name, left, first_time_s, last_time_s, flow_ps }) => [
    name,
    ...[left, first_time_s, last_time_s, flow_ps].map((value) => number_cell(show(value))),
  ]);
  const lines = (crowd.lines ?? []).map(({ name, ahead, back, ahead_flow_ps, ahead_specific_flow_pmps }) => [
    name,
    ...[ahead, back, ahead_flow_ps, ahead_specific_flow_pmps].map((value) => number_cell(show(value))),
  ]);
  const pressed = (crowd.most_pressed ?? []).map(({ person, force_N, time_s, contact_time_s }) => [
    String(person),
    ...[force_N, time_s, contact_time_s].map((value) => number_cell(show(value, 3))),
  ]);
  return [
    exits.length > 0 ? table(["exit", "persons", "first [s]", "last [s]", "flow [1/s]"], exits) : null,
    lines.length > 0 ? table(["line", "ahead", "back", "flow ahead [1/s]", "specific flow [1/(m s)]"], lines) : null,
    pressed.length > 0 ? table(["most pressed: person", "force [N]", "at [s]", "in contact [s]"], pressed) : null,
  ];
}

function meaning(map: CrowdMap, square: number): string {
  const squares = `mean by squares of ${with_unit(square, "m")} over all frames`;
  if (map.what === "density") return `Density, ${squares}`;
  if (map.what === "speed") return `Speed, ${squares}`;
  if (map.what === "service") return `Fruin's level of service for walkways, by the mean density`;
  return "Ways of the persons, coloured by time";
}

function of_run(run: Run, index: number, several: boolean): HTMLElement[] {
  const parts: HTMLElement[] = [];
  const summed_up = run.summary?.crowd;
  if (several) parts.push(h("h3", {}, h("span", { class: `letter run${index}` }, run_label(index)), run.folder));
  if (summed_up) parts.push(tiles(summed_up));
  const maps = run.crowd?.pictures ?? [];
  if (maps.length > 0) parts.push(h("div", { class: "pictures pairs" }, ...maps.map((map) => figure(map, meaning(map, run.crowd!.square)))));
  if (summed_up) parts.push(...tables(summed_up).filter((part) => part !== null));
  return parts;
}

export function crowd(runs: Run[]): HTMLElement | null {
  const several = runs.length > 1;
  const has_crowd = (run: Run): boolean => Boolean(run.crowd ?? run.summary?.crowd);
  if (!runs.some(has_crowd)) return null;
  const parts = runs.flatMap((run, index) => (has_crowd(run) ? of_run(run, index, several) : []));
  const note = h("p", { class: "note" }, "The evacuation curve, forces and flows against time are the first plots of the time series.");
  return section("crowd", "Crowd", note, ...parts);
}
