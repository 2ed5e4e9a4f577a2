// Numbers for people: few digits, powers of ten written out, an absent value as a dash.
import type { Value } from "./data";

export const absent = "–";
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const thin_space = "\u202f";
const minus = "\u2212";

function superscript(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => superscripts[Number(digit)]).join("");
  return (exponent < 0 ? "⁻" : "") + digits;
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, thin_space);

// "10⁻³"; nothing where it is none or too near to 1 to need it
export function power_of_ten(value: number): string | null {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-9 && Math.abs(exponent) > 2.5 ? `10${superscript(Math.round(exponent))}` : null;
}

export function show(value: Value | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent;
  if (value === 0) return "0";
  const sign = value < 0 ? minus : "";
  const size = Math.abs(value);
  if (Number.isInteger(size) && size < 1e9) return sign + grouped(String(size));
  const [mantissa, power] = size.toExponential(digits - 1).split("e") as [string, string];
  const exponent = Number(power);
  if (exponent < -3 || exponent > 5) return `${sign}${trimmed(mantissa)}${thin_space}×${thin_space}10${superscript(exponent)}`;
  const plain = size.toFixed(Math.max(0, digits - 1 - exponent));
  const [whole, rest] = plain.split(".") as [string, string?];
  return sign + trimmed(rest === undefined ? grouped(whole) : `${grouped(whole)}.${rest}`);
}

// As many decimals as asked for: numbers that stand below each other.
export function fixed(value: Value | undefined, decimals: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent;
  const [whole, rest] = Math.abs(value).toFixed(decimals).split(".") as [string, string?];
  const text = rest === undefined ? grouped(whole) : `${grouped(whole)}.${rest}`;
  return value < 0 && Number(value.toFixed(decimals)) !== 0 ? minus + text : text;
}

// As many digits as asked for, zeros at the end among them.
export const significant = (value: Value | undefined, digits: number): string =>
  value ? fixed(value, Math.min(Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value)))), 6)) : show(value);

const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

export const with_unit = (value: Value | undefined, unit: string, digits = 4): string => {
  const text = show(value, digits);
  return text === absent || unit === "" ? text : `${text}${thin_space}${unit}`;
};

export const percent = (share: Value | undefined, digits = 3): string =>
  with_unit(share === null || share === undefined ? null : 100 * share, "%", digits);

export function duration(seconds: Value | undefined): string {
  if (seconds === null || seconds === undefined) return absent;
  if (seconds < 120) return with_unit(seconds, "s", 3);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}${thin_space}min ${Math.round(seconds % 60)}${thin_space}s`;
  return `${Math.floor(minutes / 60)}${thin_space}h ${minutes % 60}${thin_space}min`;
}

// How b differs from a; the relative one is absent where a is nothing to compare with.
export function difference(a: Value | undefined, b: Value | undefined): { absolute: string; relative: string; is_equal: boolean } {
  if (a === null || a === undefined || b === null || b === undefined) {
    return { absolute: absent, relative: absent, is_equal: (a ?? null) === (b ?? null) };
  }
  const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text);
  const change = b - a;
  const share = a !== 0 ? change / Math.abs(a) : null;
  return {
    absolute: signed(change, show(change, 3)),
    relative: share === null ? absent : signed(share, percent(share, 3)),
    is_equal: change === 0,
  };
}
