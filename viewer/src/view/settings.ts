// What the user chose, and what the address of the page asks for (#time=0.5&view=top&colour=load&chains=1).
import type { ColourChoice, Quantity } from "./colouring";
import type { MarkChoice } from "./contact_marks";
import type { MapChoice } from "./crowd_layer";
import type { ViewName } from "./stage";

export interface Cut {
  axis: 0 | 1 | 2;
  place: number; // [m]
  side: 1 | -1; // a clip keeps what lies on this side
  thickness: number | null; // [m] of a slice; null: a clip
}

export interface Settings {
  colour: ColourChoice;
  marks: MarkChoice;
  grains: "auto" | "solid" | "pale" | "hidden"; // auto: pale under contacts
  walls: boolean;
  edges: boolean;
  gauges: boolean;
  map: MapChoice; // of a crowd
  trajectories: boolean;
  cut: Cut | null;
  hidden_materials: Set<number>;
  hidden_groups: Set<number>; // index of the group; -1: bodies of no group
  hidden_bodies: Set<number>;
  alone: number | null; // the only body shown
  follows_body: boolean;
}

export interface Wishes {
  time: number | null;
  view: ViewName | null;
  ui: boolean;
}

export function default_settings(): Settings {
  return {
    colour: { quantity: "speed", fixed: null, is_log: false },
    marks: { points: false, normals: false, chains: false, above: 0 },
    grains: "auto",
    walls: true,
    edges: true,
    gauges: false,
    map: "none",
    trajectories: false,
    cut: null,
    hidden_materials: new Set(),
    hidden_groups: new Set(),
    hidden_bodies: new Set(),
    alone: null,
    follows_body: false,
  };
}

const quantities: Quantity[] = ["speed", "velocity_x", "velocity_y", "velocity_z", "load", "rotation", "coordination", "size", "material", "part", "density", "exit"];
const map_choices: MapChoice[] = ["none", "density", "speed"];
const views: ViewName[] = ["iso", "front", "side", "top"];

// "x:0.1" or "-x:0.1" (the other side is kept); a slice has a thickness: "y:0.2:0.05".
function cut_of(text: string, is_slice: boolean): Cut | null {
  const [name, place, thickness] = text.split(":");
  const axis = "xyz".indexOf(name?.replace("-", "") ?? "?");
  if (axis < 0 || place === undefined || !Number.isFinite(Number(place))) return null;
  // what is cut away by itself is what the usual view looks at first
  const side = ((axis === 1 ? 1 : -1) * (name!.startsWith("-") ? -1 : 1)) as 1 | -1;
  return { axis: axis as 0 | 1 | 2, place: Number(place), side, thickness: is_slice ? Number(thickness ?? 0) || 0 : null };
}

// A fixed range: "0:2.5".
function range_of(text: string): { lower: number; upper: number } | null {
  const [lower, upper] = text.split(":").map(Number);
  return Number.isFinite(lower) && Number.isFinite(upper) && upper! > lower! ? { lower: lower!, upper: upper! } : null;
}

// The words of the address; what it does not understand it leaves alone.
export function read_address(settings: Settings, fragment: string): Wishes {
  const words = new URLSearchParams(fragment.replace(/^#/, ""));
  const flag = (name: string, before: boolean): boolean => (words.has(name) ? words.get(name) !== "0" : before);
  const colour = words.get("colour") as Quantity | null, view = words.get("view") as ViewName | null;
  if (colour && quantities.includes(colour)) settings.colour.quantity = colour;
  settings.colour.fixed = range_of(words.get("range") ?? "") ?? settings.colour.fixed;
  settings.colour.is_log = flag("log", settings.colour.is_log);
  settings.marks.chains = flag("chains", settings.marks.chains);
  settings.marks.points = flag("contacts", settings.marks.points);
  settings.marks.normals = flag("normals", settings.marks.normals);
  settings.gauges = flag("gauges", settings.gauges);
  settings.walls = flag("walls", settings.walls);
  settings.trajectories = flag("trajectories", settings.trajectories);
  const map = words.get("map") as MapChoice | null;
  if (map && map_choices.includes(map)) settings.map = map;
  settings.cut = cut_of(words.get("slice") ?? "", true) ?? cut_of(words.get("clip") ?? "", false) ?? settings.cut;
  const time = words.get("time");
  return { time: time !== null && time !== "" && Number.isFinite(Number(time)) ? Number(time) : null, view: view && views.includes(view) ? view : null, ui: flag("ui", true) };
}

// The address that shows the same again.
export function write_address(settings: Settings, time: number | null, view: ViewName | null): string {
  const { colour, marks, cut } = settings, words: string[] = [];
  const add = (name: string, value: string | number | boolean): void => void words.push(`${name}=${value === true ? 1 : value}`);
  if (time !== null) add("time", Number(time.toPrecision(6)));
  if (view) add("view", view);
  add("colour", colour.quantity);
  if (colour.fixed) add("range", `${colour.fixed.lower}:${colour.fixed.upper}`);
  if (colour.is_log) add("log", true);
  if (marks.chains) add("chains", true);
  if (marks.points) add("contacts", true);
  if (marks.normals) add("normals", true);
  if (settings.gauges) add("gauges", true);
  if (!settings.walls) add("walls", 0);
  if (settings.trajectories) add("trajectories", true);
  if (settings.map !== "none") add("map", settings.map);
  if (cut) {
    const usual = cut.axis === 1 ? 1 : -1;
    const plane = `${cut.thickness === null && cut.side !== usual ? "-" : ""}${"xyz"[cut.axis]}:${Number(cut.place.toPrecision(4))}`;
    if (cut.thickness === null) add("clip", plane);
    else add("slice", `${plane}:${Number(cut.thickness.toPrecision(3))}`);
  }
  return `#${words.join("&")}`;
}
