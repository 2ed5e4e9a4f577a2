// The box of the sample, without the few grains that flew far off; a ball dropped on them belongs to it.
import type { SampleBox } from "./bodies";
import { is_endless, is_there, kind_of, radius_of, turned, type Exit, type Frame, type Shapes } from "./format";

const looked_at = 4000; // bodies: enough for quantiles

function trimmed(places: number[], lowest: number, highest: number): [number, number] {
  places.sort((a, b) => a - b);
  const low = places[Math.floor(0.01 * (places.length - 1))]!, high = places[Math.ceil(0.99 * (places.length - 1))]!;
  const room = 0.3 * (high - low) + 1e-9;
  return [Math.max(lowest, low - room), Math.min(highest, high + room)];
}

export function box_of(shapes: Shapes, frame: Frame): SampleBox {
  const count = Math.min(frame.bodies, shapes.bodies);
  const bounded: number[] = [];
  for (let body = 0; body < count; ++body) if (is_there(frame, body) && !is_endless(kind_of(shapes, body))) bounded.push(body);
  // what is led may be a container: grains alone, where there are any
  const free = bounded.filter((body) => !frame.led[body]);
  const chosen = free.length > 0 ? free : bounded;
  const lower: [number, number, number] = [0, 0, 0], upper: [number, number, number] = [0, 0, 0];
  if (chosen.length === 0) return { lower: [-1, -1, -1], upper: [1, 1, 1] };
  const mean = chosen.reduce((sum, body) => sum + radius_of(shapes, body), 0) / chosen.length;
  const large = chosen.filter((body) => radius_of(shapes, body) > 2 * mean);
  const stride = Math.max(1, Math.floor(chosen.length / looked_at));
  for (let axis = 0; axis < 3; ++axis) {
    let lowest = Infinity, highest = -Infinity;
    const places: number[] = [];
    chosen.forEach((body, k) => {
      const place = frame.position[3 * body + axis]!, radius = radius_of(shapes, body);
      if (!Number.isFinite(place)) return;
      lowest = Math.min(lowest, place - radius);
      highest = Math.max(highest, place + radius);
      if (k % stride === 0) places.push(place);
    });
    [lower[axis], upper[axis]] = places.length > 20 ? trimmed(places, lowest, highest) : [lowest, highest];
  }
  const reach = 3 * Math.hypot(...lower.map((low, k) => upper[k]! - low)); // one that left for good is not waited for
  for (let axis = 0; axis < 3; ++axis) {
    const [low, high] = [lower[axis]!, upper[axis]!];
    for (const body of large) {
      const place = frame.position[3 * body + axis]!, radius = radius_of(shapes, body);
      if (!(place > low - reach && place < high + reach)) continue;
      lower[axis] = Math.min(lower[axis]!, place - radius);
      upper[axis] = Math.max(upper[axis]!, place + radius);
    }
  }
  return { lower, upper };
}

// Of a crowd: the room with its exits, whoever is still in it, and margins for the names of exits and the time.
export function room_of(shapes: Shapes, frame: Frame, exits: Exit[]): SampleBox {
  const lower: SampleBox["lower"] = [Infinity, Infinity, 0], upper: SampleBox["upper"] = [-Infinity, -Infinity, 0];
  const reach = (point: number[], half: number[]): void => {
    for (let axis = 0; axis < 2; ++axis) {
      if (!Number.isFinite(point[axis]!)) continue;
      lower[axis] = Math.min(lower[axis]!, point[axis]! - half[axis]!);
      upper[axis] = Math.max(upper[axis]!, point[axis]! + half[axis]!);
    }
  };
  for (let body = 0; body < Math.min(frame.bodies, shapes.bodies); ++body) {
    if (!is_there(frame, body) || is_endless(kind_of(shapes, body))) continue;
    const { middle, half } = extent_of(shapes, frame, body);
    reach(middle, half);
  }
  for (const { from, to } of exits) for (const end of [from, to]) reach(end, [0, 0]);
  if (!(lower[0] <= upper[0])) return { lower: [-1, -1, 0], upper: [1, 1, 0] };
  const room = 0.06 * Math.max(upper[0] - lower[0], upper[1] - lower[1]);
  for (const { from, to } of exits) for (const end of [from, to]) reach(end, [room, room]);
  upper[1] += 0.14 * (upper[1] - lower[1]); // for the time
  return { lower, upper };
}

