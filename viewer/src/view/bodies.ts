// The bodies on the stage: shapes that many share are instanced, the others are merged into one mesh, balls are one
// quad each. Far away or in motion the angular grains are drawn as twenty triangles of the same extent.
import * as THREE from "three";
import { is_person } from "./crowd";
import { is_endless, kind_of, radius_of, type Frame, type Shapes } from "./format";
import { mesh_of_shape, type ShapeMesh } from "./meshes";
import { disk_material, mesh_material, sphere_material, texels, type SharedUniforms } from "./shaders";

const shared_by = 48; // bodies of one shape that make instancing worth a draw of its own
const edges_at_most = 1.5e6; // lines; beyond them grains have none

function texture<T extends THREE.TypedArray>(values: T, format: THREE.PixelFormat, type: THREE.TextureDataType): THREE.DataTexture {
  const made = new THREE.DataTexture(values as never, texels, values.length / 4 / texels, format as never, type);
  made.internalFormat = null;
  made.minFilter = made.magFilter = THREE.NearestFilter;
  made.generateMipmaps = false;
  made.unpackAlignment = 4;
  return made;
}

// A body is drawn at full detail always (tools, sleepers), or coarsely where that is enough, or as a veil (containers).
type Part = "grain" | "solid" | "faint";

type Sorted = Record<Part, Placed[]> & { balls: number[]; persons: number[] };

interface Placed {
  mesh: ShapeMesh;
  bodies: number[];
}

function merged(list: Placed[], part: "triangles" | "edges"): THREE.BufferGeometry {
  let vertices = 0, indices = 0;
  for (const { mesh, bodies } of list) {
    vertices += (mesh.vertices.length / 3) * bodies.length;
    indices += mesh[part].length * bodies.length;
  }
  const position = new Float32Array(3 * vertices), body = new Uint32Array(vertices), index = new Uint32Array(indices);
  let vertex = 0, at = 0;
  for (const { mesh, bodies } of list) {
    const count = mesh.vertices.length / 3, own = mesh[part];
    for (const b of bodies) {
      position.set(mesh.vertices, 3 * vertex);
      body.fill(b, vertex, vertex + count);
      for (let k = 0; k < own.length; ++k) index[at++] = vertex + own[k]!;
      vertex += count;
    }
  }
  return geometry_of(position, index, new THREE.BufferAttribute(body, 1), new THREE.BufferGeometry());
}

function geometry_of<T extends THREE.BufferGeometry>(position: Float32Array, index: Uint32Array | Uint16Array, body: THREE.BufferAttribute, geometry: T): T {
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("body", body);
  geometry.setIndex(new THREE.BufferAttribute(index, 1));
  return geometry;
}

function instanced({ mesh, bodies }: Placed, part: "triangles" | "edges"): THREE.InstancedBufferGeometry {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.instanceCount = bodies.length;
  const body = new THREE.InstancedBufferAttribute(Uint32Array.from(bodies), 1);
  const index = mesh.vertices.length / 3 > 65535 ? Uint32Array.from(mesh[part]) : Uint16Array.from(mesh[part]);
  return geometry_of(mesh.vertices, index, body, geometry);
}

// An icosahedron that just fits into a box of two units: three crossed golden rectangles.
const short = 2 / (1 + Math.sqrt(5));
const icosahedron = {
  corners: [
    [-short, 1, 0], [short, 1, 0], [-short, -1, 0], [short, -1, 0], [0, -short, 1], [0, short, 1],
    [0, -short, -1], [0, short, -1], [1, 0, -short], [1, 0, short], [-1, 0, -short], [-1, 0, short],
  ],
  triangles: [
    0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
    3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1,
  ],
};

