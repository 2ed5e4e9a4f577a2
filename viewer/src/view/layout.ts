// The page around the stage: heading, panel with tabs, state of the run.
import { h } from "../dom";
import { duration, show } from "../numbers";
import { button } from "./forms";
import type { RunFacts } from "./format";
import type { Live } from "./live";
import type { Viewer } from "./viewer";

export interface Layout {
  place: HTMLElement; // of the stage
  header: HTMLElement;
  panel: HTMLElement;
  state: HTMLElement;
  toggle_panel: () => void;
}

const is_narrow = (): boolean => window.matchMedia("(max-width: 700px)").matches;

export function make_layout(run: RunFacts): Layout {
  const place = h("main", { class: "stage" });
  const state = h("span", { class: "state", role: "status" });
  const header = h("header", { class: "bar" }, h("h1", { title: run.folder }, run.title || run.folder), state);
  const panel = h("aside", { class: "panel", "aria-label": "settings and plots" });
  if (is_narrow()) document.body.classList.add("folded");
  document.body.append(header, place, panel);
  return { place, header, panel, state, toggle_panel: () => document.body.classList.toggle("folded") };
}

export function fill_header(header: HTMLElement, viewer: Viewer, toggle_panel: () => void, open_help: () => void): void {
  const views = [
    button("oblique", "oblique view (1)", () => viewer.look("iso")),
    button("front", "front view (2)", () => viewer.look("front")),
    button("side", "side view (3)", () => viewer.look("side")),
    button("top", "top view (4)", () => viewer.look("top")),
  ];
  header.append(
    h(
      "nav",
      { "aria-label": "view" },
      ...(viewer.run.dimension === 3 ? views : []),
      button("fit", "fit the sample into the view (f)", () => viewer.fit()),
      button("?", "keys and pointer (?)", open_help, "round"),
      button("panel", "show or hide the panel (p)", toggle_panel, "toggle"),
    ),
  );
}

export function fill_panel(panel: HTMLElement, tabs: [title: string, content: HTMLElement][]): void {
  const heads = tabs.map(([title], k) => button(title, "", () => choose(k)));
  const places = tabs.map(() => 0); // each tab keeps where it was scrolled to
  let shown = 0;
  const choose = (chosen: number): void => {
    places[shown] = panel.scrollTop;
    shown = chosen;
    heads.forEach((head, k) => head.setAttribute("aria-selected", String(k === chosen)));
    tabs.forEach(([, content], k) => (content.hidden = k !== chosen));
    panel.scrollTop = places[chosen]!;
  };
  heads.forEach((head) => head.setAttribute("role", "tab"));
  panel.append(h("div", { class: "tabs", role: "tablist" }, ...heads), ...tabs.map(([, content]) => content));
  choose(0);
}

const outcomes: Record<string, [word: string, level: string]> = {
  running: ["running", "plain"],
  done: ["done", "good"],
  interrupted: ["interrupted", "fair"],
  quality: ["limit exceeded", "fair"],
  failed: ["failed", "bad"],
};

// What the run does, in the heading; refreshed while it goes on.
export function tell_state(element: HTMLElement, viewer: Viewer, live: Live): void {
  const write = (): void => {
    const { outcome, reason } = viewer.run.state;
    const [word, level] = outcomes[outcome] ?? [outcome, "plain"];
    const detail = outcome === "running" ? (live.is_running ? `last change ${duration(Math.round(live.age))} ago` : "when this file was written") : reason;
    element.className = `state ${level}`;
    element.replaceChildren(h("b", {}, word), detail && detail !== word ? h("span", {}, detail) : "");
    element.title = `${word}${detail ? `: ${detail}` : ""}; ${show(viewer.run.frames.length)} frames`;
  };
  viewer.on("news", write);
  window.setInterval(() => live.is_running && write(), 1000);
  write();
}
