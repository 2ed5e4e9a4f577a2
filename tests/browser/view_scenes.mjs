// Small scenes that run in a second or so, and large ones that cost little: grains that fall and meet nobody.
export const gravity = 9.81; // [m/s²], the driver's default

const head = ({ name, dimension, dt = 1e-3, duration = 0.2 }) => `
[scene]
name = "${name}"
dimension = ${dimension}
dt = ${dt}
duration = ${duration}
[materials]
glass = { density = 2500 }
steel = { density = 7800 }
[contact]
friction = 0.4
[[drivers]]
type = "gravity"
`;
const container = (lower, upper) => `
[[generators]]
name = "box"
type = "container"
lower = ${JSON.stringify(lower)}
upper = ${JSON.stringify(upper)}
open = ["top"]
material = "steel"
`;
const grains = (type, lower, upper, count, more) => `
[[generators]]
name = "grains"
type = "${type}"
lower = ${JSON.stringify(lower)}
upper = ${JSON.stringify(upper)}
count = ${count}
material = "glass"
${more}
`;
// One that falls freely through the whole run and one that lies on the floor, each with a gauge that tells its numbers.
const two_known = (shape, falling, resting, size) => `
[[bodies]]
name = "falling"
shape = "${shape}"
${size}
position = ${JSON.stringify(falling)}
material = "steel"
[[bodies]]
name = "resting"
shape = "${shape}"
${size}
position = ${JSON.stringify(resting)}
material = "steel"
[[gauges]]
name = "of falling"
type = "body"
body = "falling"
[[gauges]]
name = "of resting"
type = "body"
body = "resting"
`;
const box_gauge = (lower, upper) => `
[[gauges]]
name = "heart"
type = "box"
lower = ${JSON.stringify(lower)}
upper = ${JSON.stringify(upper)}
`;
const output = (frames_every, series_every) => `
[output]
frames_every = ${frames_every}
series_every = ${series_every}
`;

export const scenes = {
  disks:
    head({ name: "disks", dimension: 2 }) +
    container([0, 0], [0.5, 0.5]) +
    grains("deposit", [0, 0], [0.2, 0.5], 160, "radius = [4e-3, 6e-3]") +
    two_known("disk", [0.37, 0.225], [0.45, 0.02], "radius = 0.02") +
    box_gauge([0.05, 0.02], [0.2, 0.08]) +
    output(0.02, 0.01),
  polygons:
    head({ name: "polygons", dimension: 2 }) +
    container([0, 0], [0.5, 0.5]) +
    grains("random", [0, 0], [0.22, 0.25], 100, 'shape = "polygon"\nsize = [8e-3, 12e-3]') +
    two_known("box", [0.37, 0.225], [0.45, 0.02], "size = [0.04, 0.04]") +
    box_gauge([0.05, 0.02], [0.2, 0.08]) +
    output(0.02, 0.01),
  spheres:
    head({ name: "spheres", dimension: 3 }) +
    container([0, 0, 0], [0.25, 0.12, 0.5]) +
    grains("deposit", [0, 0, 0], [0.14, 0.12, 0.5], 250, "radius = [5e-3, 7e-3]") +
    two_known("sphere", [0.2, 0.06, 0.26], [0.2, 0.06, 0.02], "radius = 0.02") +
    box_gauge([0.02, 0.02, 0.02], [0.12, 0.1, 0.06]) +
    '[[gauges]]\nname = "ball"\ntype = "sphere"\ncentre = [0.07, 0.06, 0.04]\nradius = 0.03\n' +
    output(0.02, 0.01),
  polyhedra:
    head({ name: "polyhedra", dimension: 3 }) +
    container([0, 0, 0], [0.25, 0.12, 0.5]) +
    grains("random", [0, 0, 0], [0.14, 0.12, 0.3], 120, 'shape = "polyhedron"\nsize = [12e-3, 16e-3]') +
    two_known("box", [0.2, 0.06, 0.26], [0.2, 0.09, 0.02], "size = [0.04, 0.04, 0.04]") +
    box_gauge([0.02, 0.02, 0.02], [0.12, 0.1, 0.06]) +
    `
[[bodies]]
name = "angle"
shape = "cluster"
parts = [[${box_corners([0, 0, 0], [0.06, 0.03, 0.01])}], [${box_corners([0, 0, 0.01], [0.01, 0.03, 0.05])}]]
position = [0.18, 0.005, 0.03]
material = "glass"
` +
    output(0.02, 0.01),
};

function box_corners(lower, upper) {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((axis) => ((k >> axis) & 1 ? upper : lower)[axis]));
  return corners.map((corner) => JSON.stringify(corner)).join(", ");
}

// Polyhedra on a lattice without a floor: a cube of them.
const side_of = (count) => 0.11 * (Math.ceil(Math.cbrt(count)) + 1); // [m]
export const big_scene = (count) =>
  head({ name: `${count} polyhedra`, dimension: 3, duration: 2e-3 }) +
  grains("lattice", [0, 0, 0], [side_of(count), side_of(count), side_of(count)], count, 'shape = "polyhedron"\nvertices = [10, 16]\nsize = [25e-3, 50e-3]') +
  output(1e-3, 1e-3);

// Several blocks of frames: 64 lie in one.
export const long_scene = (duration, frames_every = 2e-3) =>
  head({ name: "long", dimension: 2, duration }) +
  container([0, 0], [0.3, 0.5]) +
  grains("random", [0, 0.02], [0.3, 0.4], 60, "radius = [8e-3, 12e-3]") +
  output(frames_every, frames_every) +
  "checkpoint_every = 0.3\n";
