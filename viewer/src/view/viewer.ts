// The run on the stage: which frame is shown, how its bodies look, what is picked. Panels listen and ask.
import * as THREE from "three";
import { Bodies, type SampleBox } from "./bodies";
import { colouring_of, type Colouring } from "./colouring";
import { ContactMarks } from "./contact_marks";
import { read_crowd, type CrowdFacts } from "./crowd";
import { CrowdLayer, type ExitLabel } from "./crowd_layer";
import { is_there, read_shapes, type Contacts, type Frame, type Gauge, type RunFacts, type Shapes } from "./format";
import { FrameStore } from "./frame_store";
import { GaugeMarks } from "./gauge_marks";
import { Halo } from "./halo";
import { box_of, outgrown, room_of, united, with_tools } from "./sample_box";
import type { Settings } from "./settings";
import { shared_uniforms } from "./shaders";
import type { RunRanges, Source } from "./source";
import { is_drawn_by_processor, Stage, type ViewName } from "./stage";
import { Walls } from "./walls";

export type PickedThing = { kind: "body"; body: number } | { kind: "contact"; contact: number } | null;
type Event = "frame" | "colouring" | "contacts" | "picked" | "news" | "settings";

const pause = 4000; // [ms] between two questions about the whole run

const css = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export class Viewer {
  readonly store: FrameStore;
  readonly stage: Stage;
  frame: Frame | null = null;
  contacts: Contacts | null = null; // of the frame shown
  contacts_note = ""; // why there are none
  colouring: Colouring | null = null;
  shapes: Shapes | null = null;
  crowd: CrowdFacts | null = null; // of a run of people
  ranges: RunRanges | null = null; // that all frames share
  picked: PickedThing = null;
  view: ViewName | null = null; // the last standard view
  position = -1; // of the frame shown or asked for, among run.frames
  missed = -1; // the frame asked for last, where it cannot be shown
  say: (key: string, words: string) => void = () => {}; // to the user
  private readonly uniforms = shared_uniforms();
  private readonly is_smooth: boolean;
  private readonly marks: ContactMarks;
  private gauges: GaugeMarks;
  private readonly halo: Halo;
  private walls: Walls | null = null;
  private box: SampleBox | null = null; // of all frames shown so far
  private seen: SampleBox | null = null; // of the frame shown, with its tools
  private group_of: Int32Array | null = null;
  private asked = 0; // counts the wishes for a frame
  private layer: CrowdLayer | null = null;
  private crowd_to_come: Promise<void> | null = null;
  private crowd_heard = -Infinity; // [ms] when it was asked for
  private ranges_to_come: Promise<void> | null = null;
  private ranges_heard = -Infinity; // [ms] when they were asked for
  private shapes_to_come: Promise<void> | null = null;
  private listeners = new Map<Event, (() => void)[]>();

  constructor(readonly run: RunFacts, private readonly source: Source, place: HTMLElement, readonly settings: Settings) {
    this.store = new FrameStore(source);
    this.is_smooth = !is_drawn_by_processor();
    this.stage = new Stage(place, run.dimension, this.uniforms, this.is_smooth);
    this.marks = new ContactMarks(this.uniforms, run.dimension);
    this.gauges = new GaugeMarks(run.gauges, run.dimension);
    this.halo = new Halo(run.dimension);
    this.stage.scene.add(this.gauges.group, this.halo.group);
    this.stage.over.add(this.marks.over, this.marks.among);
    if (run.crowd) this.set_crowd(run.crowd);
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.set_colours());
    this.set_colours();
  }

  on(event: Event, listener: () => void): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }
  tell(event: Event): void {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }

  get has_gauges(): boolean {
    return this.gauges.count > 0;
  }
  get sample(): SampleBox | null {
    return this.box;
  }
  get diameter(): number {
    return this.stage.bodies?.mean_diameter ?? 0;
  }
  get force_scale(): { mean: number; strong: number } {
    return this.marks.scale;
  }
  // Those on bodies are known when the first frame is there.
  set_gauges(gauges: Gauge[]): void {
    this.run.gauges = gauges;
    this.gauges.group.removeFromParent();
    this.gauges = new GaugeMarks(gauges, this.run.dimension);
    this.gauges.group.visible = this.settings.gauges;
    this.stage.scene.add(this.gauges.group);
    if (this.frame) this.gauges.update(this.frame);
    this.set_colours();
    this.tell("settings");
  }
  // Known when the first frame is there.
  set_crowd(crowd: NonNullable<RunFacts["crowd"]>): void {
    this.run.crowd = crowd;
    this.layer?.group.removeFromParent();
    this.layer = new CrowdLayer(crowd.exits);
    this.stage.scene.add(this.layer.group);
    this.set_colours();
    this.tell("settings");
  }
  exit_labels(): ExitLabel[] {
    return this.layer?.labels(this.box) ?? [];
  }
  get ways_drawn(): number {
    return this.layer?.lines_drawn ?? 0;
  }
  // Asked for again, now and then, while the run goes on.
  private need_crowd(): Promise<void> | null {
    if (!this.run.crowd || (this.crowd && this.crowd.frames >= this.run.times.length)) return null;
    if (performance.now() - this.crowd_heard < pause) return this.crowd ? null : this.crowd_to_come;
    this.crowd_heard = performance.now();
    this.crowd_to_come = this.load_crowd().catch((error: unknown) => this.say("crowd", `The ways of people cannot be shown: ${words_of(error)}`));
    return this.crowd ? null : this.crowd_to_come;
  }
  // Anew where a run that goes on has become a quarter longer, and when it has ended.
  private need_ranges(): Promise<void> | null {
    const frames = this.run.times.length, growth = this.run.state.outcome === "running" ? 1.25 : 1;
    if (this.ranges && frames <= growth * this.ranges.frames) return null;
    if (performance.now() - this.ranges_heard < pause) return this.ranges ? null : this.ranges_to_come;
    this.ranges_heard = performance.now();
    this.ranges_to_come = this.load_ranges().catch((error: unknown) => this.say("ranges", `Colours are chosen frame by frame: ${words_of(error)}`));
    return this.ranges ? null : this.ranges_to_come;
  }
  private async load_ranges(): Promise<void> {
    const is_first = this.ranges === null;
    this.ranges = await this.source.ranges();
    if (!is_first) this.repaint();
    this.tell("settings");
  }
  private async load_crowd(): Promise<void> {
    const packet = await this.source.crowd();
    if (!packet) return;
    const is_first = this.crowd === null;
    this.crowd = read_crowd(packet);
    this.layer?.set_facts(this.crowd);
    if (!is_first) this.repaint();
  }
  // In the run: this page may have some of its bodies only.
  number_of(body: number): number {
    return this.shapes?.body_index?.[body] ?? body;
  }
  gauge_labels(): { name: string; at: THREE.Vector3 }[] {
    return this.gauges.labels();
  }
  time_of(position: number): number {
    const { frames, times } = this.run;
    return (times.length === frames.length ? times[position] : times[frames[position]!]) ?? 0;
  }
  nearest(time: number): number {
    let best = 0;
    for (let k = 1; k < this.run.frames.length; ++k) if (Math.abs(this.time_of(k) - time) < Math.abs(this.time_of(best) - time)) best = k;
    return best;
  }

  // True when this frame is on the stage; a later wish overtakes an earlier one.
  async show(position: number): Promise<boolean> {
    const index = this.run.frames[position];
    if (index === undefined) return false;
    const ticket = ++this.asked;
    this.position = position;
    this.missed = -1;
    this.tell("frame");
    try {
      const [frame] = await Promise.all([this.store.frame(index), this.shapes ?? this.need_shapes(), this.need_crowd(), this.need_ranges()]);
      if (frame.bodies > this.shapes!.bodies) await this.need_shapes();
      if (ticket !== this.asked) return false;
      this.put(frame);
      return true;
    } catch (error) {
      this.say(`frame ${index}`, `Frame ${index} cannot be shown: ${words_of(error)}`);
      if (ticket === this.asked) {
        this.missed = index;
        this.tell("frame");
      }
      return false;
    }
  }
  prefetch(count: number): void {
    const next = this.run.frames.slice(this.position + 1, this.position + 1 + count);
    this.store.prefetch(next, this.needs_contacts());
  }
  // Several frames may wait for the same shapes.
  private need_shapes(): Promise<void> {
    this.shapes_to_come ??= this.load_shapes().finally(() => (this.shapes_to_come = null));
    return this.shapes_to_come;
  }
  private async load_shapes(): Promise<void> {
    const shapes = read_shapes(await this.source.shapes());
    this.shapes = shapes;
    this.drop_bodies();
    this.walls?.group.removeFromParent();
    this.walls?.dispose();
    this.walls = new Walls(shapes, this.run.dimension);
    this.stage.scene.add(this.walls.group);
    this.group_of = new Int32Array(shapes.bodies).fill(-1);
    this.run.groups.forEach(({ first, count }, k) => this.group_of!.fill(k, first, first + count));
    this.set_colours();
  }

  group_name(body: number): string {
    return this.run.groups[this.group_of?.[body] ?? -1]?.name ?? "";
  }
  is_shown = (body: number): boolean => {
    const { settings } = this;
    if (this.frame && !is_there(this.frame, body)) return false;
    if (settings.alone !== null) return body === settings.alone;
    const shape_material = this.shapes?.body_material[body] ?? -1;
    return !settings.hidden_bodies.has(body) && !settings.hidden_groups.has(this.group_of?.[body] ?? -1) && !settings.hidden_materials.has(shape_material);
  };

  // Something of the settings changed.
  repaint(): void {
    const { frame, shapes, stage, settings } = this;
    if (!frame || !shapes || !stage.bodies) return;
    this.colouring = colouring_of(this.run, shapes, frame, settings.colour, this.crowd, this.ranges);
    this.layer?.update(frame, { map: settings.map, range: this.ranges?.ranges[settings.map], trajectories: settings.trajectories, by_exit: this.colouring.facts.name === "exit" });
    stage.bodies.set_looks(this.colouring.of_body, this.is_shown);
    this.walls!.update(frame, this.box!, this.is_shown);
    this.walls!.group.visible = settings.walls;
    this.gauges.group.visible = settings.gauges;
    stage.has_edges = settings.edges;
    stage.set_legend_height(this.run.crowd && settings.map !== "none" ? 150 : 96); // two bars
    this.apply_cut();
    this.apply_veil();
    this.draw_marks();
    this.tell("colouring");
    stage.request();
    if (this.needs_contacts()) void this.load_contacts();
  }
  apply_cut(): void {
    const { cut } = this.settings;
    const planes: THREE.Vector4[] = [];
    if (cut && this.run.dimension === 3) {
      const [x, y, z] = [0, 1, 2].map((k) => (k === cut.axis ? 1 : 0)) as [number, number, number];
      const plane = (side: number, place: number): THREE.Vector4 => new THREE.Vector4(side * x, side * y, side * z, -side * place);
      const half = 0.5 * (cut.thickness || this.diameter);
      if (cut.thickness === null) planes.push(plane(cut.side, cut.place));
      else planes.push(plane(1, cut.place - half), plane(-1, cut.place + half));
    }
    this.stage.set_cut(planes);
  }

  look(view: ViewName): void {
    this.take_box();
    this.stage.show(view);
    this.view = view;
    this.tell("settings");
  }
  // Turns the view so that it faces the cut.
  face_cut(): void {
    const { cut } = this.settings;
    if (!cut || this.run.dimension === 2) return;
    const side = cut.thickness === null ? -cut.side : cut.axis === 1 ? -1 : 1;
    const direction = new THREE.Vector3(0, 0, 0).setComponent(cut.axis, side);
    if (cut.axis === 2) direction.y = -1e-4;
    this.take_box();
    this.stage.look_along(direction.normalize());
  }
  fit(): void {
    this.take_box();
    this.stage.fit();
  }
  private take_box(): void {
    if (this.seen) this.stage.set_box(this.seen);
  }

  pick_at(x: number, y: number, reach: number): PickedThing {
    const found = this.stage.bodies ? this.stage.pick(x, y, reach) : null;
    if (!found) return null;
    if (found.kind === "contact") return { kind: "contact", contact: this.marks.contact_at(found.index) };
    return { kind: "body", body: found.index };
  }
  choose(thing: PickedThing): void {
    this.picked = thing;
    if (this.stage.bodies && this.shapes) this.halo.show(thing?.kind === "body" ? thing.body : -1, this.stage.bodies, this.shapes);
    if (this.frame) this.halo.update(this.frame);
    if (thing?.kind !== "body") this.settings.follows_body = false;
    this.stage.request();
    this.tell("picked");
    if (thing) void this.load_contacts();
  }
  place_of(body: number): THREE.Vector3 | null {
    if (!this.frame || !is_there(this.frame, body)) return null;
    return new THREE.Vector3().fromArray(this.frame.position, 3 * body);
  }

  private drop_bodies(): void {
    this.stage.bodies?.group.removeFromParent();
    this.stage.bodies?.dispose();
    this.stage.bodies = null;
  }
  private put(frame: Frame): void {
    const followed = this.settings.follows_body && this.picked?.kind === "body" ? this.picked.body : -1;
    const before = this.place_of(followed);
    const is_first = this.frame === null;
    const shapes = this.shapes!;
    const exits = this.run.crowd?.exits ?? null;
    const box = exits ? room_of(shapes, frame, exits) : box_of(shapes, frame);
    this.box = this.box ? united(this.box, box) : box;
    if (this.stage.bodies && outgrown(this.stage.bodies.box, box)) this.drop_bodies();
    if (!this.stage.bodies) {
      this.stage.bodies = new Bodies(shapes, frame, this.run.dimension, box, this.uniforms, this.is_smooth, exits !== null);
      this.stage.scene.add(this.stage.bodies.group);
      if (this.picked) this.choose(this.picked);
    }
    this.layer?.fit(box);
    this.frame = frame;
    this.contacts = null;
    this.contacts_note = "";
    const seen = exits ? box : with_tools(box, shapes, frame);
    if (is_first) this.stage.set_box(seen);
    this.stage.bodies.set_places(frame);
    this.stage.set_reach(united(this.box, seen));
    this.gauges.update(frame);
    this.halo.update(frame);
    if (this.picked?.kind === "contact") this.choose(null); // contacts have no number that lasts
    if (is_first) this.stage.show("iso");
    this.stage.widen(seen);
    this.seen = seen;
    const after = this.place_of(followed);
    if (before && after) this.stage.shift(after.sub(before));
    this.repaint();
    this.tell("frame");
  }
  // Contacts that are to be drawn are there, or are known to be missing.
  async contacts_settled(): Promise<void> {
    if (this.needs_contacts()) await this.load_contacts();
  }
  private needs_contacts(): boolean {
    const { points, normals, chains } = this.settings.marks;
    return points || normals || chains || this.picked !== null;
  }
  private async load_contacts(): Promise<void> {
    const frame = this.frame;
    if (!frame || this.contacts) return;
    try {
      const contacts = await this.store.contacts(frame.index);
      if (this.frame !== frame || this.contacts) return;
      this.contacts = contacts;
      this.contacts_note = contacts ? "" : "The contacts of this frame are not in this file.";
      this.draw_marks();
    } catch (error) {
      if (this.frame !== frame) return;
      this.contacts_note = `The contacts of frame ${frame.index} cannot be shown: ${words_of(error)}`;
      this.say(`contacts ${frame.index}`, this.contacts_note);
    }
    this.stage.request();
    this.tell("contacts");
  }
  private draw_marks(): void {
    const { marks } = this.settings;
    if (!this.contacts || !this.frame || !this.shapes) return this.marks.clear();
    this.marks.update(this.contacts, this.frame, this.shapes, marks, this.diameter, this.is_shown, this.ranges?.strong ?? 0);
  }
  private apply_veil(): void {
    const { grains, marks } = this.settings;
    const covered = marks.chains || (this.run.dimension === 3 && (marks.points || marks.normals));
    const style = grains === "auto" ? (covered ? "pale" : "solid") : grains;
    this.uniforms.veil.value = style === "pale" ? (this.run.dimension === 3 ? 0.72 : 0.6) : 0;
    if (this.stage.bodies) this.stage.bodies.group.visible = style !== "hidden";
  }
  private set_colours(): void {
    this.stage.set_paper(css("--stage"));
    this.walls?.set_colours(css("--wall"), css("--stage"));
    this.gauges.set_colours(css("--gauge"));
    this.halo.set_colours(css("--halo"));
    this.layer?.set_colours(css("--way"), css("--exit"));
    this.marks.set_colours(css("--chain-weak"), css("--chain-strong"));
    this.stage.request();
  }
}

export const words_of = (error: unknown): string => (error instanceof Error ? error.message : String(error));
