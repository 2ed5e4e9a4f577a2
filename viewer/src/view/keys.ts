// Keyboard shortcuts and the page that lists them.
import { h } from "../dom";
import { quantities_of } from "./colouring";
import { show_all } from "./control_panel";
import { toggle_follow } from "./picked_panel";
import type { Timeline } from "./timeline";
import type { Viewer } from "./viewer";

interface Shortcut {
  keys: string[];
  shown?: string;
  help: string;
  act: () => void;
}

export function help_dialog(): HTMLDialogElement {
  const dialog = h("dialog", { class: "help", click: () => dialog.close() });
  return dialog;
}

function shortcuts(viewer: Viewer, timeline: Timeline, dialog: HTMLDialogElement, toggle_panel: () => void): Shortcut[] {
  const { settings, stage, run } = viewer;
  const repaint = (): void => {
    viewer.repaint();
    viewer.tell("settings");
  };
  const body = (): number => (viewer.picked?.kind === "body" ? viewer.picked.body : -1);
  const next_colour = (by: number): void => {
    const names = quantities_of(run).map(({ name }) => name);
    settings.colour.quantity = names[(names.indexOf(settings.colour.quantity) + by + names.length) % names.length]!;
    settings.colour.fixed = null;
    repaint();
  };
  const only_3d: Shortcut[] = [
    { keys: ["1"], help: "oblique view", act: () => viewer.look("iso") },
    { keys: ["2"], help: "front view", act: () => viewer.look("front") },
    { keys: ["3"], help: "side view", act: () => viewer.look("side") },
    { keys: ["4"], help: "top view", act: () => viewer.look("top") },
    { keys: ["o"], help: "parallel projection or perspective", act: () => (stage.set_parallel(!stage.is_parallel), viewer.tell("settings")) },
  ];
  const next_map = { none: "density", density: "speed", speed: "none" } as const;
  const of_people: Shortcut[] = [
    { keys: ["j"], help: "trajectories", act: () => ((settings.trajectories = !settings.trajectories), repaint()) },
    { keys: ["m"], help: "map of density, of speed, none", act: () => ((settings.map = next_map[settings.map]), repaint()) },
  ];
  return [
    { keys: [" "], shown: "space", help: "play or stop", act: () => timeline.toggle() },
    { keys: [",", "PageUp"], shown: ",", help: "frame before", act: () => timeline.step(-1) },
    { keys: [".", "PageDown"], shown: ".", help: "next frame", act: () => timeline.step(1) },
    { keys: ["Home"], help: "first frame", act: () => timeline.by_hand(0) },
    { keys: ["End"], help: "last frame", act: () => timeline.by_hand(run.frames.length - 1) },
    { keys: ["<"], shown: "< >", help: "play slower, faster", act: () => timeline.faster(-1) },
    { keys: [">"], shown: "", help: "", act: () => timeline.faster(1) },
    { keys: ["f"], help: "fit the sample into the view", act: () => viewer.fit() },
    ...(run.dimension === 3 ? only_3d : []),
    { keys: ["ArrowLeft"], shown: "← →", help: run.dimension === 3 ? "turn" : "move", act: () => stage.turn(-1, 0) },
    { keys: ["ArrowRight"], shown: "", help: "", act: () => stage.turn(1, 0) },
    { keys: ["ArrowUp"], shown: "↑ ↓", help: run.dimension === 3 ? "tilt" : "move", act: () => stage.turn(0, 1) },
    { keys: ["ArrowDown"], shown: "", help: "", act: () => stage.turn(0, -1) },
    { keys: ["+", "="], shown: "+ −", help: "zoom", act: () => stage.zoom(1.25) },
    { keys: ["-"], shown: "", help: "", act: () => stage.zoom(0.8) },
    { keys: ["c"], help: "colour by the next quantity (C: the one before)", act: () => next_colour(1) },
    { keys: ["C"], shown: "", help: "", act: () => next_colour(-1) },
    { keys: ["n"], help: "force chains", act: () => ((settings.marks.chains = !settings.marks.chains), repaint()) },
    { keys: ["t"], help: "contact points", act: () => ((settings.marks.points = !settings.marks.points), repaint()) },
    { keys: ["g"], help: "gauges", act: () => ((settings.gauges = !settings.gauges), repaint()) },
    { keys: ["w"], help: "walls", act: () => ((settings.walls = !settings.walls), repaint()) },
    ...(run.crowd ? of_people : []),
    { keys: ["h"], help: "hide the picked body", act: () => body() >= 0 && (settings.hidden_bodies.add(body()), viewer.choose(null), repaint()) },
    { keys: ["i"], help: "show the picked body alone", act: () => body() >= 0 && ((settings.alone = settings.alone === null ? body() : null), repaint()) },
    { keys: ["b"], help: "follow the picked body", act: () => toggle_follow(viewer) },
    { keys: ["a"], help: "show all bodies", act: () => show_all(viewer) },
    { keys: ["p"], help: "panel with settings and plots", act: toggle_panel },
    { keys: ["Escape"], shown: "Esc", help: "pick nothing", act: () => viewer.choose(null) },
    { keys: ["?"], help: "this page", act: () => dialog.showModal() },
  ];
}

function fill(dialog: HTMLDialogElement, list: Shortcut[], dimension: 2 | 3): void {
  const mouse: [string, string][] =
    dimension === 3
      ? [["drag", "turn"], ["right drag, two fingers", "move"], ["wheel, pinch", "zoom"], ["click", "pick a body or a contact"], ["click in a plot", "go to that time"]]
      : [["drag", "move"], ["wheel, pinch", "zoom"], ["click", "pick a body or a contact"], ["click in a plot", "go to that time"]];
  const rows = [...mouse, ...list.filter(({ help }) => help !== "").map(({ keys, shown, help }) => [shown ?? keys[0]!, help] as [string, string])];
  dialog.replaceChildren(h("h2", {}, "Keys and pointer"), h("dl", {}, ...rows.flatMap(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)])));
}

// What a form element does with a key by itself stays its own.
function keeps(element: HTMLElement, key: string): boolean {
  if (element.matches("select, textarea, input[type=text], input[type=search]")) return true;
  if (element.matches("input[type=range]")) return /^(Arrow|Page)|^(Home|End)$/.test(key);
  return element.matches("button, summary, input[type=checkbox]") && /^( |Enter)$/.test(key);
}

export function listen_to_keys(viewer: Viewer, timeline: Timeline, dialog: HTMLDialogElement, toggle_panel: () => void): void {
  const list = shortcuts(viewer, timeline, dialog, toggle_panel);
  fill(dialog, list, viewer.run.dimension);
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (event.target instanceof HTMLElement && keeps(event.target, event.key)) return;
    const found = list.find(({ keys }) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.act();
  });
}
