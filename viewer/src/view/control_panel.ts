// Colours, contacts, cuts, and what is shown.
import { h } from "../dom";
import { show, with_unit } from "../numbers";
import { css_colour, qualitative } from "./colours";
import { facts_of, quantities_of, type Quantity } from "./colouring";
import type { MapChoice } from "./crowd_layer";
import { button, check, choice, number_field, slider } from "./forms";
import type { Cut, Settings } from "./settings";
import type { Viewer } from "./viewer";

type Part = HTMLElement | null;

function folded(title: string, open: boolean, ...parts: Part[]): HTMLDetailsElement {
  return h("details", { open }, h("summary", {}, title), h("div", { class: "form" }, ...parts));
}

// What an automatic range is taken from.
const viewer_range = (viewer: Viewer, quantity: Quantity): string => (viewer.ranges?.ranges[quantity] && !viewer.settings.colour.is_log ? "of the whole run" : "automatic, by frame");

export class ControlPanel {
  readonly element = h("div", { class: "controls" });
  private readonly colour = h("div", { class: "form" });
  private readonly contacts = h("div", { class: "form" });
  private readonly show = h("div", { class: "form" });
  private readonly cut = h("div", { class: "form" });
  private readonly bodies = h("div", { class: "form" });
  private note = h("p", { class: "note" });

  constructor(private readonly viewer: Viewer) {
    const { run } = viewer;
    const section = (title: string, place: HTMLElement, open = true): HTMLElement => h("details", { open }, h("summary", {}, title), place);
    this.element.append(
      section("Colour", this.colour),
      section("Contacts", this.contacts),
      ...(run.dimension === 3 ? [section("Clip and slice", this.cut)] : []),
      section("Show", this.show),
      section("Materials and bodies", this.bodies, run.groups.length <= 12),
      this.about(),
    );
    viewer.on("settings", () => this.build());
    viewer.on("contacts", () => (this.note.textContent = viewer.contacts_note));
    this.build();
  }

  private get settings(): Settings {
    return this.viewer.settings;
  }
  private build(): void {
    this.build_colour();
    this.build_contacts();
    this.build_cut();
    this.build_show();
    this.build_bodies();
  }
  private repaint = (): void => this.viewer.repaint();

  private build_colour(): void {
    const { colour } = this.settings, facts = facts_of(this.viewer.run, colour.quantity);
    const options = quantities_of(this.viewer.run).map(({ name, label }) => [name, label] as [string, string]);
    const again = (): void => {
      this.repaint();
      this.build_colour();
    };
    const parts: Part[] = [
      choice("by", options, colour.quantity, (value) => {
        colour.quantity = value as Quantity;
        colour.fixed = null;
        again();
      }),
    ];
    if (!facts.is_named) parts.push(...this.range_fields(again));
    this.colour.replaceChildren(...parts.filter((part) => part !== null));
  }
  private range_fields(again: () => void): Part[] {
    const { colour } = this.settings, facts = facts_of(this.viewer.run, colour.quantity);
    const unit = facts.unit ? ` [${facts.unit}]` : "";
    const parts: Part[] = [
      choice("range", [["automatic", viewer_range(this.viewer, facts.name)], ["fixed", "fixed"]], colour.fixed ? "fixed" : "automatic", (value) => {
        const now = this.viewer.colouring?.range ?? { lower: 0, upper: 1 };
        colour.fixed = value === "fixed" ? { lower: Number(now.lower.toPrecision(3)), upper: Number(now.upper.toPrecision(3)) } : null;
        again();
      }),
    ];
    const { fixed } = colour;
    if (fixed) {
      const set = (key: "lower" | "upper") => (value: number): void => {
        fixed[key] = value;
        if (fixed.upper > fixed.lower) this.repaint();
      };
      parts.push(h("div", { class: "pair" }, number_field(`from${unit}`, fixed.lower, set("lower")), number_field(`to${unit}`, fixed.upper, set("upper"))));
    }
    if (!facts.is_signed && facts.name !== "coordination") {
      parts.push(check("logarithmic", colour.is_log, (is_on) => {
        colour.is_log = is_on;
        again();
      }));
    }
    return parts;
  }

