// Colour maps, ranges and units as in the painter of pictures (src/talus/report/drawing/colours.cpp); safe for the colour-blind.

export type Rgb = [number, number, number]; // 0 to 255

const of_hex = (hex: number): Rgb => [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];

const viridis_hex = [
  0x440154, 0x481567, 0x482677, 0x453781, 0x404788, 0x39568c, 0x33638d, 0x2d708e, 0x287d8e, 0x238a8d,
  0x1f968b, 0x20a387, 0x29af7f, 0x3cbb75, 0x55c667, 0x73d055, 0x95d840, 0xb8de29, 0xdce319, 0xfde725,
];
const signed_hex = [0x2166ac, 0x4393c3, 0x92c5de, 0xc3d9e6, 0xd9d9d9, 0xf0cdb9, 0xf4a582, 0xd6604d, 0xb2182b];
const ink_hex = [0xffffff, 0xd3e1f1, 0x9cbfe0, 0x5d93c6, 0x28619f, 0x0c2c5e];
const heat_hex = [0xfffbea, 0xfee39a, 0xfdb95a, 0xf57f3c, 0xd43a26, 0x800f26];
const qualitative_hex = [0xe69f00, 0x56b4e9, 0x009e73, 0xd55e00, 0x0072b2, 0xcc79a7, 0xf0e442, 0x8c6d4f];

export const neutral: Rgb = [184, 186, 191];
export const qualitative = (index: number): Rgb => of_hex(qualitative_hex[index % qualitative_hex.length]!);

export const shades = 256;
export type MapName = "viridis" | "signed" | "ink" | "heat";

function mixed(a: Rgb, b: Rgb, part: number): Rgb {
  return [0, 1, 2].map((k) => Math.round(a[k]! + part * (b[k]! - a[k]!))) as Rgb;
}

function sampled(hex: number[]): Rgb[] {
  return Array.from({ length: shades }, (_, k) => {
    const place = (k / (shades - 1)) * (hex.length - 1);
    const below = Math.min(Math.floor(place), hex.length - 2);
    return mixed(of_hex(hex[below]!), of_hex(hex[below + 1]!), place - below);
  });
}

export const maps: Record<MapName, Rgb[]> = { viridis: sampled(viridis_hex), signed: sampled(signed_hex), ink: sampled(ink_hex), heat: sampled(heat_hex) };
export const css_colour = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;
export const css_gradient = (map: MapName): string =>
  `linear-gradient(to right, ${Array.from({ length: 24 }, (_, k) => css_colour(maps[map][Math.round((k / 23) * (shades - 1))]!)).join(", ")})`;

export interface Range {
  lower: number;
  upper: number;
  is_cut: boolean; // a few values are larger
}

// The painter's rule: a few extreme values must not take all colours for themselves.
export function range_of(values: Float32Array, from_zero: boolean): Range {
  const sorted = values.filter(Number.isFinite).sort();
  if (sorted.length === 0) return { lower: 0, upper: 1, is_cut: false };
  const least = sorted[0]!, most = sorted.at(-1)!;
  const lower = from_zero ? Math.min(0, least) : least;
  if (most <= lower * (1 + 1e-6)) {
    if (most === 0) return { lower: 0, upper: 1, is_cut: false };
    return { lower: most - 0.5 * Math.abs(most), upper: most + 0.5 * Math.abs(most), is_cut: false };
  }
  const nearly_all = sorted[Math.floor(0.98 * (sorted.length - 1))]!;
  const is_cut = sorted.length >= 100 && nearly_all > lower && most - lower > 1.25 * (nearly_all - lower);
  return { lower, upper: is_cut ? nearly_all : most, is_cut };
}

// Signed values: as far down as up.
export function signed_range(values: Float32Array): Range {
  const sizes = range_of(values.map(Math.abs), true);
  return { lower: -sizes.upper, upper: sizes.upper, is_cut: sizes.is_cut };
}

const prefixes = ["n", "µ", "m", "", "k", "M"];

export interface ReadableUnit {
  factor: number;
  unit: string;
}

export function readable_unit(largest: number, si_unit: string): ReadableUnit {
  if (si_unit === "" || si_unit.startsWith("rad") || !(largest > 0)) return { factor: 1, unit: si_unit };
  let power = Math.floor(Math.log10(largest * (1 + 1e-9)) / 3);
  if (si_unit === "m") power = Math.min(power, 0);
  if (power < -3) return { factor: 1, unit: si_unit };
  power = Math.min(power, 2);
  return { factor: 1000 ** -power, unit: prefixes[power + 3]! + si_unit };
}

export function round_down(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  const digit = (value / ten) * (1 + 1e-9);
  return ten * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

export function round_values(lower: number, upper: number, at_most: number): number[] {
  if (!(upper > lower)) return [lower];
  let step = round_down((upper - lower) / at_most);
  while (Math.floor((upper / step) * (1 + 1e-9)) - Math.ceil((lower / step) * (1 - 1e-9)) + 1 > at_most) step = round_down(step * 2.5);
  const values: number[] = [];
  for (let k = Math.ceil(lower / step - 1e-6); k * step <= upper + 1e-6 * step; ++k) values.push(Number((k * step).toPrecision(12)));
  return values;
}
