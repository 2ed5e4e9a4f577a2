// The drawing of bodies on the graphics card. Position, orientation and colour of every body lie in textures, one texel
// each, so that a new frame costs three uploads whatever the shapes are. Convex grains cut by a plane show their far
// inner side: painted like a flat face it has the very outline of the cut, so they look solid.
import * as THREE from "three";

export const texels = 1024; // in a row of the textures of bodies

export interface SharedUniforms {
  [name: string]: THREE.IUniform;
  places: THREE.IUniform<THREE.Texture | null>; // xyz, and the radius of the ball around the body
  turns: THREE.IUniform<THREE.Texture | null>; // quaternion x, y, z, w as int16
  looks: THREE.IUniform<THREE.Texture | null>; // colour; alpha 0: hidden
  cut_a: THREE.IUniform<THREE.Vector4>; // shown where dot(xyz, place) + w >= 0
  cut_b: THREE.IUniform<THREE.Vector4>; // the far side of a slice
  is_picking: THREE.IUniform<number>;
  is_flat: THREE.IUniform<number>; // 2D: no light
  veil: THREE.IUniform<number>; // 0 to 1: how pale the grains are
  paper: THREE.IUniform<THREE.Color>;
  lift: THREE.IUniform<number>; // [m] edges lie this much nearer than their faces
  edge: THREE.IUniform<number>; // strength of edges
  pixel: THREE.IUniform<number>; // size of marks [px of the canvas]
  depths: THREE.IUniform<THREE.Vector2>; // [m] of the near and the far side of the sample
}

const no_cut = (): THREE.Vector4 => new THREE.Vector4(0, 0, 0, 1);

export function shared_uniforms(): SharedUniforms {
  return {
    places: { value: null },
    turns: { value: null },
    looks: { value: null },
    cut_a: { value: no_cut() },
    cut_b: { value: no_cut() },
    is_picking: { value: 0 },
    is_flat: { value: 0 },
    veil: { value: 0 },
    paper: { value: new THREE.Color() },
    lift: { value: 0 },
    edge: { value: 1 },
    pixel: { value: 6 },
    depths: { value: new THREE.Vector2(0, 1) },
  };
}

const of_body = /* glsl */ `
precision highp float;
precision highp int;
uniform highp sampler2D places;
uniform highp isampler2D turns;
uniform highp sampler2D looks;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec4 cut_b;
in vec3 position;
in uint body;
flat out vec3 colour;
flat out uint id;

ivec2 texel_of(uint b) { return ivec2(int(b) & ${texels - 1}, int(b) >> ${Math.log2(texels)}); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec4 turn_of(ivec2 at) { vec4 q = vec4(texelFetch(turns, at, 0)).yzwx; return q / max(length(q), 1.0); }
const vec4 nowhere = vec4(0.0, 0.0, 2.0, 1.0);
// Where the body's numbers are, and its colour; false where it is hidden.
bool is_shown(out ivec2 at) {
  at = texel_of(body);
  vec4 look = texelFetch(looks, at, 0);
  colour = look.rgb;
  id = body;
  if (look.a == 0.0) gl_Position = nowhere;
  return look.a > 0.0;
}
`;

const painting = /* glsl */ `
precision highp float;
precision highp int;
uniform vec4 cut_a, cut_b;
uniform int is_picking, is_flat;
uniform float veil;
uniform vec3 paper;
uniform mat4 viewMatrix;
out vec4 pixel_colour;

vec4 as_colour(uint n) { n += 1u; return vec4(float((n >> 16) & 255u), float((n >> 8) & 255u), float(n & 255u), 255.0) / 255.0; }
bool is_cut_off(vec3 world) { return dot(cut_a, vec4(world, 1.0)) < 0.0 || dot(cut_b, vec4(world, 1.0)) < 0.0; }
// A key light over the left shoulder, a headlight, and a sky that is brighter than the ground.
vec3 lit(vec3 colour, vec3 n) {
  vec3 up = normalize(viewMatrix[2].xyz);
  float key = max(dot(n, normalize(vec3(-0.42, 0.55, 0.72))), 0.0);
  float shade = 0.40 + 0.42 * key + 0.17 * max(n.z, 0.0) + 0.10 * dot(n, up);
  return colour * shade + 0.03 * key + 0.04 * pow(key, 12.0);
}
// Lines on dark grains are lighter than they, on bright ones darker.
vec3 line_on(vec3 colour) { return mix(1.25 * colour + 0.16, 0.42 * colour, smoothstep(0.12, 0.3, dot(colour, vec3(0.3, 0.59, 0.11)))); }
vec3 veiled(vec3 shown) { return mix(shown, paper, veil); }
`;

