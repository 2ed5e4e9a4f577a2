// Below and beside people: a map of the ground, the ways they have gone so far, exits.
import * as THREE from "three";
import { maps, neutral, qualitative, shades, type MapName, type Range, type Rgb } from "./colours";
import type { SampleBox } from "./bodies";
import type { CrowdFacts } from "./crowd";
import { is_there, type Exit, type Frame, type GroundMap } from "./format";

export type MapChoice = "none" | "density" | "speed";
export const map_colours: Record<"density" | "speed", MapName> = { density: "heat", speed: "viridis" };

const map_vertex = /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
in vec3 position;
in vec2 uv;
out vec2 at;
void main() {
  at = uv;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;
const map_fragment = /* glsl */ `
precision highp float;
uniform sampler2D cells;
in vec2 at;
out vec4 pixel_colour;
void main() { pixel_colour = texture(cells, at); }`;

const way_vertex = /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
in vec2 place;
in vec3 tint;
out vec3 colour;
void main() {
  colour = tint;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 0.0, 1.0);
}`;
const way_fragment = /* glsl */ `
precision highp float;
in vec3 colour;
out vec4 pixel_colour;
void main() { pixel_colour = vec4(colour, 0.5); }`;

function raw_material(vertexShader: string, fragmentShader: string, more: THREE.ShaderMaterialParameters): THREE.RawShaderMaterial {
  return new THREE.RawShaderMaterial({ glslVersion: THREE.GLSL3, vertexShader, fragmentShader, transparent: true, depthTest: false, depthWrite: false, ...more });
}

// Values of cells as colours, paler where they are low; multiplied by their opacity, so that borders blend.
function painted({ nx, ny, values, most }: GroundMap, range: Range, map: MapName): Uint8Array {
  const pixels = new Uint8Array(4 * nx * ny), palette = maps[map];
  for (let k = 0; k < nx * ny; ++k) {
    if (values[k] === 0) continue;
    const value = ((values[k]! - 1) / 254) * most;
    const part = Math.max(0, Math.min(1, (value - range.lower) / (range.upper - range.lower || 1)));
    const opacity = map === "heat" ? 0.45 + 0.55 * part : 0.55, colour = palette[Math.round(part * (shades - 1))]!;
    pixels.set([opacity * colour[0], opacity * colour[1], opacity * colour[2], 255 * opacity], 4 * k);
  }
  return pixels;
}

export interface ExitLabel {
  name: string;
  at: THREE.Vector3;
  outward: [number, number]; // away from the middle of the room
  half: number; // [m] of the line
}

export class CrowdLayer {
  readonly group = new THREE.Group();
  private readonly ground = new THREE.Mesh(new THREE.BufferGeometry(), raw_material(map_vertex, map_fragment, { blending: THREE.CustomBlending, blendSrc: THREE.OneFactor, blendDst: THREE.OneMinusSrcAlphaFactor, uniforms: { cells: { value: null } } }));
  private readonly way_material = raw_material(way_vertex, way_fragment, {});
  private readonly ways = new THREE.LineSegments(new THREE.BufferGeometry(), this.way_material); // by moment
  private readonly legs = new THREE.LineSegments(new THREE.BufferGeometry(), this.way_material); // from the last moment until now
  private readonly doors: THREE.Mesh<THREE.BufferGeometry, THREE.MeshBasicMaterial>[] = [];
  private half_width = 0; // [m] of exits
  private ends: number[] = []; // of the lines until each moment
  private facts: CrowdFacts | null = null;
  private way_colour: Rgb = [60, 84, 120];
  private exit_colour = "#00845c";

  constructor(private readonly exits: Exit[]) {
    this.group.userData["no_pick"] = true;
    for (let k = 0; k < exits.length; ++k) {
      const door = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, side: THREE.DoubleSide }));
      this.doors.push(door);
    }
    [this.ground, ...this.doors, this.ways, this.legs].forEach((object, k) => {
      object.frustumCulled = false;
      object.renderOrder = k === 0 ? -3 : -2;
      this.group.add(object);
    });
    this.ground.visible = this.ways.visible = this.legs.visible = false;
  }

  get lines_drawn(): number {
    return this.ways.visible ? this.ways.geometry.drawRange.count / 2 : 0;
  }
  set_colours(way: string, exit: string): void {
    const { r, g, b } = new THREE.Color(way);
    this.way_colour = [255 * r, 255 * g, 255 * b];
    this.exit_colour = exit;
  }
  // Lines of exits are to be seen in a large hall too.
  fit(box: SampleBox): void {
    const half = Math.max(0.06, 0.002 * Math.hypot(box.upper[0] - box.lower[0], box.upper[1] - box.lower[1]));
    if (half === this.half_width) return;
    this.half_width = half;
    this.exits.forEach(({ from, to }, k) => {
      this.doors[k]!.geometry.dispose();
      this.doors[k]!.geometry = rectangle(from, to, half);
    });
  }
  set_facts(facts: CrowdFacts): void {
    this.facts = facts;
    this.build_ways(facts);
  }

  update(frame: Frame, choice: { map: MapChoice; range: Range | undefined; trajectories: boolean; by_exit: boolean }): void {
    this.doors.forEach((door, k) => door.material.color.set(choice.by_exit ? new THREE.Color(...unit(qualitative(k))) : this.exit_colour));
    this.ground.visible = choice.map !== "none" && frame.maps !== null;
    if (choice.map !== "none" && frame.maps) this.paint_ground(frame.maps[choice.map], choice.range, map_colours[choice.map]);
    this.ways.visible = this.legs.visible = choice.trajectories && this.facts !== null;
    if (!choice.trajectories || !this.facts) return;
    this.paint_ways(this.facts, choice.by_exit);
    const moments = count_until(this.facts.moment, frame.time);
    this.ways.geometry.setDrawRange(0, this.ends[moments - 1] ?? 0);
    this.build_legs(this.facts, frame, moments - 1, choice.by_exit);
  }
  labels(box: SampleBox | null): ExitLabel[] {
    const middle = box ? [0.5 * (box.lower[0] + box.upper[0]), 0.5 * (box.lower[1] + box.upper[1])] : [0, 0];
    return this.exits.map(({ name, from, to }) => {
      const centre = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])], length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      let outward: [number, number] = [(to[1] - from[1]) / length, -(to[0] - from[0]) / length];
      if (outward[0] * (centre[0]! - middle[0]!) + outward[1] * (centre[1]! - middle[1]!) < 0) outward = [-outward[0], -outward[1]];
      return { name, at: new THREE.Vector3(centre[0], centre[1], 0), outward, half: 0.5 * length };
    });
  }

  private paint_ground(map: GroundMap, range: Range | undefined, colours: MapName): void {
    const { material, geometry } = this.ground;
    const [left, low] = map.lower, [right, high] = [left + map.nx * map.cell, low + map.ny * map.cell];
    geometry.setAttribute("position", new THREE.Float32BufferAttribute([left, low, 0, right, low, 0, right, high, 0, left, high, 0], 3));
    geometry.setAttribute("uv", new THREE.Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const cells = new THREE.DataTexture(painted(map, range ?? { lower: 0, upper: map.most, is_cut: false }, colours), map.nx, map.ny);
    cells.magFilter = cells.minFilter = THREE.LinearFilter;
    cells.needsUpdate = true;
    (material.uniforms["cells"]!.value as THREE.Texture | null)?.dispose();
    material.uniforms["cells"]!.value = cells;
  }
  // Lines in the order of time: those until now are the first of them.
  private build_ways({ moment, way_first, way_start, way_place, bodies }: CrowdFacts): void {
    const index: number[] = [];
    this.ends = [0];
    for (let m = 1; m < moment.length; ++m) {
      for (let body = 0; body < bodies; ++body) {
        const k = m - way_first[body]!, start = way_start[body]!;
        if (way_first[body]! >= 0 && k >= 1 && start + k < way_start[body + 1]!) index.push(start + k - 1, start + k);
      }
      this.ends.push(index.length);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("place", new THREE.BufferAttribute(way_place, 2));
    geometry.setAttribute("tint", new THREE.BufferAttribute(new Uint8Array(1.5 * way_place.length), 3, true));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(index), 1));
    this.ways.geometry.dispose();
    this.ways.geometry = geometry;
  }
  private colour_of(facts: CrowdFacts, body: number, by_exit: boolean): Rgb {
    if (!by_exit) return this.way_colour;
    const exit = facts.exit[body]!;
    return exit < 0 ? neutral : qualitative(exit);
  }
  private paint_ways(facts: CrowdFacts, by_exit: boolean): void {
    const tint = this.ways.geometry.getAttribute("tint") as THREE.BufferAttribute;
    for (let body = 0; body < facts.bodies; ++body) {
      const colour = this.colour_of(facts, body, by_exit);
      for (let k = facts.way_start[body]!; k < facts.way_start[body + 1]!; ++k) (tint.array as Uint8Array).set(colour, 3 * k);
    }
    tint.needsUpdate = true;
  }
  private build_legs(facts: CrowdFacts, frame: Frame, moment: number, by_exit: boolean): void {
    const places: number[] = [], tints: number[] = [];
    for (let body = 0; body < Math.min(facts.bodies, frame.bodies); ++body) {
      const k = facts.way_start[body]! + moment - facts.way_first[body]!;
      if (facts.way_first[body]! < 0 || k < facts.way_start[body]! || k >= facts.way_start[body + 1]! || !is_there(frame, body)) continue;
      places.push(facts.way_place[2 * k]!, facts.way_place[2 * k + 1]!, frame.position[3 * body]!, frame.position[3 * body + 1]!);
      const colour = this.colour_of(facts, body, by_exit);
      tints.push(...colour, ...colour);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("place", new THREE.Float32BufferAttribute(places, 2));
    geometry.setAttribute("tint", new THREE.BufferAttribute(Uint8Array.from(tints), 3, true));
    this.legs.geometry.dispose();
    this.legs.geometry = geometry;
    geometry.setDrawRange(0, places.length / 2);
  }
}

const unit = ([r, g, b]: Rgb): [number, number, number] => [r / 255, g / 255, b / 255];

function count_until(moments: Float32Array, time: number): number {
  let count = 0;
  while (count < moments.length && moments[count]! <= time * (1 + 1e-6) + 1e-6) ++count;
  return count;
}

// A line with a width.
function rectangle(from: number[], to: number[], half: number): THREE.BufferGeometry {
  const length = Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!) || 1;
  const [x, y] = [(-half * (to[1]! - from[1]!)) / length, (half * (to[0]! - from[0]!)) / length];
  const corners = [from[0]! - x, from[1]! - y, 0, to[0]! - x, to[1]! - y, 0, to[0]! + x, to[1]! + y, 0, from[0]! + x, from[1]! + y, 0];
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}
