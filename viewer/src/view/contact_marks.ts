// Contacts as points, normals and force chains. A chain leads from centre to centre, or ends at the contact on a wall
// or a driven body, and is as wide as the normal force is strong.
import * as THREE from "three";
import { is_grain } from "./colouring";
import type { Contacts, Frame, Shapes } from "./format";
import { mark_material, type MarkKind, type SharedUniforms } from "./shaders";

export interface MarkChoice {
  points: boolean;
  normals: boolean;
  chains: boolean;
  above: number; // over the mean normal force: weaker ones are left out
}

export interface ForceScale {
  mean: number; // [N] of the contacts that push
  strong: number; // [N] as wide as a chain gets
}

function scale_of({ normal_force }: Contacts): ForceScale {
  const pushing = normal_force.filter((force) => force > 0).sort();
  if (pushing.length === 0) return { mean: 0, strong: 1 };
  const mean = pushing.reduce((sum, force) => sum + force, 0) / pushing.length;
  return { mean, strong: pushing[Math.floor(0.995 * (pushing.length - 1))]! };
}

// One chain per pair, the strong ones last.
interface Chains {
  count: number;
  from: Float32Array;
  to: Float32Array;
  force: Float32Array;
}

export class ContactMarks {
  readonly over = new THREE.Group(); // drawn over the veiled grains
  readonly among = new THREE.Group(); // points and normals: over the grains too, they lie inside of them
  private readonly materials: Record<MarkKind, THREE.RawShaderMaterial>;
  private readonly weak = { value: new THREE.Color() };
  private readonly strong = { value: new THREE.Color() };
  private shown: number[] = []; // contacts drawn as points, by their place in the buffer
  scale: ForceScale = { mean: 0, strong: 1 };

  constructor(uniforms: SharedUniforms, dimension: 2 | 3) {
    const made = (kind: MarkKind): THREE.RawShaderMaterial => mark_material(uniforms, kind, this.weak, this.strong);
    this.materials = { points: made("points"), lines: made("lines"), chains: made("chains") };
    if (dimension === 2) for (const one of Object.values(this.materials)) one.depthTest = false;
  }

  set_colours(weak: THREE.ColorRepresentation, strong: THREE.ColorRepresentation): void {
    this.weak.value.set(weak);
    this.strong.value.set(strong);
  }
  contact_at(place: number): number {
    return this.shown[place] ?? -1;
  }
  clear(): void {
    for (const group of [this.over, this.among]) {
      group.traverse((object) => (object as THREE.Mesh).geometry?.dispose());
      group.clear();
    }
    this.shown = [];
  }

  update(contacts: Contacts, frame: Frame, shapes: Shapes, choice: MarkChoice, diameter: number, is_shown: (body: number) => boolean, strong_in_run: number): void {
    this.clear();
    this.scale = scale_of(contacts);
    const least = choice.above * this.scale.mean;
    const chosen: number[] = [];
    for (let c = 0; c < contacts.count; ++c) {
      if (contacts.normal_force[c]! < least || (least > 0 && contacts.normal_force[c] === 0)) continue;
      if (is_shown(contacts.candidate[c]!) || is_shown(contacts.antagonist[c]!)) chosen.push(c);
    }
    if (choice.chains) this.add_chains(contacts, frame, shapes, chosen, diameter, strong_in_run);
    if (choice.normals) this.add_normals(contacts, chosen, diameter);
    if (choice.points) this.add_points(contacts, chosen);
  }

