// The picked body: a rim around it, seen faintly through what lies before it.
import * as THREE from "three";
import type { Bodies } from "./bodies";
import { is_there, radius_of, type Frame, type Shapes } from "./format";
import type { ShapeMesh } from "./meshes";

export class Halo {
  readonly group = new THREE.Group();
  private readonly rim = new THREE.MeshBasicMaterial({ side: THREE.BackSide });
  private readonly through = new THREE.MeshBasicMaterial({ side: THREE.BackSide, transparent: true, opacity: 0.3, depthTest: false, depthWrite: false });
  private body = -1;

  constructor(private readonly dimension: 2 | 3) {
    this.group.userData["no_pick"] = true;
    this.group.visible = false;
    if (dimension === 2) {
      for (const made of [this.rim, this.through]) made.side = THREE.DoubleSide;
      this.rim.depthTest = this.rim.depthWrite = false;
      this.rim.transparent = true; // after the bodies
    }
  }

  set_colours(colour: THREE.ColorRepresentation): void {
    this.rim.color.set(colour);
    this.through.color.set(colour);
  }
  show(body: number, bodies: Bodies, shapes: Shapes): void {
    this.clear();
    this.body = body;
    if (body < 0) return;
    const hull = bodies.hull(body);
    const radius = radius_of(shapes, body);
    const geometry = !hull ? this.ball(radius) : this.dimension === 2 ? band(hull, 0.18 * radius) : hull_of(hull, 0.06 * radius);
    if (!geometry) return;
    const order = this.dimension === 2 ? [3] : [0, 8];
    const copies = [new THREE.Mesh(geometry, this.rim), ...(this.dimension === 3 ? [new THREE.Mesh(geometry, this.through)] : [])];
    copies.forEach((copy, k) => {
      copy.frustumCulled = false;
      copy.renderOrder = order[k]!;
      this.group.add(copy);
    });
  }
  update(frame: Frame): void {
    this.group.visible = is_there(frame, this.body) && this.group.children.length > 0;
    if (!this.group.visible) return;
    const o = frame.orientation, k = 4 * this.body;
    this.group.position.fromArray(frame.position, 3 * this.body);
    this.group.quaternion.set(o[k + 1]!, o[k + 2]!, o[k + 3]!, o[k]!).normalize();
  }

  private clear(): void {
    for (const child of this.group.children) (child as THREE.Mesh).geometry.dispose();
    this.group.clear();
  }
  private ball(radius: number): THREE.BufferGeometry | null {
    if (!(radius > 0)) return null;
    return this.dimension === 2 ? new THREE.RingGeometry(radius, 1.18 * radius, 64) : new THREE.SphereGeometry(1.07 * radius, 48, 24);
  }
}

function swollen({ vertices, centre }: ShapeMesh, by: number): Float32Array {
  const position = new Float32Array(vertices.length);
  for (let k = 0; k < vertices.length; k += 3) {
    const arm = [0, 1, 2].map((axis) => vertices[k + axis]! - centre[axis]!), size = Math.hypot(...arm) || 1;
    for (let axis = 0; axis < 3; ++axis) position[k + axis] = vertices[k + axis]! + (by * arm[axis]!) / size;
  }
  return position;
}

function hull_of(mesh: ShapeMesh, by: number): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(swollen(mesh, by), 3));
  geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(mesh.triangles), 1));
  return geometry;
}

// Between the outline and a wider one.
function band(mesh: ShapeMesh, by: number): THREE.BufferGeometry {
  const count = mesh.vertices.length / 3, index: number[] = [];
  for (let k = 0; k < mesh.edges.length; k += 2) {
    const a = mesh.edges[k]!, b = mesh.edges[k + 1]!;
    index.push(a, b, b + count, a, b + count, a + count);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from([...mesh.vertices, ...swollen(mesh, by)]), 3));
  geometry.setIndex(index);
  return geometry;
}
