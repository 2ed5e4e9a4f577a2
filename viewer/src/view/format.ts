// What the page is given: the facts of the run as JSON, and packets (a JSON header, then columns of numbers).
import type { Series, Value } from "../data";

export interface Gauge {
  name: string;
  type: string;
  lower?: number[];
  upper?: number[];
  centre?: number[];
  radius?: number;
  length?: number;
  axis?: string | number[];
  half?: number[]; // of a box that stands askew, with its centre and
  turn?: number[]; // quaternion w, x, y, z
  body?: number | null; // coordinates are in the frame of this body
  turns?: boolean; // ... and turn with it
}

export interface Exit {
  name: string;
  from: [number, number]; // m
  to: [number, number];
  opens: number; // s
  closes: number | null;
}

export interface RunState {
  outcome: "running" | "done" | "interrupted" | "failed" | "quality";
  reason: string;
  seconds_since_change: number;
}

export interface RunFacts {
  talus: string;
  title: string;
  folder: string;
  dimension: 2 | 3;
  bodies: number;
  materials: string[];
  groups: { name: string; first: number; count: number }[];
  parts: number;
  gauges: Gauge[];
  crowd: { exits: Exit[] } | null; // its disks that can move are people
  state: RunState;
  times: number[]; // [s] of every frame
  series: Series;
  frames: number[]; // that can be shown
  left_out: string;
  warnings: string[];
}

export interface LiveNews {
  state: RunState;
  bodies: number;
  times: number[];
  series: { names: string[]; lines?: number; values: (Value | Value[])[] }; // lines: of the file
  parts?: number; // these are known from the first frame on
  gauges?: Gauge[];
  crowd?: RunFacts["crowd"];
}

type Numbers = Uint8Array | Uint16Array | Int16Array | Int32Array | Uint32Array | Float32Array;

export interface Column {
  values: Numbers;
  columns: number;
}

export interface Packet {
  facts: Record<string, unknown>;
  arrays: Map<string, Column>;
  bytes: number;
}

interface ArrayHead {
  type: string;
  shape: number[];
  offset: number;
}

const types: Record<string, { new (buffer: ArrayBuffer, offset: number, length: number): Numbers; BYTES_PER_ELEMENT: number }> = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float16: Uint16Array,
  float32: Float32Array,
};

// Values of the 65 536 halves.
let halves: Float32Array | null = null;

function half_table(): Float32Array {
  if (halves) return halves;
  halves = new Float32Array(65536);
  for (let bits = 0; bits < 65536; ++bits) {
    const exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const size = exponent === 0 ? fraction * 2 ** -24 : exponent === 31 ? (fraction ? NaN : Infinity) : (1 + fraction / 1024) * 2 ** (exponent - 15);
    halves[bits] = bits & 0x8000 ? -size : size;
  }
  return halves;
}

function widen(values: Numbers): Float32Array {
  const table = half_table();
  return Float32Array.from(values, (bits) => table[bits]!);
}

function read_column(buffer: ArrayBuffer, base: number, name: string, head: ArrayHead): Column {
  const type = types[head.type];
  if (!type) throw new Error(`column ${name} has the unknown type ${head.type}`);
  const rows = head.shape[0] ?? 0, columns = head.shape[1] ?? 1;
  const begin = base + head.offset, count = rows * columns;
  if (begin + count * type.BYTES_PER_ELEMENT > buffer.byteLength) throw new Error(`column ${name} ends after the packet: it is cut short`);
  const values = new type(buffer, begin, count);
  return { values: head.type === "float16" ? widen(values) : values, columns };
}

export function read_packet(buffer: ArrayBuffer): Packet {
  if (buffer.byteLength < 8) throw new Error("the packet is cut short");
  const length = new DataView(buffer).getUint32(0, true);
  if (4 + length > buffer.byteLength) throw new Error("the header of the packet is cut short");
  const facts = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Record<string, unknown>;
  const heads = (facts["arrays"] ?? {}) as Record<string, ArrayHead>;
  const arrays = new Map(Object.entries(heads).map(([name, head]) => [name, read_column(buffer, 4 + length, name, head)]));
  let bytes = buffer.byteLength;
  for (const head of Object.values(heads)) if (head.type === "float16") bytes += 4 * head.shape.reduce((a, b) => a * b, 1);
  return { facts, arrays, bytes };
}

// A column that must be there, with as many rows as said (-1: any number).
export function column_of(packet: Packet, name: string, rows = -1): Numbers {
  const found = packet.arrays.get(name);
  if (!found) throw new Error(`the packet has no column ${name}`);
  if (rows >= 0 && found.values.length !== rows * found.columns) throw new Error(`column ${name} has the wrong length`);
  return found.values;
}