const mesh_vertex = /* glsl */ `
#ifdef COARSE
in vec3 middle, half_extent;
#endif
#ifdef LINES
uniform float lift;
#endif
out vec3 world, view;
void main() {
  ivec2 at;
  if (!is_shown(at)) return;
#ifdef COARSE
  vec3 own = middle + half_extent * position;
#else
  vec3 own = position;
#endif
  vec4 place = texelFetch(places, at, 0);
  // at the far side of a slice grains stay whole: without their inner sides the cut ones would have holes
  if (dot(cut_b, vec4(place.xyz, 1.0)) < -0.7 * place.w) { gl_Position = nowhere; return; }
  world = place.xyz + turned(turn_of(at), own);
  view = (viewMatrix * vec4(world, 1.0)).xyz;
#ifdef LINES
  bool is_parallel = projectionMatrix[2][3] == 0.0;
  view += lift * (is_parallel ? vec3(0.0, 0.0, 1.0) : normalize(-view));
#endif
  gl_Position = projectionMatrix * vec4(view, 1.0);
}`;

const mesh_fragment = /* glsl */ `
flat in vec3 colour;
flat in uint id;
in vec3 world, view;
uniform float opacity, edge;
#ifdef SOLID
uniform mat4 projectionMatrix;
uniform float lift;
// A little nearer than the inner side is: grains that touch it from behind must not show through.
float nearer() {
  bool is_parallel = projectionMatrix[2][3] == 0.0;
  vec4 clip = projectionMatrix * vec4(view + 4.0 * lift * (is_parallel ? vec3(0.0, 0.0, 1.0) : normalize(-view)), 1.0);
  return clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
}
#endif
void main() {
  if (dot(cut_a, vec4(world, 1.0)) < 0.0) discard;
#ifdef SOLID
  gl_FragDepth = gl_FrontFacing ? gl_FragCoord.z : nearer();
#endif
  if (is_picking == 1) { pixel_colour = as_colour(id); return; }
#ifdef LINES
  pixel_colour = vec4(veiled(line_on(colour)), edge * (1.0 - 0.8 * veil));
#else
  if (is_flat == 1) { pixel_colour = vec4(veiled(colour), opacity); return; }
  vec3 n = normalize(cross(dFdx(view), dFdy(view)));
  vec3 shown = lit(colour, n);
  // the inner side of a cut grain stands for the face of the cut
  if (!gl_FrontFacing && dot(cut_a.xyz, cut_a.xyz) > 0.0) shown = 0.86 * colour + 0.02;
  pixel_colour = vec4(veiled(shown), opacity);
#endif
}`;

const sphere_vertex = /* glsl */ `
in float radius;
flat out vec3 centre;
flat out vec4 turn;
flat out float size;
out vec3 view;
void main() {
  ivec2 at;
  if (!is_shown(at)) return;
  size = radius;
  turn = turn_of(at);
  centre = (viewMatrix * vec4(texelFetch(places, at, 0).xyz, 1.0)).xyz;
  bool is_parallel = projectionMatrix[2][3] == 0.0;
  float far = length(centre);
  vec3 toward = is_parallel || far <= radius ? vec3(0.0, 0.0, 1.0) : -centre / far;
  vec3 across = normalize(cross(abs(toward.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), toward));
  // the silhouette of a near ball is wider than its radius
  float reach = is_parallel || far <= radius ? radius : radius * far / sqrt(far * far - radius * radius);
  view = centre + 1.02 * reach * (position.x * across + position.y * cross(toward, across));
  gl_Position = projectionMatrix * vec4(view, 1.0);
}`;

