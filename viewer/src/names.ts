// Names of columns for people: "kinetic_J" is the kinetic energy in J, "heart.solid_fraction" the compacity of a gauge.
import type { Value } from "./data";
import { indicator_of } from "./data";

const units: Record<string, string> = {
  s: "s", J: "J", W: "W", Pa: "Pa", kPa: "kPa", N: "N", kN: "kN", Nm: "N m", Nms: "N m s", Ns: "N s", Npm: "N/m", m: "m", m2: "m²", m3: "m³",
  mps: "m/s", mps2: "m/s²", kgmps: "kg m/s", kgm2ps: "kg m²/s", kg: "kg", kgpm2: "kg/m²", kgpm3: "kg/m³", rad: "rad",
  radps: "rad/s", deg: "°", Hz: "Hz", K: "K", percent: "%", Jps: "J/s", m2ps2: "m²/s²", ps: "1/s", pm: "1/m", pm2: "1/m²", pmps: "1/(m s)", pm3: "1/m³",
};

// "lateral_push" as people write it.
export const words_of = (name: string): string => name.replaceAll("_", " ");

// Shares that people read in percent.
const shares = new Set(["interpenetration", "largest_interpenetration", "overlap_ratio"]);

const known: Record<string, string> = {
  kinetic: "kinetic energy",
  potential: "potential energy",
  start: "energy at the start",
  load_work: "work of loads",
  external_work: "work of gravity and loads",
  driver_work: "work of drivers",
  fed: "energy of grains fed in",
  correction_work: "work of the position correction",
  turning: "error of the rotations",
  friction: "lost to friction",
  impact: "lost to impacts",
  energy_imbalance: "not accounted for",
  momentum_x: "momentum, x",
  momentum_y: "momentum, y",
  momentum_z: "momentum, z",
  angular_momentum_x: "angular momentum, x",
  angular_momentum_y: "angular momentum, y",
  angular_momentum_z: "angular momentum, z",
  solid_fraction: "compacity",
  coordination: "coordination",
  coordination_without_rattlers: "coordination without rattlers",
  max_overlap: "deepest overlap",
  overlap_ratio: "overlap over solid volume",
  mean_speed: "mean speed",
  max_speed: "largest speed",
  active_contacts: "contacts with a force",
  simple_pairs: "simple pairs (a point)",
  double_pairs: "double pairs (an edge)",
  inertial_number: "inertial number",
  inertial_number_ballast: "inertial number of ballast",
  stress_1: "principal stress 1",
  stress_2: "principal stress 2",
  stress_3: "principal stress 3",
  mean_force: "mean normal force",
  max_force: "largest normal force",
  max_load: "largest load",
  contacts_max: "contacts at most",
  method_steps: "steps of the method",
  wall_time: "wall time",
  wall_time_per_simulated_time: "wall time per simulated time",
  triple_pairs: "triple pairs (a face)",
  time: "time",
};

export interface ColumnName {
  label: string;
  unit: string; // empty: a share or a count
  scale: number; // from the file's number to the one shown
}

export function column_name(column: string): ColumnName {
  const indicator = indicator_of(column);
  const cut = indicator.lastIndexOf("_");
  const unit = cut > 0 ? units[indicator.slice(cut + 1)] : undefined;
  const stem = unit === undefined ? indicator : indicator.slice(0, cut);
  const label = known[stem] ?? stem.replaceAll("_", " ");
  return shares.has(indicator) ? { label, unit: "%", scale: 100 } : { label, unit: unit ?? "", scale: 1 };
}

export const shown = (column: string, value: Value): Value => (value === null ? null : value * column_name(column).scale);

export interface PlotPlan {
  title: string;
  columns: string[]; // full names, all of one unit
  unit: string;
  decades: number; // of a logarithmic axis, below the largest value; 0: a linear one
  by_gauge?: boolean; // one quantity of several gauges, which name the curves
  envelope?: { upper: string; lower: string }; // columns between which the plot is filled
}

interface Rule {
  title: string;
  matches: RegExp; // of the column without its gauge
  decades?: number;
}