const optional = (packet: Packet, name: string): Numbers | null => packet.arrays.get(name)?.values ?? null;
const triple = (value: unknown): [number, number, number] => (Array.isArray(value) ? [Number(value[0]), Number(value[1]), Number(value[2] ?? 0)] : [0, 0, 0]);

// Quantised places become metres.
function places(packet: Packet, name: string, rows: number): { values: Float32Array; step: number } {
  const raw = column_of(packet, name, rows);
  if (raw instanceof Float32Array) return { values: raw, step: 0 };
  const lower = triple(packet.facts["lower"]), upper = triple(packet.facts["upper"]);
  const step = lower.map((low, k) => (upper[k]! - low) / 65535);
  const values = new Float32Array(raw.length);
  for (let i = 0; i < raw.length; i += 3) {
    values[i] = lower[0] + raw[i]! * step[0]!;
    values[i + 1] = lower[1] + raw[i + 1]! * step[1]!;
    values[i + 2] = lower[2] + raw[i + 2]! * step[2]!;
  }
  return { values, step: Math.max(...step) };
}

export interface Shapes {
  bodies: number;
  kinds: string[]; // of a shape, by shape_kind
  body_shape: Int32Array;
  body_material: Int32Array;
  body_mass: Float32Array;
  body_index: Uint32Array | null; // number in the run, where only some bodies are there
  shape_kind: Uint8Array;
  shape_radius: Float32Array;
  shape_vector: Float32Array;
  shape_mesh: Int32Array;
  vertex_start: Uint32Array;
  triangle_start: Uint32Array;
  edge_start: Uint32Array;
  vertices: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  half_extent: Float32Array;
  centre: Float32Array;
}

export function read_shapes(packet: Packet): Shapes {
  const get = <T extends Numbers>(name: string): T => column_of(packet, name) as T;
  const body_shape = get<Int32Array>("body_shape");
  const shapes: Shapes = {
    bodies: body_shape.length,
    kinds: packet.facts["kinds"] as string[],
    body_shape,
    body_material: get("body_material"),
    body_mass: get("body_mass"),
    body_index: optional(packet, "body_index") as Uint32Array | null,
    shape_kind: get("shape_kind"),
    shape_radius: get("shape_radius"),
    shape_vector: get("shape_vector"),
    shape_mesh: get("shape_mesh"),
    vertex_start: get("mesh_vertex_start"),
    triangle_start: get("mesh_triangle_start"),
    edge_start: get("mesh_edge_start"),
    vertices: get("mesh_vertices"),
    triangles: get("mesh_triangles"),
    edges: get("mesh_edges"),
    half_extent: get("mesh_half_extent"),
    centre: get("mesh_centre"),
  };
  if (!Array.isArray(shapes.kinds)) throw new Error("the shapes name no kinds");
  return shapes;
}

export const kind_of = (shapes: Shapes, body: number): string => shapes.kinds[shapes.shape_kind[shapes.body_shape[body]!]!] ?? "";
// Of the ball around the body; of a rod the file has the rounding.
export function radius_of(shapes: Shapes, body: number): number {
  const shape = shapes.body_shape[body]!, radius = shapes.shape_radius[shape]!;
  if (shapes.kinds[shapes.shape_kind[shape]!] !== "segment") return radius;
  const { shape_vector } = shapes;
  return radius + Math.hypot(shape_vector[3 * shape]!, shape_vector[3 * shape + 1]!, shape_vector[3 * shape + 2]!);
}
// Walls without an end have no size and hide what lies behind them.
export const is_endless = (kind: string): boolean => kind === "half_space" || kind === "hollow_ball" || kind === "hollow_cylinder";

export const nobody = 65535;

export interface Frame {
  index: number;
  time: number;
  step: number;
  dt: number;
  bodies: number;
  contacts: number;
  position: Float32Array; // [bodies, 3] m
  position_step: number; // m, of the quantised positions; 0: none
  orientation: Int16Array; // [bodies, 4] w, x, y, z over 32767
  velocity: Float32Array;
  spin: Float32Array;
  load: Float32Array;
  coordination: Uint8Array;
  imposed: Uint8Array; // 1: every degree of freedom, 2: it is led or held all the same, and no grain
  led: Uint8Array; // 1: moved from outside rather than one of the grains
  gone: Uint8Array | null; // 1: it has left the run, or is still to come
  part: Uint16Array | null; // nobody: of no sub-domain
  // of a crowd
  heading: Int16Array | null; // angle over pi, times 32767
  density: Float32Array | null; // 1/m²
  inside: number; // persons
  left: number;
  maps: { density: GroundMap; speed: GroundMap } | null;
  bytes: number;
}

