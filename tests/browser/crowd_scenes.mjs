// A small room with a door at either side: all have left after some seconds.
const wall = (from, to) => `
[[bodies]]
shape = "segment"
from = ${JSON.stringify(from)}
to = ${JSON.stringify(to)}
radius = 0.05
motion = "fixed"
material = "person"
`;
const walker = (name, position, exit) => `
[[bodies]]
name = "${name}"
shape = "disk"
radius = 0.25
mass = "80 kg"
position = ${JSON.stringify(position)}
material = "person"
[[walkers]]
body = "${name}"
speed = 1.2
exits = ["${exit}"]
`;
const exit = (name, x) => `
[[exits]]
name = "${name}"
from = [${x}, 1.6]
to = [${x}, 3.4]
`;

export const persons = 18;
export const room = `
[scene]
name = "two doors"
dimension = 2
method = "nsm2"
dt = 0.01
duration = 12
[materials]
person = { density = 400 }
[contact]
friction = 0
${wall([0, 0], [6, 0])}${wall([0, 5], [6, 5])}
${wall([0, 0], [0, 1.8])}${wall([0, 3.2], [0, 5])}${wall([6, 0], [6, 1.8])}${wall([6, 3.2], [6, 5])}
[[generators]]
name = "visitors"
type = "random"
lower = [0.6, 0.3]
upper = [5.4, 2.6]
radius = [0.2, 0.25]
count = ${persons - 2}
material = "person"
[[walkers]]
body = "visitors"
${walker("eastbound", [1.2, 4], "east")}${walker("westbound", [4.8, 4.6], "west")}
${exit("west", -0.4)}${exit("east", 6.4)}
[output]
frames_every = 0.5
series_every = 0.5
`;
