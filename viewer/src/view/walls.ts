// Walls without an end, drawn as large as the sample: panes whose fronts alone are filled, so that no wall hides the
// sample, bowls and drums seen from inside; in 2D strips and rings.
import * as THREE from "three";
import type { SampleBox } from "./bodies";
import { is_endless, kind_of, turned, type Frame, type Shapes } from "./format";

type Point = [number, number, number];

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a: Point, b: Point, factor: number): Point => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];

interface Wall {
  body: number;
  kind: string;
  vector: Point;
  radius: number;
}

function walls_of(shapes: Shapes): Wall[] {
  const found: Wall[] = [];
  for (let body = 0; body < shapes.bodies; ++body) {
    const kind = kind_of(shapes, body), shape = shapes.body_shape[body]!;
    if (!is_endless(kind)) continue;
    const vector = [...shapes.shape_vector.subarray(3 * shape, 3 * shape + 3)] as Point;
    found.push({ body, kind, vector, radius: shapes.shape_radius[shape]! });
  }
  return found;
}

const corners = ({ lower, upper }: SampleBox): Point[] =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [k & 1 ? upper[0] : lower[0], k & 2 ? upper[1] : lower[1], k & 4 ? upper[2] : lower[2]]);

// The box ends at walls that are near, so that their panes meet at its edges.
function reaching(box: SampleBox, planes: { foot: Point; normal: Point }[]): SampleBox {
  const lower = [...box.lower] as Point, upper = [...box.upper] as Point;
  const size = Math.hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]);
  for (const { foot, normal } of planes) {
    const axis = normal.map(Math.abs).indexOf(Math.max(...normal.map(Math.abs)));
    if (Math.abs(normal[axis]!) < 0.999) continue;
    const place = foot[axis]!, bound = normal[axis]! > 0 ? lower : upper;
    const inward = (place - bound[axis]!) * Math.sign(normal[axis]!);
    if (inward > -size && inward < 0.1 * size) bound[axis] = place; // bounding balls reach a little through walls
  }
  return { lower, upper };
}

// Where a plane cuts a box: corners in order, counter-clockwise seen from the tip of the normal.
function section_of(box: SampleBox, foot: Point, normal: Point): Point[] {
  const all = corners(box), height = all.map((corner) => dot(normal, add(corner, foot, -1)));
  const found: Point[] = [];
  for (let a = 0; a < 8; ++a) {
    for (const bit of [1, 2, 4]) {
      const b = a | bit;
      if (a & bit || height[a]! * height[b]! > 0 || height[a] === height[b]) continue;
      found.push(add(all[a]!, add(all[b]!, all[a]!, -1), height[a]! / (height[a]! - height[b]!)));
    }
  }
  if (found.length < 3) return found;
  const n = new THREE.Vector3(...normal), middle = new THREE.Vector3();
  for (const point of found) middle.add(new THREE.Vector3(...point).divideScalar(found.length));
  const u = new THREE.Vector3(...found[0]!).sub(middle).projectOnPlane(n).normalize(), v = n.clone().cross(u);
  const angle = (point: Point): number => {
    const arm = new THREE.Vector3(...point).sub(middle);
    return Math.atan2(arm.dot(v), arm.dot(u));
  };
  return found.sort((a, b) => angle(a) - angle(b));
}