// A ball by its equation: exact at any size, cut by planes with flat faces, its depth that of the point seen.
const sphere_fragment = /* glsl */ `
flat in vec3 colour;
flat in uint id;
flat in vec3 centre;
flat in vec4 turn;
flat in float size;
in vec3 view;
uniform mat4 projectionMatrix;

// The part of the ray in front of a plane.
void cut(vec4 plane, vec3 from, vec3 along, inout float enter, inout float leave, inout vec3 face) {
  if (dot(plane.xyz, plane.xyz) == 0.0) return;
  vec3 n = (viewMatrix * vec4(plane.xyz, 0.0)).xyz;
  float offset = plane.w - dot(n, viewMatrix[3].xyz);
  float rate = dot(n, along), start = dot(n, from) + offset;
  if (abs(rate) < 1e-9) { if (start < 0.0) leave = -1.0; return; }
  float t = -start / rate;
  if (rate > 0.0) { if (t > enter) { enter = t; face = -n; } }
  else leave = min(leave, t);
}

void main() {
  bool is_parallel = projectionMatrix[2][3] == 0.0;
  vec3 along = is_parallel ? vec3(0.0, 0.0, -1.0) : normalize(view);
  vec3 from = is_parallel ? vec3(view.xy, 0.0) : vec3(0.0);
  vec3 offset = from - centre;
  float b = dot(offset, along);
  vec3 nearest = offset - b * along;
  float gap = size - length(nearest);
#ifdef SMOOTH
  float cover = clamp(0.5 + gap / max(fwidth(gap), 1e-12), 0.0, 1.0);
  if (cover <= 0.0) discard;
#else
  if (gap < 0.0) discard;
  const float cover = 1.0;
#endif
  float half_chord = sqrt(max(size * size - dot(nearest, nearest), 0.0));
  float enter = -b - half_chord, leave = -b + half_chord;
  vec3 face = vec3(0.0);
  cut(cut_a, from, along, enter, leave, face);
  cut(cut_b, from, along, enter, leave, face);
  if (enter > leave) discard;
  vec3 hit = from + enter * along;
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
  if (is_picking == 1) { if (cover < 0.5) discard; pixel_colour = as_colour(id); return; }
  bool is_face = dot(face, face) > 0.0;
  vec3 n = is_face ? normalize(face) : (hit - centre) / size;
  vec3 shown = is_face ? 0.86 * colour + 0.02 : lit(colour, n);
  if (!is_face) { // a faint belt turns with the ball
    vec3 own = (vec4(n, 0.0) * viewMatrix).xyz;
    own += 2.0 * cross(-turn.xyz, cross(-turn.xyz, own) + turn.w * own);
    float belt = smoothstep(0.10, 0.14, abs(own.z));
    shown *= 1.0 - 0.22 * (1.0 - belt);
  }
  pixel_colour = vec4(veiled(shown), cover);
}`;

