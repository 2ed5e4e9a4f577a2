// Distributions of the last frame: curves, bars and roses, drawn as SVG.
import { path_of, picture, plane, width, type Point } from "./chart";
import { run_label, type Distribution, type Run, type Value } from "./data";
import { h, section, svg } from "./dom";
import { show } from "./numbers";

interface Curve {
  distribution: Distribution;
  run: number;
}

function points_of({ x, y }: Distribution): Point[] {
  return x.flatMap((at, index) => {
    const value: Value = y[index] ?? null;
    return at === null || value === null ? [] : [{ x: at, y: value }];
  });
}

function chart(curves: Curve[]): SVGElement {
  const first = curves[0]!.distribution;
  const lists = curves.map(({ distribution }) => points_of(distribution));
  const all = lists.flat();
  const is_bars = first.kind === "bars";
  const xs = all.map((point) => point.x);
  const [least, largest] = [Math.min(...xs), Math.max(...xs)];
  const half = is_bars ? (largest - least || 1) / Math.max(2 * ((lists[0]?.length ?? 2) - 1), 1) : 0;
  const range = { left: least - half, right: largest + half, bottom: Math.min(0, ...all.map((p) => p.y)), top: Math.max(...all.map((p) => p.y)) };
  const whole = plane(range, first);
  const { x, y } = whole;
  const drawn = lists.flatMap((points, index) => {
    const of_run = `run${curves[index]!.run}`;
    if (!is_bars) {
      return [svg("path", { class: `curve ${of_run}`, d: path_of(points, whole) })];
    }
    const broad = Math.max(1, (x(2 * half + least) - x(least)) * (0.9 / curves.length));
    const shift = (index - (curves.length - 1) / 2) * broad;
    return points.map((point) =>
      svg("rect", { class: `block ${of_run}`, x: x(point.x) + shift - broad / 2, width: broad, y: Math.min(y(0), y(point.y)), height: Math.abs(y(point.y) - y(0)) }),
    );
  });
  return picture(first.title, ...whole.axes, ...drawn);
}

// Sectors by angle in degrees. Directions have no sign, so half a turn of them is drawn twice; an angle from the
// upward axis is drawn on both sides of it.
function rose(curves: Curve[]): SVGElement {
  const first = curves[0]!.distribution;
  const centre = 120, radius = 96;
  const most = Math.max(1e-300, ...curves.flatMap(({ distribution }) => points_of(distribution).map((point) => point.y)));
  const from_above = /upward|vertical/.test(first.x_label);
  const at = (degrees: number, size: number): string => {
    const turn = (degrees * Math.PI) / 180;
    return `${(centre + size * Math.cos(turn)).toFixed(1)} ${(centre - size * Math.sin(turn)).toFixed(1)}`;
  };
  const sectors = curves.flatMap(({ distribution, run }) => {
    const points = points_of(distribution);
    const half = points.length > 1 ? Math.abs(points[1]!.x - points[0]!.x) / 2 : 5;
    const is_half_turn = Math.max(...points.map((point) => point.x)) <= 180;
    return points.flatMap((point) => {
      const size = (radius * point.y) / most;
      const angles = from_above ? [90 - point.x, 90 + point.x] : is_half_turn ? [point.x, point.x + 180] : [point.x];
      return angles.map((angle) =>
        svg("path", { class: `sector run${run}`, d: `M${centre} ${centre}L${at(angle - half, size)}A${size} ${size} 0 0 0 ${at(angle + half, size)}Z` }),
      );
    });
  });
  const rings = [0.5, 1].map((share) => svg("circle", { class: "grid", cx: centre, cy: centre, r: share * radius, fill: "none" }));
  const scale = svg("text", { class: "tick", x: centre + radius + 6, y: centre + 4 }, show(most, 2));
  const labels = [first.y_label, first.x_label].map((text, index) => svg("text", { class: "label", x: width - 8, y: 20 + 18 * index, "text-anchor": "end" }, text));
  return picture(first.title, ...rings, ...sectors, scale, ...labels);
}

function drawing(curves: Curve[], several: boolean): HTMLElement {
  const { title, kind } = curves[0]!.distribution;
  const letters = several ? curves.map(({ run }) => h("span", { class: `letter run${run}` }, run_label(run))) : [];
  return h("figure", { class: "distribution" }, h("figcaption", {}, title, ...letters), kind === "rose" ? rose(curves) : chart(curves));
}

export function distributions(runs: Run[]): HTMLElement | null {
  const several = runs.length > 1;
  const gauges = [...new Set(runs.flatMap((run) => (run.measured.gauges ?? []).map((gauge) => gauge.name)))];
  const blocks = gauges.map((gauge) => {
    const lists = runs.map((run) => run.measured.gauges?.find(({ name }) => name === gauge)?.distributions ?? []);
    const names = [...new Set(lists.flat().map(({ name }) => name))];
    const drawings = names.flatMap((name) => {
      const curves = lists.flatMap((list, run) =>
        list.filter((distribution) => distribution.name === name && points_of(distribution).length > 0).map((distribution) => ({ distribution, run })),
      );
      return curves.length > 0 ? [drawing(curves, several)] : [];
    });
    return drawings.length > 0 ? h("details", { open: true }, h("summary", {}, gauge), h("div", { class: "distributions" }, ...drawings)) : null;
  });
  const kept = blocks.filter((block) => block !== null);
  return kept.length > 0 ? section("distributions", "Distributions in the last frame", ...kept) : null;
}
