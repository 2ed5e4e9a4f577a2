// A chart as SVG: axes with round numbers, and the way from numbers to places on it.
import { svg } from "./dom";
import { show } from "./numbers";

export const width = 500, height = 250;
const frame = { left: 54, right: 12, top: 12, bottom: 42 };

export interface Point {
  x: number;
  y: number;
}

export interface Range {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export interface Labels {
  x_label: string;
  y_label: string;
}

export interface Plane {
  x: (value: number) => number;
  y: (value: number) => number;
  axes: SVGElement[];
}

// Round numbers that cover a range.
function ticks(least: number, largest: number, count: number): number[] {
  const raw = (largest - least) / count;
  // two runs may differ by round-off, which has no round numbers
  if (!(raw > 1e-9 * Math.max(Math.abs(least), Math.abs(largest)))) return [least];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw)!;
  const found: number[] = [];
  for (let k = Math.ceil(least / step - 1e-9); k * step <= largest + 1e-9 * step; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}

function axes(x: (value: number) => number, y: (value: number) => number, range: Range, labels: Labels): SVGElement[] {
  const bottom = height - frame.bottom;
  const lines = ticks(range.bottom, range.top, 4).flatMap((value) => [
    svg("line", { class: "grid", x1: frame.left, x2: width - frame.right, y1: y(value), y2: y(value) }),
    svg("text", { class: "tick", x: frame.left - 6, y: y(value) + 4, "text-anchor": "end" }, show(value, 3)),
  ]);
  const marks = ticks(range.left, range.right, 5).map((value) =>
    svg("text", { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" }, show(value, 3)),
  );
  const middle = frame.top + (bottom - frame.top) / 2;
  return [
    ...lines,
    ...marks,
    svg("text", { class: "label", x: (frame.left + width - frame.right) / 2, y: height - 6, "text-anchor": "middle" }, labels.x_label),
    svg("text", { class: "label", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, labels.y_label),
  ];
}

export function plane(range: Range, labels: Labels): Plane {
  const spread = (low: number, high: number): number => (high > low ? high - low : 1);
  const x = (value: number): number => frame.left + ((value - range.left) / spread(range.left, range.right)) * (width - frame.left - frame.right);
  const y = (value: number): number => height - frame.bottom - ((value - range.bottom) / spread(range.bottom, range.top)) * (height - frame.bottom - frame.top);
  return { x, y, axes: axes(x, y, range, labels) };
}

export const path_of = (points: Point[], { x, y }: Plane): string =>
  points.map((point, k) => `${k ? "L" : "M"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join("");

export const picture = (title: string, ...parts: SVGElement[]): SVGElement =>
  svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title }, ...parts);