const disk_vertex = /* glsl */ `
in float radius;
out vec2 own;
flat out float size;
void main() {
  ivec2 at;
  if (!is_shown(at)) return;
  size = radius;
  own = 1.06 * position.xy;
  vec3 world = texelFetch(places, at, 0).xyz + turned(turn_of(at), vec3(radius * own, 0.0));
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

// A disk with a darker rim and the radius that turns with it.
const disk_fragment = /* glsl */ `
flat in vec3 colour;
flat in uint id;
flat in float size;
in vec2 own;
uniform float edge;
void main() {
  float far = length(own), pixel = max(fwidth(far), 1e-9);
  float cover = clamp(0.5 + (1.0 - far) / pixel, 0.0, 1.0);
  if (cover <= 0.0) discard;
  if (is_picking == 1) { if (far > 1.0) discard; pixel_colour = as_colour(id); return; }
  float large = smoothstep(0.25, 0.10, pixel); // rims and marks of disks of a few pixels would be all there is
  float width = clamp(0.06, 1.2 * pixel, 2.5 * pixel);
  float rim = smoothstep(1.0 - width - pixel, 1.0 - width, far);
  float mark = own.x > 0.0 ? 1.0 - smoothstep(0.5 * width, 0.5 * width + pixel, abs(own.y)) : 0.0;
  vec3 shown = mix(colour, line_on(colour), large * edge * max(rim, mark));
  pixel_colour = vec4(veiled(shown), cover);
}`;

// A person from above: the disk that touches others, pale; in it shoulders, a head and a nose that points where they go.
const person_fragment = /* glsl */ `
flat in vec3 colour;
flat in uint id;
flat in float size;
in vec2 own;
float within(float distance, float pixel) { return clamp(0.5 - distance / pixel, 0.0, 1.0); }
void main() {
  float far = length(own), pixel = max(length(dFdx(own)), 1e-9);
  float cover = within(far - 1.0, pixel);
  if (cover <= 0.0) discard;
  if (is_picking == 1) { if (far > 1.0) discard; pixel_colour = as_colour(id); return; }
  float width = clamp(0.06, 1.0 * pixel, 2.5 * pixel);
  float rim = within(1.0 - width - far, pixel);
  vec3 dark = mix(colour, vec3(0.13, 0.14, 0.17), 0.72);
  vec3 face = mix(colour, dot(colour, vec3(0.3, 0.6, 0.1)) < 0.35 ? vec3(1.0) : vec3(0.13, 0.14, 0.17), 0.75);
  vec3 plain = mix(colour, dark, 0.5 * rim);
  vec2 shoulders = vec2(0.62, 0.96);
  float outside = (length(own / shoulders) - 1.0) * length(own) / max(length(own / shoulders), 1e-6);
  float nose = max(-own.x, abs(own.y) - 0.32 * (1.0 - own.x / 0.92));
  vec3 shown = mix(mix(colour, paper, 0.55), dark, 0.45 * rim);
  shown = mix(shown, dark, within(outside, pixel));
  shown = mix(shown, colour, within(outside + width, pixel));
  shown = mix(shown, face, max(within(far - 0.40, pixel), within(nose, pixel)));
  float large = smoothstep(0.22, 0.14, pixel); // of a few pixels: a disk
  pixel_colour = vec4(veiled(mix(plain, shown, large)), cover);
}`;

function material(vertex: string, fragment: string, uniforms: SharedUniforms, own: Record<string, THREE.IUniform>, defines: string[]): THREE.RawShaderMaterial {
  const head = defines.map((name) => `#define ${name}\n`).join("");
  return new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: head + of_body + vertex,
    fragmentShader: head + painting + fragment,
    uniforms: { ...uniforms, ...own },
  });
}

export function mesh_material(uniforms: SharedUniforms, kind: "fine" | "solid" | "coarse" | "lines", opacity = 1): THREE.RawShaderMaterial {
  const defines = { fine: [], solid: ["SOLID"], coarse: ["COARSE"], lines: ["LINES"] }[kind];
  const made = material(mesh_vertex, mesh_fragment, uniforms, { opacity: { value: opacity } }, defines);
  made.transparent = opacity < 1 || kind === "lines";
  made.depthWrite = !made.transparent;
  return made;
}

export function sphere_material(uniforms: SharedUniforms, is_smooth: boolean): THREE.RawShaderMaterial {
  const made = material(sphere_vertex, sphere_fragment, uniforms, {}, is_smooth ? ["SMOOTH"] : []);
  made.alphaToCoverage = is_smooth;
  return made;
}

export function disk_material(uniforms: SharedUniforms, is_person = false): THREE.RawShaderMaterial {
  const made = material(disk_vertex, is_person ? person_fragment : disk_fragment, uniforms, {}, []);
  made.transparent = true;
  made.depthTest = made.depthWrite = false;
  return made;
}