function coarse(list: Placed[]): THREE.InstancedBufferGeometry {
  const position = Float32Array.from(icosahedron.corners.flat());
  const count = list.reduce((sum, { bodies }) => sum + bodies.length, 0);
  const body = new Uint32Array(count), middle = new Float32Array(3 * count), half_extent = new Float32Array(3 * count);
  let at = 0;
  for (const { mesh, bodies } of list) {
    for (const b of bodies) {
      body[at] = b;
      middle.set(mesh.centre, 3 * at);
      half_extent.set(mesh.half_extent, 3 * at++);
    }
  }
  const geometry = geometry_of(position, Uint16Array.from(icosahedron.triangles), new THREE.InstancedBufferAttribute(body, 1), new THREE.InstancedBufferGeometry());
  geometry.setAttribute("middle", new THREE.InstancedBufferAttribute(middle, 3));
  geometry.setAttribute("half_extent", new THREE.InstancedBufferAttribute(half_extent, 3));
  geometry.instanceCount = count;
  return geometry;
}

function round(bodies: number[], shapes: Shapes): THREE.InstancedBufferGeometry {
  const position = Float32Array.from([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
  const body = new THREE.InstancedBufferAttribute(Uint32Array.from(bodies), 1);
  const geometry = geometry_of(position, Uint16Array.from([0, 1, 2, 0, 2, 3]), body, new THREE.InstancedBufferGeometry());
  geometry.setAttribute("radius", new THREE.InstancedBufferAttribute(Float32Array.from(bodies, (b) => radius_of(shapes, b)), 1));
  geometry.instanceCount = bodies.length;
  return geometry;
}

export interface SampleBox {
  lower: [number, number, number];
  upper: [number, number, number];
}

// Led bodies that hold the sample or are as large as one side of it would hide it.
function is_container(mesh: ShapeMesh, frame: Frame, body: number, box: SampleBox): boolean {
  if (!frame.led[body]) return false;
  const radius = Math.hypot(...mesh.half_extent);
  const extent = box.lower.map((low, k) => box.upper[k]! - low);
  const wide = mesh.half_extent.slice().sort((a, b) => b - a).map((half) => 2 * half);
  const sides = extent.slice().sort((a, b) => b - a);
  return 2 * radius > 0.8 * Math.hypot(...extent) || (wide[0]! > 0.8 * sides[0]! && wide[1]! > 0.8 * sides[1]!);
}

export class Bodies {
  readonly group = new THREE.Group();
  private readonly fine = new THREE.Group();
  private readonly low = new THREE.Group();
  private readonly edges = new THREE.Group();
  private readonly places: Float32Array;
  private readonly turns: Int16Array;
  private readonly looks: Uint8Array;
  private readonly textures: THREE.DataTexture[];
  private readonly materials: THREE.RawShaderMaterial[] = [];
  private outlines: (() => void)[] = []; // made when first shown
  readonly mean_diameter: number; // [m] of the angular grains and balls
  private readonly has_grain_meshes: boolean;

  constructor(
    private readonly shapes: Shapes,
    frame: Frame,
    private readonly dimension: 2 | 3,
    readonly box: SampleBox, // by which containers are told from tools
    private readonly uniforms: SharedUniforms,
    private readonly is_smooth: boolean,
    readonly is_crowd = false, // disks that can move are people
  ) {
    const rows = Math.max(1, Math.ceil(shapes.bodies / texels));
    this.places = new Float32Array(4 * texels * rows);
    this.turns = new Int16Array(4 * texels * rows);
    this.looks = new Uint8Array(4 * texels * rows);
    this.textures = [
      texture(this.places, THREE.RGBAFormat, THREE.FloatType),
      texture(this.turns, THREE.RGBAIntegerFormat, THREE.ShortType),
      texture(this.looks, THREE.RGBAFormat, THREE.UnsignedByteType),
    ];
    [uniforms.places.value, uniforms.turns.value, uniforms.looks.value] = this.textures as [THREE.DataTexture, THREE.DataTexture, THREE.DataTexture];
    uniforms.is_flat.value = dimension === 2 ? 1 : 0;
    for (let body = 0; body < shapes.bodies; ++body) this.places[4 * body + 3] = radius_of(shapes, body);
    const parts = this.sorted(frame, box);
    this.mean_diameter = this.mean_size(frame);
    this.has_grain_meshes = parts.grain.length > 0;
    uniforms.lift.value = dimension === 2 ? 0 : 0.02 * this.mean_diameter;
    this.add_meshes(parts);
    this.group.add(this.fine, this.low, this.edges);
    this.set_detail("fine");
  }

  dispose(): void {
    this.group.traverse((object) => (object as THREE.Mesh).geometry?.dispose());
    for (const made of [...this.materials, ...this.textures]) made.dispose();
  }

  set_places(frame: Frame): void {
    const { position, orientation } = frame;
    for (let body = 0; body < frame.bodies; ++body) {
      this.places[4 * body] = position[3 * body]!;
      this.places[4 * body + 1] = position[3 * body + 1]!;
      this.places[4 * body + 2] = position[3 * body + 2]!;
    }
    this.turns.set(orientation.length > this.turns.length ? orientation.subarray(0, this.turns.length) : orientation);
    if (frame.heading) this.set_headings(frame, frame.heading);
    this.textures[0]!.needsUpdate = this.textures[1]!.needsUpdate = true;
  }
  // People do not turn; they are drawn as they face.
  private set_headings(frame: Frame, heading: Int16Array): void {
    for (let body = 0; body < frame.bodies; ++body) {
      if (!is_person(frame, body)) continue;
      const half = (0.5 * Math.PI * heading[body]!) / 32767;
      this.turns[4 * body] = 32767 * Math.cos(half);
      this.turns[4 * body + 1] = this.turns[4 * body + 2] = 0;
      this.turns[4 * body + 3] = 32767 * Math.sin(half);
    }
  }
  set_looks(colours: Uint8Array, is_shown: (body: number) => boolean): void {
    this.looks.fill(0);
    for (let body = 0; 3 * body < colours.length; ++body) {
      this.looks[4 * body] = colours[3 * body]!;
      this.looks[4 * body + 1] = colours[3 * body + 1]!;
      this.looks[4 * body + 2] = colours[3 * body + 2]!;
      this.looks[4 * body + 3] = is_shown(body) ? 255 : 0;
    }
    this.textures[2]!.needsUpdate = true;
  }
  set_detail(detail: "edges" | "fine" | "coarse"): void {
    const coarse = detail === "coarse" && this.has_grain_meshes && this.dimension === 3;
    this.fine.visible = !coarse;
    this.low.visible = coarse;
    this.edges.visible = detail === "edges";
    if (detail !== "edges") return;
    for (const make of this.outlines) make();
    this.outlines = [];
  }
  // Cut bodies show their inner side.
  set_cut(is_cut: boolean): void {
    for (const made of this.materials) if (made.userData["is_solid"]) made.side = is_cut || this.dimension === 2 ? THREE.DoubleSide : THREE.FrontSide;
  }
  // The hull of one body in its own frame, for the halo of the picked one; null: a ball.
  hull(body: number): ShapeMesh | null {
    return mesh_of_shape(this.shapes, this.shapes.body_shape[body]!, this.dimension);
  }

  private sorted(frame: Frame, box: SampleBox): Sorted {
    const by_shape: Record<Part, Map<number, Placed>> = { grain: new Map(), solid: new Map(), faint: new Map() };
    const balls: number[] = [], persons: number[] = [], meshes = new Map<number, ShapeMesh | null>();
    for (let body = 0; body < this.shapes.bodies; ++body) {
      const kind = kind_of(this.shapes, body), shape = this.shapes.body_shape[body]!;
      if (is_endless(kind)) continue;
      if (kind === "ball") {
        (this.is_crowd && (body >= frame.bodies || is_person(frame, body)) ? persons : balls).push(body);
        continue;
      }
      if (!meshes.has(shape)) meshes.set(shape, mesh_of_shape(this.shapes, shape, this.dimension));
      const mesh = meshes.get(shape);
      if (!mesh || mesh.triangles.length === 0) continue;
      const is_known = body < frame.bodies;
      const part: Part = is_known && !this.is_crowd && is_container(mesh, frame, body, box) ? "faint" : is_known && frame.led[body] ? "solid" : "grain";
      const list = by_shape[part];
      const placed = list.get(shape) ?? { mesh, bodies: [] };
      placed.bodies.push(body);
      list.set(shape, placed);
    }
    return { grain: [...by_shape.grain.values()], solid: [...by_shape.solid.values()], faint: [...by_shape.faint.values()], balls, persons };
  }
  private mean_size(frame: Frame): number {
    let sum = 0, count = 0;
    for (let body = 0; body < this.shapes.bodies; ++body) {
      if (is_endless(kind_of(this.shapes, body)) || (body < frame.bodies && frame.led[body])) continue;
      sum += 2 * radius_of(this.shapes, body);
      ++count;
    }
    return count > 0 ? sum / count : 0.1;
  }

  private add_meshes(parts: Sorted): void {
    const lines = this.own(mesh_material(this.uniforms, "lines"), false);
    if (this.dimension === 2) lines.depthTest = false;
    const fine = this.own(mesh_material(this.uniforms, "fine"), true);
    if (this.dimension === 2) fine.depthTest = fine.depthWrite = false;
    this.add_placed(parts.grain, fine, lines, this.fine);
    this.add_placed(parts.solid, this.dimension === 2 ? fine : this.own(mesh_material(this.uniforms, "solid"), true), lines, this.group);
    if (parts.grain.length > 0 && this.dimension === 3) {
      this.low.add(this.meshed(coarse(parts.grain), this.own(mesh_material(this.uniforms, "coarse"), true), 0));
    }
    if (parts.faint.length > 0) {
      const faint = this.own(mesh_material(this.uniforms, "fine", this.dimension === 2 ? 0.6 : 0.16), false);
      faint.side = THREE.DoubleSide;
      this.add_placed(parts.faint, faint, lines, this.group);
    }
    if (parts.balls.length > 0) {
      const made = this.own(this.dimension === 2 ? disk_material(this.uniforms) : sphere_material(this.uniforms, this.is_smooth), false);
      this.group.add(this.meshed(round(parts.balls, this.shapes), made, 1));
    }
    if (parts.persons.length > 0) this.group.add(this.meshed(round(parts.persons, this.shapes), this.own(disk_material(this.uniforms, true), false), 3));
  }
  private add_placed(list: Placed[], faces: THREE.RawShaderMaterial, lines: THREE.RawShaderMaterial, into: THREE.Group): void {
    const single = list.filter(({ bodies }) => bodies.length < shared_by), many = list.filter(({ bodies }) => bodies.length >= shared_by);
    if (single.length > 0) into.add(this.meshed(merged(single, "triangles"), faces, 0));
    for (const placed of many) into.add(this.meshed(instanced(placed, "triangles"), faces, 0));
    const edges = list.reduce((sum, { mesh, bodies }) => sum + (mesh.edges.length / 2) * bodies.length, 0);
    if (edges === 0 || edges > edges_at_most) return;
    this.outlines.push(() => this.add_outlines([...(single.length > 0 ? [merged(single, "edges")] : []), ...many.map((placed) => instanced(placed, "edges"))], lines));
  }
  private add_outlines(geometries: THREE.BufferGeometry[], lines: THREE.RawShaderMaterial): void {
    for (const geometry of geometries) {
      const made = new THREE.LineSegments(geometry, lines);
      made.frustumCulled = false;
      made.renderOrder = 2;
      made.userData["no_pick"] = true;
      this.edges.add(made);
    }
  }
  private own(made: THREE.RawShaderMaterial, is_solid: boolean): THREE.RawShaderMaterial {
    made.userData["is_solid"] = is_solid;
    this.materials.push(made);
    return made;
  }
  private meshed(geometry: THREE.BufferGeometry, made: THREE.RawShaderMaterial, order: number): THREE.Mesh {
    const mesh = new THREE.Mesh(geometry, made);
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    return mesh;
  }
}