// Half the box around a body as it lies, and where its middle is.
function extent_of(shapes: Shapes, frame: Frame, body: number): { middle: number[]; half: number[] } {
  const at = [...frame.position.subarray(3 * body, 3 * body + 3)];
  const shape = shapes.body_shape[body]!, mesh = shapes.shape_mesh[shape]!, radius = shapes.shape_radius[shape]!;
  if (mesh < 0) { // a rod, or a ball, whose vector is zero
    const end = turned(frame, body, ...triple(shapes.shape_vector, shape));
    return { middle: at, half: end.map((x) => Math.abs(x) + radius) };
  }
  const own = triple(shapes.half_extent, mesh), half = [0, 0, 0];
  own.forEach((size, axis) => {
    const side = turned(frame, body, axis === 0 ? size : 0, axis === 1 ? size : 0, axis === 2 ? size : 0);
    side.forEach((x, k) => (half[k]! += Math.abs(x)));
  });
  const shift = turned(frame, body, ...triple(shapes.centre, mesh));
  return { middle: at.map((x, k) => x + shift[k]!), half };
}

const triple = (values: Float32Array, row: number): [number, number, number] => [values[3 * row]!, values[3 * row + 1]!, values[3 * row + 2]!];

// Bowls and drums: as far as they reach across their axis.
function round_wall(shapes: Shapes, frame: Frame, body: number): { middle: number[]; half: number[] } {
  const radius = radius_of(shapes, body), axis = turned(frame, body, ...triple(shapes.shape_vector, shapes.body_shape[body]!));
  const half = axis.map((x) => radius * Math.sqrt(Math.max(0, 1 - x * x)));
  return { middle: [...frame.position.subarray(3 * body, 3 * body + 3)], half };
}

// Small bodies that are led (tools, a sleeper), bowls and drums belong to the picture, containers many times larger do not.
export function with_tools(box: SampleBox, shapes: Shapes, frame: Frame): SampleBox {
  const size = Math.hypot(...box.lower.map((low, k) => box.upper[k]! - low));
  const lower = [...box.lower] as SampleBox["lower"], upper = [...box.upper] as SampleBox["upper"];
  for (let body = 0; body < Math.min(frame.bodies, shapes.bodies); ++body) {
    if (!is_there(frame, body)) continue;
    const kind = kind_of(shapes, body), is_round = kind === "hollow_ball" || kind === "hollow_cylinder";
    if (kind === "half_space" || (!is_round && !frame.led[body]) || radius_of(shapes, body) > (is_round ? 100 : 1) * size) continue;
    const { middle, half } = is_round ? round_wall(shapes, frame, body) : extent_of(shapes, frame, body);
    const most = is_round ? Infinity : size; // a tool far away is not waited for
    for (let axis = 0; axis < 3; ++axis) {
      if (!Number.isFinite(middle[axis]!) || half[axis] === 0) continue;
      lower[axis] = Math.min(lower[axis]!, Math.max(middle[axis]! - half[axis]!, box.lower[axis]! - most));
      upper[axis] = Math.max(upper[axis]!, Math.min(middle[axis]! + half[axis]!, box.upper[axis]! + most));
    }
  }
  return { lower, upper };
}

// True where the inner box lies in the outer one, but for a little.
export function holds(outer: SampleBox, inner: SampleBox): boolean {
  const slack = 0.02 * Math.hypot(...outer.lower.map((low, k) => outer.upper[k]! - low));
  return inner.lower.every((low, k) => low >= outer.lower[k]! - slack) && inner.upper.every((high, k) => high <= outer.upper[k]! + slack);
}

// A sample that was poured in meanwhile makes another picture of what is large.
export function outgrown(before: SampleBox, now: SampleBox): boolean {
  const size = ({ lower, upper }: SampleBox): number => Math.hypot(...lower.map((low, k) => upper[k]! - low));
  return size(now) > 3 * size(before);
}

export function united(a: SampleBox, b: SampleBox): SampleBox {
  return {
    lower: a.lower.map((low, k) => Math.min(low, b.lower[k]!)) as SampleBox["lower"],
    upper: a.upper.map((high, k) => Math.max(high, b.upper[k]!)) as SampleBox["upper"],
  };
}
