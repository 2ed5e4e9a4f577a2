// A colour for every body: a number on a map, or a name on a list. Imposed bodies are grey.
import { maps, neutral, qualitative, range_of, shades, signed_range, type MapName, type Range, type Rgb } from "./colours";
import { is_person, type CrowdFacts } from "./crowd";
import { is_endless, is_there, kind_of, nobody, radius_of, type Frame, type RunFacts, type Shapes } from "./format";
import type { RunRanges } from "./source";

export type Quantity = "speed" | "velocity_x" | "velocity_y" | "velocity_z" | "load" | "rotation" | "coordination" | "size" | "material" | "part" | "density" | "exit";

export interface QuantityFacts {
  name: Quantity;
  label: string;
  unit: string;
  is_signed?: boolean;
  is_named?: boolean; // a list instead of a map
  from_zero?: boolean;
}

const all: QuantityFacts[] = [
  { name: "speed", label: "speed", unit: "m/s", from_zero: true },
  { name: "velocity_x", label: "velocity, x", unit: "m/s", is_signed: true },
  { name: "velocity_y", label: "velocity, y", unit: "m/s", is_signed: true },
  { name: "velocity_z", label: "velocity, z", unit: "m/s", is_signed: true },
  { name: "load", label: "load", unit: "N", from_zero: true },
  { name: "density", label: "density", unit: "1/m²", from_zero: true },
  { name: "exit", label: "exit", unit: "", is_named: true },
  { name: "rotation", label: "rotation rate", unit: "rad/s", from_zero: true },
  { name: "coordination", label: "coordination", unit: "", from_zero: true },
  { name: "size", label: "diameter", unit: "m" },
  { name: "material", label: "material", unit: "", is_named: true },
  { name: "part", label: "sub-domain", unit: "", is_named: true },
];

const of_people: Quantity[] = ["density", "exit"];

export function quantities_of(run: RunFacts): QuantityFacts[] {
  const is_there = (name: Quantity): boolean => {
    if (of_people.includes(name)) return run.crowd !== null;
    return (name !== "velocity_z" || run.dimension === 3) && (name !== "part" || run.parts > 0) && (name !== "rotation" || !run.crowd);
  };
  return all.filter(({ name }) => is_there(name)).map(({ name }) => facts_of(run, name));
}
export function facts_of(run: RunFacts, name: Quantity): QuantityFacts {
  const facts = all.find((quantity) => quantity.name === name) ?? all[0]!;
  if (of_people.includes(facts.name) && !run.crowd) return all[0]!;
  return facts.name === "load" && run.crowd ? { ...facts, label: "contact force" } : facts;
}

// What a range is taken from: bodies that nobody leads and that have an end.
export function is_grain(shapes: Shapes, frame: Frame, body: number): boolean {
  return !frame.led[body] && is_there(frame, body) && !is_endless(kind_of(shapes, body));
}

export function value_of(shapes: Shapes, frame: Frame, quantity: Quantity, body: number): number {
  const { velocity, spin } = frame, at = 3 * body;
  switch (quantity) {
    case "speed":
      return Math.hypot(velocity[at]!, velocity[at + 1]!, velocity[at + 2]!);
    case "velocity_x":
    case "velocity_y":
    case "velocity_z":
      return velocity[at + "xyz".indexOf(quantity.at(-1)!)]!;
    case "load":
      return frame.load[body]!;
    case "rotation":
      return Math.hypot(spin[at]!, spin[at + 1]!, spin[at + 2]!);
    case "coordination":
      return frame.coordination[body]!;
    case "size":
      return 2 * radius_of(shapes, body);
    case "material":
      return shapes.body_material[body]!;
    case "part":
      return frame.part?.[body] ?? 0;
    case "density":
      return frame.density?.[body] ?? NaN;
    case "exit":
      return NaN; // known of the run, not of a frame
  }
}

export interface ColourChoice {
  quantity: Quantity;
  fixed: { lower: number; upper: number } | null; // null: automatic
  is_log: boolean;
}

export interface Colouring {
  facts: QuantityFacts;
  map: MapName;
  range: Range;
  is_log: boolean;
  has_imposed: boolean;
  names: { text: string; colour: Rgb }[];
  of_body: Uint8Array; // [bodies, 3]
}