  private build_contacts(): void {
    const { marks } = this.settings;
    const toggle = (key: "points" | "normals" | "chains") => (is_on: boolean): void => {
      marks[key] = is_on;
      this.repaint();
    };
    this.contacts.replaceChildren(
      check("force chains, as wide as the normal force", marks.chains, toggle("chains")),
      check("points", marks.points, toggle("points")),
      check("normals", marks.normals, toggle("normals")),
      slider({
        label: "forces above",
        min: 0,
        max: 5,
        step: 0.1,
        value: marks.above,
        show: (value) => (value === 0 ? "all" : `${show(value, 2)} × mean`),
        change: (value) => {
          marks.above = value;
          this.repaint();
        },
      }),
      this.note,
    );
  }

  private build_show(): void {
    const { settings, viewer } = this;
    const flag = (label: string, key: "walls" | "edges" | "gauges"): HTMLElement =>
      check(label, settings[key], (is_on) => {
        settings[key] = is_on;
        this.repaint();
      });
    const styles: [string, string][] = [["auto", "solid, pale under contacts"], ["solid", "solid"], ["pale", "pale"], ["hidden", "hidden"]];
    this.show.replaceChildren(
      choice(viewer.run.crowd ? "people" : "grains", styles, settings.grains, (value) => {
        settings.grains = value as Settings["grains"];
        this.repaint();
      }),
      flag("walls", "walls"),
      ...(viewer.run.crowd ? this.crowd_fields() : [flag("edges of grains", "edges")]),
      ...(viewer.has_gauges ? [flag("gauges", "gauges")] : []),
      ...(viewer.run.dimension === 3 ? [check("parallel projection", viewer.stage.is_parallel, (is_on) => viewer.stage.set_parallel(is_on))] : []),
    );
  }

  private crowd_fields(): HTMLElement[] {
    const { settings } = this;
    return [
      check("trajectories", settings.trajectories, (is_on) => {
        settings.trajectories = is_on;
        this.repaint();
      }),
      choice("map", [["none", "none"], ["density", "density"], ["speed", "speed"]], settings.map, (value) => {
        settings.map = value as MapChoice;
        this.repaint();
      }),
    ];
  }