const mark_head = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 viewMatrix, projectionMatrix;
`;

const point_vertex = /* glsl */ `
uniform float pixel;
in vec3 position;
in float strength;
flat out uint id;
flat out float strong;
out vec3 world;
void main() {
  world = position;
  strong = strength;
  id = uint(gl_VertexID);
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
  gl_PointSize = pixel;
}`;

const point_fragment = /* glsl */ `
flat in uint id;
flat in float strong;
in vec3 world;
uniform vec3 weak_colour, strong_colour;
void main() {
  if (is_cut_off(world)) discard;
  float far = length(2.0 * gl_PointCoord - 1.0);
  if (far > 1.0) discard;
  if (is_picking == 1) { pixel_colour = as_colour(id + 8388608u); return; }
  vec3 fill = strong <= 0.0 ? weak_colour : strong_colour;
  pixel_colour = vec4(far > 0.72 ? paper : fill, 1.0);
}`;

const line_vertex = /* glsl */ `
in vec3 position;
in float strength;
flat out float strong;
out vec3 world;
void main() {
  world = position;
  strong = strength;
  gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0);
}`;

const line_fragment = /* glsl */ `
flat in float strong;
in vec3 world;
uniform vec3 weak_colour, strong_colour;
void main() {
  if (is_cut_off(world)) discard;
  pixel_colour = vec4(strong <= 0.0 ? weak_colour : strong_colour, 1.0);
}`;

// A ribbon that faces the viewer and is shaded like a rod.
const chain_vertex = /* glsl */ `
in vec3 position; // x: from 0 to 1 along it, y: -1 and 1 across
in vec3 from, to;
in float width, strength;
out vec3 world;
out float across, depth;
flat out float strong;
void main() {
  world = mix(from, to, position.x);
  strong = strength;
  across = position.y;
  vec3 a = (viewMatrix * vec4(from, 1.0)).xyz, b = (viewMatrix * vec4(to, 1.0)).xyz;
  vec3 here = mix(a, b, position.x);
  bool is_parallel = projectionMatrix[2][3] == 0.0;
  vec3 side = cross(b - a, is_parallel ? vec3(0.0, 0.0, 1.0) : -here);
  float size = length(side);
  here += size > 0.0 ? side / size * 0.5 * width * position.y : vec3(0.0);
  depth = -here.z;
  gl_Position = projectionMatrix * vec4(here, 1.0);
}`;

const chain_fragment = /* glsl */ `
in vec3 world;
in float across, depth;
flat in float strong;
uniform vec2 depths;
uniform vec3 weak_colour, strong_colour;
void main() {
  if (is_cut_off(world)) discard;
  float share = clamp(strong, 0.0, 1.0);
  vec3 fill = mix(weak_colour, strong_colour, smoothstep(0.0, 0.7, share));
  if (is_flat == 0) { // like a rod, and paler where it is far
    fill *= 0.72 + 0.34 * sqrt(max(1.0 - across * across, 0.0));
    fill = mix(fill, paper, 0.6 * smoothstep(depths.x, depths.y, depth));
  }
  pixel_colour = vec4(fill, mix(0.55, 1.0, smoothstep(0.05, 0.4, share)));
}`;

export type MarkKind = "points" | "lines" | "chains";

export function mark_material(uniforms: SharedUniforms, kind: MarkKind, weak: THREE.IUniform<THREE.Color>, strong: THREE.IUniform<THREE.Color>): THREE.RawShaderMaterial {
  const [vertex, fragment] = { points: [point_vertex, point_fragment], lines: [line_vertex, line_fragment], chains: [chain_vertex, chain_fragment] }[kind] as [string, string];
  return new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: mark_head + vertex,
    fragmentShader: painting + fragment,
    uniforms: { ...uniforms, weak_colour: weak, strong_colour: strong },
    transparent: kind === "chains",
    side: THREE.DoubleSide,
  });
}