// The first rule that fits takes a column. What no rule knows has a plot of its own.
const run_rules: Rule[] = [
  { title: "Energy", matches: /^(?!energy_imbalance).*_J$/ },
  { title: "Energy not accounted for", matches: /^energy_imbalance_J$/ },
  { title: "Contacts", matches: /^(contacts|active_contacts)$/ },
  { title: "Residual", matches: /residual/, decades: 5 },
  { title: "Sweeps", matches: /^sweeps$/ },
  { title: "Bodies", matches: /^bodies$/ },
  { title: "Momentum", matches: /^momentum_/ },
  { title: "Angular momentum", matches: /^angular_momentum_/ },
];

const gauge_rules: Rule[] = [
  { title: "Settlement and displacement", matches: /^(settlement|displacement_[xyz])_m$/ },
  { title: "Reaction", matches: /^reaction(_[xyz])?_N$/ },
  { title: "Torque", matches: /_Nm$/ },
  { title: "Bodies in touch", matches: /_bodies$/ },
  { title: "Evacuation curve", matches: /^(inside|left( by .*)?)$/ },
  { title: "Largest contact force", matches: /^largest_force_N$/ },
  { title: "Crossings", matches: /^(ahead|back)$/ },
  { title: "Flow", matches: /^flow_ps$/ },
  { title: "Specific flow", matches: /^specific_flow_pmps$/ },
  { title: "Compacity", matches: /^(compacity|solid_fraction|porosity|void_ratio)$/ },
  { title: "Coordination", matches: /^(coordination.*|neighbours)$/ },
  { title: "Interpenetration", matches: /^(interpenetration|overlap_ratio)$/ },
  { title: "Deepest overlap", matches: /^max_overlap/ },
  { title: "Inertial number", matches: /^inertial_number/, decades: 6 },
  { title: "Speed", matches: /speed.*_mps$/ },
  { title: "Pressure and deviator", matches: /^(pressure|deviator)_/ },
  { title: "Principal stresses", matches: /^stress_\d_(Pa|Npm)$/ },
  { title: "Stress", matches: /^stress_[xyz]{2}_/ },
  { title: "Contacts", matches: /^(contacts|active_contacts)$/ },
  { title: "Pairs", matches: /_pairs$/ },
  { title: "Grains", matches: /^(grains|rattlers)$/ },
  { title: "Force", matches: /force.*_N$/ },
  { title: "Load of the grains", matches: /load_N$/ },
  { title: "Strong network", matches: /^strong_|^friction_ratio$/ },
  { title: "Anisotropy", matches: /anisotropy/ },
  { title: "Fabric", matches: /^fabric_[xyz]{2}$/ },
  { title: "Direction of the fabric", matches: /^fabric_along/ },
  { title: "Direction of the strongest stress", matches: /^stress_1_along/ },
  { title: "Velocity", matches: /^velocity_/ },
  { title: "Kinetic energy", matches: /^kinetic_J$/, decades: 9 },
  { title: "Sizes", matches: /^d\d+_m$/ },
  { title: "Overlap volume", matches: /^overlap_volume/ },
  { title: "Volumes", matches: /volume_m[23]$/ },
  { title: "Forces", matches: /_N$/ },
  { title: "Energy", matches: /_J$/ },
];

function first_letter_large(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plan_plots(columns: string[], of_gauge: boolean): PlotPlan[] {
  const rules = of_gauge ? gauge_rules : run_rules;
  const plans = new Map<string, PlotPlan>();
  const order: string[] = rules.map((rule) => rule.title);
  for (const column of columns) {
    const indicator = indicator_of(column);
    const { label, unit } = column_name(column);
    const rule = rules.find((candidate) => candidate.matches.test(indicator));
    const title = rule?.title ?? first_letter_large(label);
    if (!rule) order.push(title);
    const key = `${title}|${unit}`;
    const plan = plans.get(key) ?? { title, columns: [], unit, decades: rule?.decades ?? 0 };
    plan.columns.push(column);
    plans.set(key, plan);
  }
  const plots = [...plans.values()];
  if (!of_gauge && columns.includes("kinetic_J")) {
    plots.push({ title: "Kinetic energy", columns: ["kinetic_J"], unit: "J", decades: 9 });
    order.splice(order.indexOf("Energy") + 1, 0, "Kinetic energy");
  }
  return plots.sort((a, b) => order.indexOf(a.title) - order.indexOf(b.title));
}
