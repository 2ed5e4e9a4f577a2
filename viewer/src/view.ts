// The viewer of one run: its bodies in 3D or 2D through time, and its series beside them.
import "uplot/dist/uPlot.min.css";
import "./palette.css";
import "./view.css";
import { Vector3 } from "three";
import { h } from "./dom";
import { Banners } from "./view/banners";
import { ControlPanel } from "./view/control_panel";
import type { RunFacts } from "./view/format";
import { help_dialog, listen_to_keys } from "./view/keys";
import { fill_header, fill_panel, make_layout, tell_state } from "./view/layout";
import { Live } from "./view/live";
import { Overlays } from "./view/overlays";
import { PickedPanel } from "./view/picked_panel";
import { listen_to_pointer } from "./view/pointer";
import { SeriesPanel } from "./view/series_panel";
import { default_settings, read_address, write_address, type Wishes } from "./view/settings";
import { find_source, type Source } from "./view/source";
import { Timeline } from "./view/timeline";
import { Viewer, words_of } from "./view/viewer";

const banners = new Banners();

// Trouble nobody foresaw is told, too.
window.addEventListener("error", (event) => banners.say("error", `Something went wrong in this page: ${event.message}`));
window.addEventListener("unhandledrejection", (event) => {
  banners.say("error", `Something went wrong in this page: ${words_of(event.reason)}`);
  event.preventDefault();
});

// For tests and pictures made by a command.
function expose(viewer: Viewer): void {
  const position = (index: number): number => viewer.run.frames.indexOf(index);
  const drawn = async (): Promise<void> => {
    await viewer.contacts_settled();
    await viewer.stage.finished();
  };
  const talus = {
    show: async (index: number) => {
      if (await viewer.show(position(index))) await drawn();
    },
    drawn,
    state: () => ({
      frame: viewer.frame?.index ?? -1,
      time: viewer.frame?.time ?? null,
      frames: viewer.run.frames.length,
      outcome: viewer.run.state.outcome,
      bodies: viewer.frame?.bodies ?? 0,
      contacts: viewer.contacts?.count ?? null,
      picked: viewer.picked,
      colour: viewer.settings.colour,
      range: viewer.colouring?.range ?? null,
      marks: viewer.settings.marks,
      people: viewer.run.crowd ? { inside: viewer.frame?.inside ?? 0, left: viewer.frame?.left ?? 0, ways: viewer.ways_drawn } : null,
    }),
    body_at: (x: number, y: number) => {
      const found = viewer.pick_at(x, y, 2);
      return found?.kind === "body" ? found.body : -1;
    },
    screen_of: (body: number) => {
      const place = viewer.place_of(body);
      return place ? viewer.stage.on_screen(place) : null;
    },
    screen_at: (x: number, y: number, z: number) => viewer.stage.on_screen(new Vector3(x, y, z)),
  };
  (window as unknown as { talus: typeof talus }).talus = talus;
}

async function first_picture(viewer: Viewer, wishes: Wishes): Promise<void> {
  const { frames } = viewer.run;
  viewer.stage.resize(); // the page has its bars now: one picture is enough
  const start = wishes.time !== null ? viewer.nearest(wishes.time) : frames.length - 1;
  // damaged frames must not leave the page empty: others before and after them, further and further away
  const order = [start];
  for (let far = 1; far < frames.length; far *= 2) order.push(start - far, start + far);
  for (const position of order) {
    if (!(await viewer.show(position)) && !viewer.frame) continue; // a later wish may have been quicker
    if (wishes.view) viewer.look(wishes.view);
    if (viewer.settings.cut && viewer.settings.cut.thickness !== null) {
      viewer.stage.set_parallel(true);
      if (!wishes.view) viewer.face_cut();
    }
    viewer.tell("settings");
    await viewer.contacts_settled();
    await viewer.stage.finished();
    document.documentElement.dataset["ready"] = "1";
    return;
  }
}

async function build(source: Source, run: RunFacts): Promise<void> {
  document.title = `${run.title || run.folder} – Talus`;
  const settings = default_settings();
  const wishes = read_address(settings, location.hash);
  const layout = make_layout(run);
  layout.place.append(banners.element);
  if (!wishes.ui) document.body.classList.add("bare");
  const viewer = new Viewer(run, source, layout.place, settings);
  viewer.say = (key, words) => banners.say(key, words);
  viewer.on("frame", () => viewer.frame && (document.documentElement.dataset["frame"] = String(viewer.frame.index)));

  const timeline = new Timeline(viewer);
  new Overlays(viewer, layout.place);
  const dialog = help_dialog();
  const waiting = h("p", { class: "waiting" }, "No frame yet: waiting for the first one.");
  layout.place.append(new PickedPanel(viewer).element, waiting);
  document.body.append(timeline.element, dialog);
  fill_header(layout.header, viewer, layout.toggle_panel, () => dialog.showModal());
  fill_panel(layout.panel, [["Scene", new ControlPanel(viewer).element], ["Plots", new SeriesPanel(viewer, timeline).element]]);
  listen_to_keys(viewer, timeline, dialog, layout.toggle_panel);
  listen_to_pointer(viewer);
  expose(viewer);

  const start = (): Promise<void> => {
    waiting.hidden = true;
    timeline.follows_end = run.state.outcome === "running" && wishes.time === null;
    return first_picture(viewer, wishes);
  };
  const live = new Live(viewer, source, (first) => {
    if (first === 0) void start();
    else if (timeline.follows_end) timeline.go(run.frames.length - 1);
  });
  tell_state(layout.state, viewer, live);
  timeline.update();
  window.addEventListener("hashchange", () => follow_address(viewer, timeline));
  if (wishes.ui) keep_address(viewer, timeline);
  if (run.frames.length > 0) await start();
  else if (!live.is_running) waiting.textContent = "This run has no frame.";
}

// The address was changed while the page is open.
function follow_address(viewer: Viewer, timeline: Timeline): void {
  const wishes = read_address(viewer.settings, location.hash);
  document.body.classList.toggle("bare", !wishes.ui);
  if (wishes.view) viewer.look(wishes.view);
  viewer.repaint();
  viewer.tell("settings");
  if (wishes.time !== null) timeline.by_hand(viewer.nearest(wishes.time));
}

// The address follows what is shown, a little later; the end of a run that goes on has no time of its own.
function keep_address(viewer: Viewer, timeline: Timeline): void {
  let timer = 0;
  const write = (): void => {
    const time = timeline.follows_end ? null : viewer.frame?.time ?? null;
    history.replaceState(null, "", write_address(viewer.settings, time, viewer.view));
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(write, 500);
  };
  for (const event of ["frame", "colouring", "settings"] as const) viewer.on(event, later);
}

async function begin(): Promise<void> {
  document.body.append(banners.element);
  try {
    const source = find_source();
    await build(source, await source.facts());
  } catch (error) {
    banners.say("begin", `This run cannot be shown: ${words_of(error)}`);
  }
}

void begin();
