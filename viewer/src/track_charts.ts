// Charts of a track result that are not against time: pushes, loads, and the profile along the row.
import { path_of, picture, plane, type Labels, type Point } from "./chart";
import { run_label, type Run, type Track, type Value } from "./data";
import { h, svg } from "./dom";
import { place_of, push_name } from "./track_figures";

interface Curve {
  label: string;
  points: Point[];
  run: number;
  colour: number; // place in the palette
  path: string; // of the curve in summary.json's "track"
  marks?: Point[];
}

function points_of(x: Value[] | null | undefined, y: Value[] | null | undefined, x_scale: number, y_scale: number): Point[] {
  return (x ?? []).flatMap((at, k) => {
    const value = y?.[k] ?? null;
    return at === null || value === null ? [] : [{ x: at * x_scale, y: value * y_scale }];
  });
}

function chart(title: string, labels: Labels, curves: Curve[], from_zero: boolean): HTMLElement | null {
  const drawn = curves.filter(({ points }) => points.length > 1);
  if (drawn.length === 0) return null;
  const all = drawn.flatMap(({ points, marks }) => [...points, ...(marks ?? [])]);
  const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b), from_zero ? 0 : Infinity);
  const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), from_zero ? 0 : -Infinity);
  const xs = all.map(({ x }) => x), ys = all.map(({ y }) => y);
  const margin = from_zero ? 0 : 0.08 * (most(ys) - least(ys));
  const whole = plane({ left: least(xs), right: most(xs), bottom: least(ys) - margin, top: most(ys) + margin }, labels);
  const manner = ({ run, colour }: Curve): string => `series${colour % 8} of-run${run}`;
  const lines = drawn.flatMap((curve) => [
    svg("path", { class: `curve ${manner(curve)}`, d: path_of(curve.points, whole), "data-points": curve.points.length, ...place_of(curve.run, curve.path) }),
    ...(curve.marks ?? []).map((mark) => svg("circle", { class: `mark ${manner(curve)}`, cx: whole.x(mark.x), cy: whole.y(mark.y), r: 3.5 })),
  ]);
  const legend = drawn.map((curve) => h("span", {}, h("i", { class: manner(curve) }), curve.label));
  return h("figure", { class: "distribution" }, h("figcaption", {}, title), picture(title, ...whole.axes, ...lines), h("p", { class: "curves" }, ...legend));
}

const prefix = (runs: Run[], run: number): string => (runs.length > 1 ? `${run_label(run)}: ` : "");

function each_track<T>(runs: Run[], visit: (track: Track, run: number) => T[]): T[] {
  return runs.flatMap((run, index) => (run.summary?.track ? visit(run.summary.track, index) : []));
}

export function pushes_chart(runs: Run[]): HTMLElement | null {
  const curves = each_track(runs, (track, run) =>
    (track.resistances ?? []).map((push, k): Curve => {
      const known = push.at_2mm_N ?? null;
      return {
        label: `${prefix(runs, run)}${push_name(track, push)}`,
        points: points_of(push.displacement_m, push.force_N, 1e3, 1e-3),
        run,
        colour: k,
        path: `resistances.${k}`,
        marks: known === null ? [] : [{ x: 2, y: 1e-3 * known }],
      };
    }),
  );
  return chart("Force against lateral displacement; the dots are at 2 mm", { x_label: "displacement [mm]", y_label: "force [kN]" }, curves, true);
}

export function loads_chart(runs: Run[]): HTMLElement | null {
  const curves = each_track(runs, (track, run) =>
    (track.loads ?? []).map((load, k): Curve => ({
      label: `${prefix(runs, run)}${push_name(track, load)}`,
      points: points_of(load.settlement_m, load.force_N, 1e3, 1e-3),
      run,
      colour: k,
      path: `loads.${k}`,
    })),
  );
  return chart("Vertical load against settlement", { x_label: "settlement [mm]", y_label: "load [kN]" }, curves, true);
}

// Of rows of two sleepers or more.
export function profile_chart(runs: Run[]): HTMLElement | null {
  const curves = each_track(runs, (track, run) => {
    const row = [...(track.sleepers ?? [])].sort((a, b) => (a.y_m ?? 0) - (b.y_m ?? 0));
    return (["level_start_m", "level_end_m"] as const).map((key, colour): Curve => {
      const points = points_of(row.map(({ y_m }) => y_m ?? null), row.map((sleeper) => sleeper[key] ?? null), 1, 1e3);
      return { label: `${prefix(runs, run)}${colour === 0 ? "before" : "after"}`, points, run, colour, path: `sleepers.${key}`, marks: points };
    });
  });
  return chart("Profile of the track", { x_label: "along the track [m]", y_label: "level [mm]" }, curves, false);
}
