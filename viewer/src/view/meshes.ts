// Triangles and edges of shapes in the frame of the body, rods included.
import type { Shapes } from "./format";

export interface ShapeMesh {
  vertices: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
  half_extent: [number, number, number];
  centre: [number, number, number];
}

function row(values: Float32Array, index: number): [number, number, number] {
  return [values[3 * index]!, values[3 * index + 1]!, values[3 * index + 2]!];
}

function listed(shapes: Shapes, mesh: number): ShapeMesh {
  const part = <T extends Float32Array | Uint32Array>(values: T, start: Uint32Array, width: number): T =>
    values.subarray(width * start[mesh]!, width * start[mesh + 1]!) as T;
  return {
    vertices: part(shapes.vertices, shapes.vertex_start, 3),
    triangles: part(shapes.triangles, shapes.triangle_start, 3),
    edges: part(shapes.edges, shapes.edge_start, 2),
    half_extent: row(shapes.half_extent, mesh),
    centre: row(shapes.centre, mesh),
  };
}

function boxed(vertices: number[], triangles: number[], edges: number[]): ShapeMesh {
  const half_extent: [number, number, number] = [0, 0, 0];
  vertices.forEach((value, k) => (half_extent[k % 3] = Math.max(half_extent[k % 3]!, Math.abs(value))));
  return { vertices: Float32Array.from(vertices), triangles: Uint32Array.from(triangles), edges: Uint32Array.from(edges), half_extent, centre: [0, 0, 0] };
}

// A stadium: two half circles around the ends of the segment.
function flat_rod(half: [number, number, number], radius: number): ShapeMesh {
  const start = Math.atan2(half[1], half[0]) - Math.PI / 2, corners = 16;
  const vertices: number[] = [], triangles: number[] = [], edges: number[] = [];
  for (let k = 0; k < 2 * corners; ++k) {
    const end = k < corners ? 1 : -1, angle = start + (Math.PI * (k - (end < 0 ? 1 : 0))) / (corners - 1);
    vertices.push(end * half[0] + radius * Math.cos(angle), end * half[1] + radius * Math.sin(angle), 0);
  }
  const count = 2 * corners;
  for (let k = 1; k + 1 < count; ++k) triangles.push(0, k, k + 1);
  for (let k = 0; k < count; ++k) edges.push(k, (k + 1) % count);
  return boxed(vertices, triangles, edges);
}

// Rings from pole to pole, the equator doubled and drawn apart to the ends.
function rod(half: [number, number, number], radius: number): ShapeMesh {
  const length = Math.hypot(...half) || 1;
  const w = half.map((x) => x / length) as [number, number, number];
  const helper = Math.abs(w[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const cross = (a: number[], b: number[]): number[] => [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
  const side = cross(helper, w), size = Math.hypot(...side);
  const u = side.map((x) => x / size), v = cross(w, u);
  const around = 20, rings = 12;
  const vertices: number[] = [], triangles: number[] = [];
  for (let ring = 0; ring <= rings; ++ring) {
    const end = ring <= rings / 2 - 0.5 ? -1 : 1;
    const latitude = -Math.PI / 2 + (Math.PI * (ring - (end > 0 ? 1 : 0))) / (rings - 1);
    for (let k = 0; k < around; ++k) {
      const angle = (2 * Math.PI * k) / around;
      const c = radius * Math.cos(latitude) * Math.cos(angle), s = radius * Math.cos(latitude) * Math.sin(angle), t = radius * Math.sin(latitude);
      for (let x = 0; x < 3; ++x) vertices.push(end * half[x]! + c * u[x]! + s * v[x]! + t * w[x]!);
    }
  }
  for (let ring = 0; ring < rings; ++ring) {
    for (let k = 0; k < around; ++k) {
      const a = ring * around + k, b = ring * around + ((k + 1) % around);
      triangles.push(a, b, b + around, a, b + around, a + around);
    }
  }
  return boxed(vertices, triangles, []);
}

export function mesh_of_shape(shapes: Shapes, shape: number, dimension: 2 | 3): ShapeMesh | null {
  const mesh = shapes.shape_mesh[shape]!;
  if (mesh >= 0) return listed(shapes, mesh);
  if (shapes.kinds[shapes.shape_kind[shape]!] !== "segment") return null;
  const half = row(shapes.shape_vector, shape), radius = shapes.shape_radius[shape]!;
  return dimension === 2 ? flat_rod(half, radius) : rod(half, radius);
}