  private build_cut(): void {
    const { cut } = this.settings;
    const kind = cut === null ? "none" : cut.thickness === null ? "clip" : "slice";
    const parts: Part[] = [
      choice("", [["none", "whole sample"], ["clip", "clip: one side of a plane"], ["slice", "slice: a slab"]], kind, (value) => this.start_cut(value)),
    ];
    if (cut) parts.push(...this.cut_fields(cut));
    this.cut.replaceChildren(...parts.filter((part) => part !== null));
  }
  private start_cut(kind: string): void {
    const { settings, viewer } = this, { sample } = viewer;
    const axis = settings.cut?.axis ?? 1;
    const place = settings.cut?.place ?? (sample ? 0.5 * (sample.lower[axis]! + sample.upper[axis]!) : 0);
    settings.cut = kind === "none" ? null : { axis, place, side: settings.cut?.side ?? 1, thickness: kind === "slice" ? 1.5 * viewer.diameter : null };
    viewer.apply_cut();
    viewer.stage.set_parallel(kind === "slice");
    if (kind === "slice") viewer.face_cut();
    viewer.tell("settings");
  }
  private cut_fields(cut: Cut): Part[] {
    const { viewer } = this, sample = viewer.sample ?? { lower: [0, 0, 0], upper: [1, 1, 1] };
    const apply = (): void => viewer.apply_cut();
    const move = (value: number): void => {
      cut.place = value;
      apply();
    };
    const metres = (digits: number) => (value: number): string => with_unit(value, "m", digits);
    const lower = sample.lower[cut.axis]!, upper = sample.upper[cut.axis]!;
    const axes: [string, string][] = [["0", "x"], ["1", "y"], ["2", "z"]];
    const parts: Part[] = [
      choice("across", axes, String(cut.axis), (value) => {
        cut.axis = Number(value) as 0 | 1 | 2;
        cut.place = 0.5 * (sample.lower[cut.axis]! + sample.upper[cut.axis]!);
        cut.side = cut.axis === 1 ? 1 : -1;
        apply();
        if (cut.thickness !== null) viewer.face_cut();
        this.build_cut();
      }),
      slider({ label: `at ${"xyz"[cut.axis]}`, min: lower, max: upper, step: (upper - lower) / 400, value: cut.place, show: metres(3), change: move }),
    ];
    if (cut.thickness !== null) {
      const { diameter } = viewer;
      const change = (value: number): void => {
        cut.thickness = value;
        apply();
      };
      const most = Math.max(8 * diameter, cut.thickness);
      parts.push(slider({ label: "thickness", min: 0.1 * diameter, max: most, step: 0.05 * diameter, value: cut.thickness || diameter, show: metres(2), change }));
    }
    const flip = button("other side", "keep the other side of the plane", () => {
      cut.side = -cut.side as 1 | -1;
      apply();
    });
    parts.push(h("div", { class: "row" }, ...(cut.thickness === null ? [flip] : []), button("face it", "turn the view towards the cut", () => viewer.face_cut())));
    return parts;
  }

  private build_bodies(): void {
    const { viewer, settings } = this, { run } = viewer;
    const toggle = (set: Set<number>, key: number): ((is_on: boolean) => void) => (is_on) => {
      if (is_on) set.delete(key);
      else set.add(key);
      this.repaint();
    };
    const materials = run.materials.map((name, k) => check(name, !settings.hidden_materials.has(k), toggle(settings.hidden_materials, k), css_colour(qualitative(k))));
    const groups = run.groups.map(({ name, count }, k) => check(count > 1 ? `${name} (${show(count)})` : name, !settings.hidden_groups.has(k), toggle(settings.hidden_groups, k)));
    const named = run.groups.reduce((sum, { count }) => sum + count, 0);
    if (named < run.bodies && run.groups.length > 0) groups.push(check(`others (${show(run.bodies - named)})`, !settings.hidden_groups.has(-1), toggle(settings.hidden_groups, -1)));
    const hidden = settings.hidden_bodies.size;
    const single = settings.alone !== null ? `Only body ${viewer.number_of(settings.alone)} is shown.` : hidden > 0 ? `${hidden} picked ${hidden === 1 ? "body is" : "bodies are"} hidden.` : "";
    this.bodies.replaceChildren(
      h("div", { class: "list" }, ...materials),
      ...(groups.length > 0 ? [h("hr", {}), h("div", { class: "list" }, ...groups)] : []),
      ...(single ? [h("p", { class: "note" }, single)] : []),
      h("div", { class: "row" }, button("show all", "show every material and body", () => show_all(viewer))),
    );
  }

  private about(): HTMLElement {
    const { run } = this.viewer;
    const facts = [`${run.dimension}D, ${show(run.bodies)} bodies, ${show(run.frames.length)} frames`, `Talus ${run.talus}, folder ${run.folder}`];
    return folded("About", false, ...facts.map((text) => h("p", { class: "note" }, text)), run.left_out ? h("p", { class: "note" }, `Left out of this file: ${run.left_out}`) : null, ...run.warnings.map((text) => h("p", { class: "note" }, text)));
  }
}

export function show_all(viewer: Viewer): void {
  const { settings } = viewer;
  settings.hidden_bodies.clear();
  settings.hidden_groups.clear();
  settings.hidden_materials.clear();
  settings.alone = null;
  viewer.repaint();
  viewer.tell("settings");
}