function automatic(values: Float32Array, facts: QuantityFacts, is_log: boolean): Range {
  if (facts.is_signed) return signed_range(values);
  const range = range_of(values, facts.from_zero === true);
  if (facts.name === "coordination") return { ...range, lower: 0, upper: Math.max(1, Math.ceil(range.upper)) };
  if (!is_log) return range;
  const positive = values.filter((value) => value > 0).sort();
  const low = positive[Math.floor(0.02 * positive.length)] ?? 1e-3 * range.upper;
  return { ...range, lower: Math.min(Math.max(low, 1e-6 * range.upper), 0.5 * range.upper) };
}

function placed(range: Range, is_log: boolean): (value: number) => number {
  const most = shades - 1;
  if (is_log && range.lower > 0) {
    const low = Math.log(range.lower), scale = most / (Math.log(range.upper) - low);
    return (value) => (value <= range.lower ? 0 : Math.min(most, Math.round((Math.log(value) - low) * scale)));
  }
  const scale = most / (range.upper - range.lower || 1);
  return (value) => Math.max(0, Math.min(most, Math.round((value - range.lower) * scale)));
}

// Grey: those who stay, and what is no person.
function by_exit(colouring: Colouring, frame: Frame, run: RunFacts, crowd: CrowdFacts | null): void {
  let some_stay = false;
  for (let body = 0; body < frame.bodies; ++body) {
    const exit = is_person(frame, body) ? crowd?.exit[body] ?? -1 : -1;
    colouring.of_body.set(exit < 0 ? neutral : qualitative(exit), 3 * body);
    some_stay ||= exit < 0 && is_person(frame, body) && is_there(frame, body);
  }
  colouring.names = run.crowd!.exits.map(({ name }, k) => ({ text: name, colour: qualitative(k) }));
  if (some_stay) colouring.names.push({ text: "stays", colour: neutral });
}

function named(colouring: Colouring, shapes: Shapes, frame: Frame, run: RunFacts): void {
  const is_part = colouring.facts.name === "part";
  const used = new Set<number>();
  for (let body = 0; body < frame.bodies; ++body) {
    const index = value_of(shapes, frame, colouring.facts.name, body);
    const grey = is_part && (frame.imposed[body] === 1 || index === nobody);
    colouring.of_body.set(grey ? neutral : qualitative(index), 3 * body);
    if (grey) colouring.has_imposed = true;
    else if (is_there(frame, body) && !is_endless(kind_of(shapes, body))) used.add(index);
  }
  const text = (index: number): string => (is_part ? String(index) : run.materials[index] ?? String(index));
  colouring.names = [...used].sort((a, b) => a - b).map((index) => ({ text: text(index), colour: qualitative(index) }));
}

export function colouring_of(run: RunFacts, shapes: Shapes, frame: Frame, choice: ColourChoice, crowd: CrowdFacts | null, of_run: RunRanges | null): Colouring {
  const facts = facts_of(run, choice.quantity);
  const is_log = choice.is_log && !facts.is_signed && !facts.is_named;
  const colouring: Colouring = {
    facts,
    map: facts.is_signed ? "signed" : "viridis",
    range: { lower: 0, upper: 1, is_cut: false },
    is_log,
    has_imposed: false,
    names: [],
    of_body: new Uint8Array(3 * frame.bodies),
  };
  if (facts.name === "exit") {
    by_exit(colouring, frame, run, crowd);
    return colouring;
  }
  if (facts.is_named) {
    named(colouring, shapes, frame, run);
    return colouring;
  }
  const values = new Float32Array(frame.bodies), of_grains = new Float32Array(frame.bodies);
  let grains = 0;
  for (let body = 0; body < frame.bodies; ++body) {
    values[body] = value_of(shapes, frame, facts.name, body);
    if (is_grain(shapes, frame, body)) of_grains[grains++] = values[body]!;
  }
  const { fixed } = choice, shared = is_log ? undefined : of_run?.ranges[facts.name];
  colouring.range = fixed ? { ...fixed, is_cut: false } : shared ?? automatic(of_grains.subarray(0, grains), facts, is_log);
  const place = placed(colouring.range, is_log), map = maps[colouring.map];
  for (let body = 0; body < frame.bodies; ++body) {
    const grey = frame.led[body] === 1 || is_endless(kind_of(shapes, body)) || !Number.isFinite(values[body]!);
    const colour = grey ? neutral : map[place(values[body]!)]!;
    if (grey && !run.crowd && !is_endless(kind_of(shapes, body))) colouring.has_imposed = true;
    const at = 3 * body;
    colouring.of_body[at] = colour[0];
    colouring.of_body[at + 1] = colour[1];
    colouring.of_body[at + 2] = colour[2];
  }
  return colouring;
}