  private add_points(contacts: Contacts, chosen: number[]): void {
    this.shown = chosen;
    const geometry = new THREE.BufferGeometry();
    const position = new Float32Array(3 * chosen.length);
    chosen.forEach((c, k) => copy_row(contacts.point, c, position, k));
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("strength", new THREE.BufferAttribute(Float32Array.from(chosen, (c) => contacts.normal_force[c]!), 1));
    this.among.add(drawn(new THREE.Points(geometry, this.materials.points), 6));
  }
  private add_normals(contacts: Contacts, chosen: number[], diameter: number): void {
    const half = 0.3 * diameter;
    const position = new Float32Array(6 * chosen.length), strength = new Float32Array(2 * chosen.length);
    chosen.forEach((c, k) => {
      for (let axis = 0; axis < 3; ++axis) {
        const arm = (half * contacts.normal[3 * c + axis]!) / 32767, at = contacts.point[3 * c + axis]!;
        position[6 * k + axis] = at - arm;
        position[6 * k + 3 + axis] = at + arm;
      }
      strength.fill(contacts.normal_force[c]!, 2 * k, 2 * k + 2);
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
    geometry.setAttribute("strength", new THREE.BufferAttribute(strength, 1));
    const lines = drawn(new THREE.LineSegments(geometry, this.materials.lines), 5);
    lines.userData["no_pick"] = true;
    this.among.add(lines);
  }

  private add_chains(contacts: Contacts, frame: Frame, shapes: Shapes, chosen: number[], diameter: number, strong_in_run: number): void {
    const { count, from, to, force } = chains_of(contacts, frame, shapes, chosen);
    if (count === 0) return;
    this.scale.strong = strong_in_run > 0 ? strong_in_run : force[Math.floor(0.995 * (count - 1))]!;
    const strength = force.map((value) => Math.min(1.3, value / this.scale.strong));
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("from", new THREE.InstancedBufferAttribute(from, 3));
    geometry.setAttribute("to", new THREE.InstancedBufferAttribute(to, 3));
    geometry.setAttribute("strength", new THREE.InstancedBufferAttribute(strength, 1));
    geometry.setAttribute("width", new THREE.InstancedBufferAttribute(strength.map((share) => diameter * (0.03 + 0.42 * share)), 1));
    geometry.instanceCount = count;
    const mesh = drawn(new THREE.Mesh(geometry, this.materials.chains), 4);
    mesh.userData["no_pick"] = true;
    this.over.add(mesh);
  }
}

function copy_row(source: Float32Array, row: number, target: Float32Array, to: number): void {
  for (let axis = 0; axis < 3; ++axis) target[3 * to + axis] = source[3 * row + axis]!;
}

// Contact points of one pair follow each other: their forces add up to one chain.
function pairs_of(contacts: Contacts, chosen: number[]): { contact: number; force: number }[] {
  const pairs: { contact: number; force: number }[] = [];
  for (const c of chosen) {
    const force = contacts.normal_force[c]!, last = pairs.at(-1);
    if (force <= 0) continue;
    const is_same = last && contacts.candidate[last.contact] === contacts.candidate[c] && contacts.antagonist[last.contact] === contacts.antagonist[c];
    if (is_same) last.force += force;
    else pairs.push({ contact: c, force });
  }
  return pairs.sort((a, b) => a.force - b.force);
}

function chains_of(contacts: Contacts, frame: Frame, shapes: Shapes, chosen: number[]): Chains {
  const pairs = pairs_of(contacts, chosen), count = pairs.length;
  const chains: Chains = { count, from: new Float32Array(3 * count), to: new Float32Array(3 * count), force: new Float32Array(count) };
  const put_end = (body: number, c: number, ends: Float32Array, k: number): void => {
    if (is_grain(shapes, frame, body)) copy_row(frame.position, body, ends, k);
    else copy_row(contacts.point, c, ends, k);
  };
  pairs.forEach(({ contact, force }, k) => {
    put_end(contacts.candidate[contact]!, contact, chains.from, k);
    put_end(contacts.antagonist[contact]!, contact, chains.to, k);
    chains.force[k] = force;
  });
  return chains;
}

function drawn<T extends THREE.Object3D>(object: T, order: number): T {
  object.frustumCulled = false;
  object.renderOrder = order;
  return object;
}