export class Walls {
  readonly group = new THREE.Group();
  private readonly walls: Wall[];
  private readonly fill = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.16, depthWrite: false, side: THREE.FrontSide });
  private readonly inner = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.14, depthWrite: false, side: THREE.BackSide });
  private readonly strip = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, depthTest: false, depthWrite: false, transparent: true });
  private readonly line = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.55 });

  constructor(shapes: Shapes, private readonly dimension: 2 | 3) {
    this.walls = walls_of(shapes);
    this.group.userData["no_pick"] = true;
    this.group.renderOrder = -1;
  }

  set_colours(ink: THREE.ColorRepresentation, paper: THREE.ColorRepresentation): void {
    for (const made of [this.fill, this.inner, this.strip, this.line]) made.color.set(ink);
    this.strip.color.lerp(new THREE.Color(paper), 0.45);
  }

  update(frame: Frame, box: SampleBox, is_shown: (body: number) => boolean): void {
    this.clear();
    const present = this.walls.filter(({ body }) => body < frame.bodies);
    const planes = present.filter(({ kind }) => kind === "half_space").map((wall) => ({ foot: this.place(frame, wall), normal: turned(frame, wall.body, ...wall.vector), wall }));
    const room = reaching(box, planes);
    for (const { foot, normal, wall } of planes) if (is_shown(wall.body)) this.add_plane(foot, normal, room);
    for (const wall of present) if (wall.kind !== "half_space" && is_shown(wall.body)) this.add_round(frame, wall, room);
  }
  dispose(): void {
    this.clear();
    for (const made of [this.fill, this.inner, this.strip, this.line]) made.dispose();
  }

  private place(frame: Frame, { body }: Wall): Point {
    return [...frame.position.subarray(3 * body, 3 * body + 3)] as Point;
  }
  private clear(): void {
    this.group.traverse((object) => (object as THREE.Mesh).geometry?.dispose());
    this.group.clear();
  }
  private add_plane(foot: Point, normal: Point, room: SampleBox): void {
    const size = Math.hypot(...corners(room).at(-1)!.map((x, k) => x - room.lower[k]!));
    const slack = 1e-4 * size;
    const wide: SampleBox = { lower: room.lower.map((x) => x - slack) as Point, upper: room.upper.map((x) => x + slack) as Point };
    if (this.dimension === 2) {
      this.add_strip(foot, normal, wide, 0.012 * size);
      return;
    }
    const outline = section_of(wide, foot, normal);
    if (outline.length < 3) return;
    const points = outline.map((point) => new THREE.Vector3(...point));
    const pane = new THREE.BufferGeometry().setFromPoints(points);
    pane.setIndex(points.slice(2).flatMap((_, k) => [0, k + 1, k + 2]));
    this.group.add(this.drawn(new THREE.Mesh(pane, this.fill)), this.drawn(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points), this.line)));
  }
  // A strip on the solid side.
  private add_strip(foot: Point, normal: Point, box: SampleBox, width: number): void {
    const tall: SampleBox = { lower: [box.lower[0], box.lower[1], -1], upper: [box.upper[0], box.upper[1], 1] };
    const along: Point = [-normal[1], normal[0], 0];
    const reach = section_of(tall, foot, normal).map((point) => dot(along, add(point, foot, -1)));
    if (reach.length < 2) return;
    const [from, to] = [Math.min(...reach) - width, Math.max(...reach) + width];
    const near = [add(foot, along, from), add(foot, along, to)], far = near.map((point) => add(point, normal, -width));
    const geometry = new THREE.BufferGeometry().setFromPoints([near[0]!, near[1]!, far[1]!, far[0]!].map((point) => new THREE.Vector3(point[0], point[1], 0)));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.group.add(this.drawn(new THREE.Mesh(geometry, this.strip)));
  }
  private add_round(frame: Frame, wall: Wall, room: SampleBox): void {
    const at = new THREE.Vector3(...this.place(frame, wall));
    const object = this.dimension === 2 ? this.ring(wall) : wall.kind === "hollow_ball" ? this.bowl(wall) : this.drum(frame, wall, at, room);
    object.position.add(at);
    if (this.dimension === 2 || wall.kind === "hollow_ball") {
      const o = frame.orientation, k = 4 * wall.body;
      object.quaternion.set(o[k + 1]!, o[k + 2]!, o[k + 3]!, o[k]!).normalize();
    }
    this.group.add(object);
  }
  private ring({ radius }: Wall): THREE.Object3D {
    return this.drawn(new THREE.Mesh(new THREE.RingGeometry(radius, 1.025 * radius, 160), this.strip));
  }
  private bowl({ radius }: Wall): THREE.Object3D {
    const shell = this.drawn(new THREE.Mesh(new THREE.SphereGeometry(radius, 64, 32), this.inner));
    const group = new THREE.Group().add(shell);
    for (const turn of [new THREE.Euler(), new THREE.Euler(Math.PI / 2, 0, 0), new THREE.Euler(0, Math.PI / 2, 0)]) {
      const circle = this.circle(radius);
      circle.setRotationFromEuler(turn);
      group.add(circle);
    }
    return group;
  }
  // An endless drum is as long as what is in it; lines along it show that it turns.
  private drum(frame: Frame, wall: Wall, at: THREE.Vector3, room: SampleBox): THREE.Object3D {
    const axis = new THREE.Vector3(...turned(frame, wall.body, ...wall.vector));
    const ends = corners(room).map((corner) => new THREE.Vector3(...corner).sub(at).dot(axis));
    const from = Math.min(...ends), to = Math.max(...ends);
    const shell = new THREE.CylinderGeometry(wall.radius, wall.radius, to - from, 96, 1, true).rotateX(Math.PI / 2);
    const group = new THREE.Group().add(this.drawn(new THREE.Mesh(shell, this.inner)));
    for (const end of [-0.5, 0.5]) {
      const rim = this.circle(wall.radius);
      rim.position.z = end * (to - from);
      group.add(rim);
    }
    const lines = [0, 1, 2, 3, 4, 5].flatMap((k) => {
      const [c, s] = [Math.cos((k * Math.PI) / 3), Math.sin((k * Math.PI) / 3)];
      return [-0.5, 0.5].map((end) => new THREE.Vector3(wall.radius * c, wall.radius * s, end * (to - from)));
    });
    group.add(this.drawn(new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(lines), this.line)));
    const still = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...wall.vector).normalize());
    const o = frame.orientation, k = 4 * wall.body;
    group.quaternion.set(o[k + 1]!, o[k + 2]!, o[k + 3]!, o[k]!).normalize().multiply(still);
    group.position.copy(axis).multiplyScalar(0.5 * (from + to));
    return group;
  }
  private circle(radius: number): THREE.Object3D {
    const points = Array.from({ length: 128 }, (_, k) => new THREE.Vector3(radius * Math.cos((k * Math.PI) / 64), radius * Math.sin((k * Math.PI) / 64), 0));
    return this.drawn(new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(points), this.line));
  }
  private drawn<T extends THREE.Object3D>(object: T): T {
    object.renderOrder = -1;
    object.frustumCulled = false;
    return object;
  }
}
