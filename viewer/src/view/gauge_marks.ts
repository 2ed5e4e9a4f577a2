// Gauges as wire boxes, spheres and cylinders; those on a body go with it.
import * as THREE from "three";
import { is_there, type Frame, type Gauge } from "./format";

const point = (values: number[] | undefined): THREE.Vector3 => new THREE.Vector3(values?.[0] ?? 0, values?.[1] ?? 0, values?.[2] ?? 0);

function direction(axis: Gauge["axis"]): THREE.Vector3 {
  if (Array.isArray(axis)) return point(axis).normalize();
  return new THREE.Vector3(axis === "x" ? 1 : 0, axis === "y" ? 1 : 0, axis === "x" || axis === "y" ? 0 : 1);
}

function circle(centre: THREE.Vector3, u: THREE.Vector3, v: THREE.Vector3, radius: number): THREE.Vector3[] {
  const at = (k: number): THREE.Vector3 =>
    centre.clone().addScaledVector(u, radius * Math.cos((k * Math.PI) / 48)).addScaledVector(v, radius * Math.sin((k * Math.PI) / 48));
  return Array.from({ length: 96 }, (_, k) => [at(k), at(k + 1)]).flat();
}

function box(lower: THREE.Vector3, upper: THREE.Vector3, dimension: 2 | 3): THREE.Vector3[] {
  const corner = (k: number): THREE.Vector3 => new THREE.Vector3(k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y, k & 4 ? upper.z : lower.z);
  const edges = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];
  return (dimension === 2 ? edges.slice(0, 4) : edges).flatMap(([a, b]) => [corner(a!), corner(b!)]);
}

function askew(gauge: Gauge, dimension: 2 | 3): { lines: THREE.Vector3[]; label: THREE.Vector3 } {
  const [w, x, y, z] = gauge.turn as [number, number, number, number];
  const turn = new THREE.Quaternion(x, y, z, w), centre = point(gauge.centre), half = point(gauge.half);
  const placed = (corner: THREE.Vector3): THREE.Vector3 => corner.applyQuaternion(turn).add(centre);
  const lines = box(half.clone().negate(), half, dimension).map(placed);
  return { lines, label: placed(new THREE.Vector3(-half.x, dimension === 2 ? half.y : -half.y, half.z)) };
}

const [ex, ey, ez] = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)];

// Line segments, and where its name stands.
function outline(gauge: Gauge, dimension: 2 | 3): { lines: THREE.Vector3[]; label: THREE.Vector3 } | null {
  const centre = point(gauge.centre), radius = gauge.radius ?? 0;
  switch (gauge.type) {
    case "box": {
      if (gauge.half && gauge.turn) return askew(gauge, dimension);
      const lower = point(gauge.lower), upper = point(gauge.upper);
      return { lines: box(lower, upper, dimension), label: dimension === 2 ? new THREE.Vector3(lower.x, upper.y, 0) : new THREE.Vector3(lower.x, lower.y, upper.z) };
    }
    case "disk":
      return { lines: circle(centre, ex, ey, radius), label: centre.clone().addScaledVector(ey, radius) };
    case "sphere":
      return { lines: [...circle(centre, ex, ey, radius), ...circle(centre, ey, ez, radius), ...circle(centre, ez, ex, radius)], label: centre.clone().addScaledVector(ez, radius) };
    case "cylinder": {
      const axis = direction(gauge.axis), half = 0.5 * (gauge.length ?? 0);
      const u = (Math.abs(axis.z) < 0.9 ? ez : ex).clone().cross(axis).normalize(), v = axis.clone().cross(u);
      const ends = [centre.clone().addScaledVector(axis, -half), centre.clone().addScaledVector(axis, half)];
      const sides = [0, 1, 2, 3].flatMap((k) => {
        const arm = u.clone().multiplyScalar(Math.cos((k * Math.PI) / 2)).addScaledVector(v, Math.sin((k * Math.PI) / 2)).multiplyScalar(radius);
        return ends.map((end) => end.clone().add(arm));
      });
      return { lines: [...ends.flatMap((end) => circle(end, u, v, radius)), ...sides], label: ends[1]!.clone() };
    }
  }
  return null;
}

export interface GaugeLabel {
  name: string;
  at: THREE.Vector3; // in the world
}

export class GaugeMarks {
  readonly group = new THREE.Group();
  private readonly material = new THREE.LineBasicMaterial({ transparent: true, depthTest: true });
  private readonly behind = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35, depthTest: false });
  private readonly marks: { gauge: Gauge; object: THREE.Group; label: THREE.Vector3 }[] = [];

  constructor(gauges: Gauge[], dimension: 2 | 3) {
    this.group.userData["no_pick"] = true;
    for (const gauge of gauges) {
      const made = outline(gauge, dimension);
      if (!made || made.lines.length === 0) continue;
      const geometry = new THREE.BufferGeometry().setFromPoints(made.lines);
      const object = new THREE.Group();
      for (const material of [this.behind, this.material]) {
        const lines = new THREE.LineSegments(geometry, material);
        lines.renderOrder = 7;
        lines.frustumCulled = false;
        object.add(lines);
      }
      this.marks.push({ gauge, object, label: made.label });
      this.group.add(object);
    }
  }

  get count(): number {
    return this.marks.length;
  }
  set_colours(ink: THREE.ColorRepresentation): void {
    this.material.color.set(ink);
    this.behind.color.set(ink);
  }
  update(frame: Frame): void {
    for (const { gauge, object } of this.marks) {
      const body = gauge.body;
      object.visible = body === null || body === undefined || is_there(frame, body);
      if (body === null || body === undefined || !object.visible) continue;
      object.position.fromArray(frame.position, 3 * body);
      const o = frame.orientation, k = 4 * body;
      if (gauge.turns) object.quaternion.set(o[k + 1]!, o[k + 2]!, o[k + 3]!, o[k]!).normalize();
    }
  }
  labels(): GaugeLabel[] {
    if (!this.group.visible) return [];
    return this.marks
      .filter(({ object }) => object.visible)
      .map(({ gauge, object, label }) => ({ name: gauge.name, at: label.clone().applyQuaternion(object.quaternion).add(object.position) }));
  }
}
