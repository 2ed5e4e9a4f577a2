// A track result for tests of the report: a run of disks in a trough, and what a meter could have written about it.

export const scene = `
[scene]
name = "trough"
dimension = 2
dt = 2e-3
duration = 2.4
[materials]
ballast = { density = 2700 }
[contact]
friction = 0.6
[[generators]]
name = "trough"
type = "container"
lower = [0, 0]
upper = [0.9, 1]
open = ["top"]
material = "ballast"
[[generators]]
name = "grains"
type = "lattice"
lower = [0, 0]
upper = [0.9, 1]
radius = [0.03, 0.05]
jitter = 0.4
count = 60
material = "ballast"
[[drivers]]
type = "gravity"
[[gauges]]
name = "below"
type = "box"
lower = [0.3, 0.02]
upper = [0.6, 0.3]
[[gauges]]
name = "crib left"
type = "box"
lower = [0.02, 0.02]
upper = [0.3, 0.3]
[output]
frames_every = 0.1
series_every = 0.01
`;

const phases = (sleeper, from) =>
  [["lift", 0.1], ["penetration", 0.2], ["squeeze", 0.4], ["hold", 0.05], ["withdrawal", 0.15], ["travel", 0.1]].map(([name, time]) => {
    const phase = { name, sleeper, from_s: from, until_s: Number((from + time).toFixed(6)) };
    from = phase.until_s;
    return phase;
  });

const tool_phases = (k) => [
  { name: "penetration", force_N: -1530.25 - 10 * k, largest_N: 2210.5, energy_J: 412.75 + k, power_W: 2063.75 },
  { name: "squeeze", force_N: 5830.4 + 21.5 * k, largest_N: 7105.2 - 3 * k, energy_J: 1216.5 + 2 * k, power_W: 3041.25 },
  { name: "withdrawal", force_N: 310.9, largest_N: 655.5 + k, energy_J: null, power_W: null },
];

const range = (count, value) => Array.from({ length: count }, (_, k) => value(k));
const period = 1 / 35; // [s] of the vibration
const push = (k) => 6240.8 * Math.tanh((6.8 * k) / 59) - 4 * k; // [N] at k times 0.2 mm
const squeeze = (time) => (time > 0.3 && time < 0.7 ? 1 : time > 0.1 && time < 0.3 ? 0.3 : 0.05);

// Every key that a meter may write; two sleepers, tamped, loaded by a train, pushed.
export const whole_track = () => ({
  verdict: ["compacity below sleeper 1 rose from 0.51 to 0.58", "resistance 5.1 kN at 2 mm", "sleeper 1 supported over 80 % of its foot"],
  based_on: "The means of the last 0.1 s of every operation; contacts that carry less than 1 N are left out.",
  warnings: ["the ballast hangs on sleeper 2: 310 N at its sides", "only 3 grains below the <left> end"],
  operations: [
    { type: "tamping", from_s: 0, until_s: 1, sleepers: [1], phases: phases(1, 0) },
    { type: "train", from_s: 1, until_s: 1.6, sleepers: [1, 2] },
    { type: "lateral_push", from_s: 1.7, until_s: 2.4, sleepers: [1] },
  ],
  sleepers: [
    {
      name: "sleeper 1", y_m: 0.15, level_start_m: 0.3, level_end_m: 0.31725, lift_asked_m: 0.02, lift_kept_m: 0.01725,
      settlements: [{ operation: 2, type: "train", under_load_m: 0.00213, unloaded_m: 0.00108 }],
      support: { from_below_N: 1842.6, left_share: 0.54, right_share: 0.46, foot_share: 0.8, from_sides_N: 96.2, hangs: false },
    },
    {
      name: "sleeper 2", y_m: 0.75, level_start_m: 0.304, level_end_m: 0.3032, lift_asked_m: null, lift_kept_m: null,
      settlements: [{ operation: 2, type: "train", under_load_m: 0.0012, unloaded_m: 0.0008 }],
      support: { from_below_N: 1510, left_share: 0.35, right_share: 0.65, foot_share: 0.4125, from_sides_N: 310.4, hangs: true },
    },
  ],
  resistances: [
    {
      operation: 3, sleeper: 1, largest_N: push(30), at_largest_m: 0.006, at_2mm_N: push(10),
      displacement_m: range(60, (k) => 2e-4 * k), force_N: range(60, push),
    },
  ],
  loads: [1, 2].map((sleeper) => ({
    operation: 2, type: "train", sleeper,
    settlement_m: range(40, (k) => 1e-4 * sleeper + 2e-3 * Math.sin((Math.PI * k) / 45)), force_N: range(40, (k) => 4e4 * Math.sin((Math.PI * k) / 39)),
  })),
  places: [
    { name: "below", start: 0.51, end: 0.58, after: [0.571, 0.5785, 0.58] },
    { name: "crib left", start: 0.562, end: 0.5557, after: [0.55, 0.554, null] },
  ],
  cribs: [{ name: "crib left", surface_start_m: 0.52, surface_end_m: 0.5264, heave_m: 0.0064 }],
  tools: range(4, (k) => ({ name: `tool ${k + 1}`, place: `${k < 2 ? "left" : "right"} ${1 + (k % 2)}`, phases: tool_phases(k) })),
  cycle_times_s: [0.95],
  grains_moved: { count: 12, share: 0.2, farther_than_m: 0.02 },
  forces: {
    period_s: period,
    time_s: range(35, (k) => (k + 0.5) * period),
    mean_N: range(35, (k) => 5800 * squeeze(k * period)),
    largest_N: range(35, (k) => 7000 * squeeze(k * period)),
    highest_N: range(35, (k) => (9000 + 600 * Math.sin(k)) * squeeze(k * period)),
  },
});

// Another machine on the same track, in one respect: no push was made.
export const other_track = () => {
  const track = whole_track();
  track.verdict = ["compacity below sleeper 1 rose from 0.51 to 0.565"];
  track.warnings = [];
  track.places[0].end = 0.565;
  track.sleepers[0].lift_kept_m = 0.0149;
  track.tools.forEach(({ phases }) => (phases[1].force_N *= 0.8));
  delete track.resistances;
  return track;
};

// What a run says that tamped nothing: keys absent, null or empty.
export const bare_track = () => ({
  verdict: ["level of sleeper 1 kept"],
  based_on: null,
  warnings: [],
  operations: [],
  sleepers: [{ name: "sleeper 1", y_m: 0.45, level_start_m: 0.3, level_end_m: null, lift_asked_m: null, settlements: null, support: null }],
  resistances: null,
  places: [{ name: "below", start: null, end: null }],
  tools: [],
  grains_moved: null,
  forces: { period_s: null, time_s: [], mean_N: [] },
});