export interface GroundMap {
  lower: [number, number]; // m
  cell: number; // m
  nx: number;
  ny: number;
  values: Uint8Array; // from 1 for 0 to 255 for `most`; 0: there is none
  most: number;
}

function ground_map(packet: Packet, kind: "density" | "speed"): GroundMap | null {
  const facts = packet.facts["map"] as (Omit<GroundMap, "values" | "most"> & { density: number; speed: number }) | undefined;
  if (!facts) return null;
  return { lower: facts.lower, cell: facts.cell, nx: facts.nx, ny: facts.ny, values: column_of(packet, `map_${kind}`, facts.nx * facts.ny) as Uint8Array, most: facts[kind] };
}

export const is_there = (frame: Frame, body: number): boolean => body >= 0 && body < frame.bodies && !frame.gone?.[body];

export function read_frame(packet: Packet): Frame {
  const { facts } = packet;
  const bodies = Number(facts["bodies"]);
  const position = places(packet, "position", bodies), imposed = column_of(packet, "imposed", bodies) as Uint8Array;
  const density_map = ground_map(packet, "density"), speed_map = ground_map(packet, "speed");
  // walls without an end lie outside the box of the others
  const walls = optional(packet, "wall_body"), wall_places = optional(packet, "wall_position");
  if (walls && wall_places) walls.forEach((body, k) => position.values.set(wall_places.subarray(3 * k, 3 * k + 3), 3 * body));
  return {
    index: Number(facts["index"]),
    time: Number(facts["time"]),
    step: Number(facts["step"]),
    dt: Number(facts["dt"]),
    bodies,
    contacts: Number(facts["contacts"] ?? 0),
    position: position.values,
    position_step: position.step,
    orientation: column_of(packet, "orientation", bodies) as Int16Array,
    velocity: column_of(packet, "velocity", bodies) as Float32Array,
    spin: column_of(packet, "spin", bodies) as Float32Array,
    load: column_of(packet, "load", bodies) as Float32Array,
    coordination: column_of(packet, "coordination", bodies) as Uint8Array,
    imposed,
    led: imposed.map((mark) => (mark > 0 ? 1 : 0)),
    gone: optional(packet, "gone") as Uint8Array | null,
    part: optional(packet, "part") as Uint16Array | null,
    heading: optional(packet, "heading") as Int16Array | null,
    density: optional(packet, "density") as Float32Array | null,
    inside: Number(facts["inside"] ?? 0),
    left: Number(facts["left"] ?? 0),
    maps: density_map && speed_map ? { density: density_map, speed: speed_map } : null,
    bytes: packet.bytes + position.values.byteLength,
  };
}

export interface Contacts {
  count: number;
  candidate: Int32Array;
  antagonist: Int32Array;
  point: Float32Array; // [count, 3] m
  normal: Int16Array; // over 32767
  gap: Float32Array;
  normal_force: Float32Array;
  tangential_force: Float32Array;
  points: Uint8Array;
  bytes: number;
}

export function read_contacts(packet: Packet): Contacts {
  const candidate = column_of(packet, "candidate") as Int32Array;
  const count = candidate.length;
  const point = places(packet, "point", count).values;
  return {
    count,
    candidate,
    antagonist: column_of(packet, "antagonist", count) as Int32Array,
    point,
    normal: column_of(packet, "normal", count) as Int16Array,
    gap: column_of(packet, "gap", count) as Float32Array,
    normal_force: column_of(packet, "normal_force", count) as Float32Array,
    tangential_force: column_of(packet, "tangential_force", count) as Float32Array,
    points: column_of(packet, "points", count) as Uint8Array,
    bytes: packet.bytes + point.byteLength,
  };
}

// A vector of the body's own frame in the world.
export function turned(frame: Frame, body: number, x: number, y: number, z: number): [number, number, number] {
  const at = 4 * body, o = frame.orientation;
  const size = Math.hypot(o[at]!, o[at + 1]!, o[at + 2]!, o[at + 3]!) || 1;
  const w = o[at]! / size, a = o[at + 1]! / size, b = o[at + 2]! / size, c = o[at + 3]! / size;
  const tx = 2 * (b * z - c * y), ty = 2 * (c * x - a * z), tz = 2 * (a * y - b * x);
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}
