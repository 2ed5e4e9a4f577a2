// What lies over the scene: legend, time, scale bar, axes, names of gauges.
import { h, svg } from "../dom";
import { show, with_unit } from "../numbers";
import { css_colour, css_gradient, neutral, readable_unit, round_down, round_values, type Range } from "./colours";
import type { Colouring } from "./colouring";
import { map_colours } from "./crowd_layer";
import type { Viewer } from "./viewer";

function swatches(entries: { text: string; colour: string }[]): HTMLElement {
  return h("ul", { class: "swatches" }, ...entries.map(({ text, colour }) => h("li", {}, h("i", { class: "swatch", style: `background:${colour}` }), text)));
}

// Where a value stands on the bar, in percent.
function place_on(colouring: Colouring, value: number): number {
  const { lower, upper } = colouring.range;
  if (colouring.is_log && lower > 0) return (100 * Math.log(value / lower)) / Math.log(upper / lower);
  return (100 * (value - lower)) / (upper - lower);
}

function tick_values({ range, is_log }: Colouring, factor: number): number[] {
  if (!is_log || range.lower <= 0) return round_values(range.lower * factor, range.upper * factor, 5).map((value) => value / factor);
  const values: number[] = [];
  for (let power = Math.ceil(Math.log10(range.lower) - 1e-9); power <= Math.log10(range.upper) + 1e-9; ++power) values.push(10 ** power);
  const stride = Math.ceil(values.length / 4);
  return values.length >= 2 ? values.filter((_, k) => k % stride === 0) : [range.lower, range.upper];
}

function bar(colouring: Colouring): HTMLElement[] {
  const { range, facts, map } = colouring;
  const { factor, unit } = readable_unit(Math.max(Math.abs(range.lower), Math.abs(range.upper)), facts.unit);
  const ticks = tick_values(colouring, factor).map((value) =>
    h("span", { style: `left:${place_on(colouring, value).toFixed(2)}%` }, show(Number((value * factor).toPrecision(6)), 3)),
  );
  const title = unit ? `${facts.label} [${unit}]` : facts.label;
  return [
    h("div", { class: "legend-title" }, colouring.is_log ? `${title}, logarithmic` : title),
    h("div", { class: range.is_cut ? "gradient cut" : "gradient", style: `background:${css_gradient(map)}`, title: range.is_cut ? "a few values are larger" : undefined }),
    h("div", { class: "ticks" }, ...ticks),
  ];
}

function map_bar(kind: "density" | "speed", range: Range): HTMLElement[] {
  const facts = { name: kind, label: `map: ${kind}`, unit: kind === "density" ? "1/m²" : "m/s" };
  return bar({ facts, map: map_colours[kind], range, is_log: false, has_imposed: false, names: [], of_body: new Uint8Array() });
}

function list({ facts, names }: Colouring): HTMLElement[] {
  return [h("div", { class: "legend-title" }, facts.label), swatches(names.map(({ text, colour }) => ({ text, colour: css_colour(colour) })))];
}

export class Overlays {
  readonly legend = h("div", { class: "legend overlay" });
  readonly clock = h("div", { class: "clock overlay" });
  readonly scale = h("div", { class: "scale overlay" }, h("span", {}), h("i", {}));
  readonly axes = svg("svg", { class: "axes overlay", viewBox: "-36 -36 72 72", "aria-hidden": "true" }) as SVGSVGElement;
  readonly labels = h("div", { class: "labels" });
  private readonly lines = ["x", "y", "z"].map((name) => [svg("line", { class: `axis-${name}` }), svg("text", { class: `axis-${name}` }, name)] as const);

  constructor(private readonly viewer: Viewer, private readonly place: HTMLElement) {
    for (const pair of this.lines) this.axes.append(...pair);
    place.append(this.clock, this.legend, this.scale, this.labels);
    if (viewer.run.dimension === 3) place.append(this.axes);
    viewer.on("colouring", () => this.draw_legend());
    viewer.on("contacts", () => this.draw_legend());
    viewer.on("frame", () => this.draw_clock());
    viewer.stage.onrender = () => this.follow_view();
  }

  private draw_legend(): void {
    const { colouring, settings, contacts, force_scale, run, ranges, frame } = this.viewer;
    if (!colouring) return;
    const parts: HTMLElement[] = [];
    parts.push(...(colouring.facts.is_named ? list(colouring) : bar(colouring)));
    if (settings.map !== "none" && run.crowd && frame?.maps) parts.push(...map_bar(settings.map, ranges?.ranges[settings.map] ?? { lower: 0, upper: frame.maps[settings.map].most, is_cut: false }));
    if (colouring.has_imposed) parts.push(swatches([{ text: "motion imposed", colour: css_colour(neutral) }]));
    if (settings.marks.chains && contacts && force_scale.mean > 0) {
      const { factor, unit } = readable_unit(force_scale.strong, "N");
      parts.push(h("div", { class: "chain-key" }, h("i", {}), `chain as wide as ${show(force_scale.strong * factor, 2)} ${unit}`));
    }
    this.legend.replaceChildren(...parts);
  }
  private draw_clock(): void {
    const { frame, run, position, missed } = this.viewer;
    if (!frame) return;
    const index = run.frames[position];
    const words = index === frame.index ? `frame ${index}` : index === missed ? `frame ${frame.index}, as frame ${index} cannot be shown` : `loading frame ${index} …`;
    const people = run.crowd ? [h("span", { class: "people" }, `${show(frame.inside)} persons inside, ${show(frame.left)} left`)] : [];
    this.clock.replaceChildren(h("strong", {}, `t = ${with_unit(frame.time, "s")}`), ...people, h("span", {}, words));
  }
  private follow_view(): void {
    this.draw_scale();
    if (this.viewer.run.dimension === 3) this.draw_axes();
    this.draw_labels();
  }
  // A round length of at most a fifth of the picture.
  private draw_scale(): void {
    const metres = this.viewer.stage.metres_per_pixel();
    const length = round_down(metres * Math.min(180, 0.25 * this.place.clientWidth));
    if (!Number.isFinite(length)) return;
    const { factor, unit } = readable_unit(length, "m");
    const [text, line] = this.scale.children as unknown as [HTMLElement, HTMLElement];
    text.textContent = `${show(Number((length * factor).toPrecision(3)), 3)} ${unit}`;
    line.style.width = `${length / metres}px`;
  }
  private draw_axes(): void {
    const seen = this.viewer.stage.axes();
    seen.forEach(([right, up], k) => {
      const [line, text] = this.lines[k]!;
      const [x, y] = [24 * right, -24 * up];
      for (const [name, value] of Object.entries({ x2: x, y2: y })) line.setAttribute(name, value.toFixed(1));
      text.setAttribute("x", (1.25 * x).toFixed(1));
      text.setAttribute("y", (1.25 * y + 4).toFixed(1));
      text.setAttribute("opacity", Math.hypot(right, up) < 0.1 ? "0" : "1");
    });
  }
  // Beside the line, away from the room, or above it.
  private exit_names(room: DOMRect): HTMLElement[] {
    return this.viewer.exit_labels().flatMap(({ name, at, outward, half }) => {
      const where = this.viewer.stage.on_screen(at);
      if (!where) return [];
      const wide = 8 * name.length * Math.abs(outward[0]); // about
      const wish = where[0] - room.left + 9 * outward[0];
      const x = Math.max(wide * Number(outward[0] < 0), Math.min(room.width - wide * Number(outward[0] > 0), wish));
      const above = x === wish ? 0 : half / this.viewer.stage.metres_per_pixel() + 9; // no room beside it
      const y = where[1] - room.top - 9 * outward[1] - above;
      const [right, down] = [50 * outward[0] - 50, -50 * outward[1] - 50];
      return [h("span", { class: "exit", style: `transform:translate(${x.toFixed(0)}px,${y.toFixed(0)}px) translate(${right.toFixed(0)}%,${down.toFixed(0)}%)` }, name)];
    });
  }
  private draw_labels(): void {
    const room = this.place.getBoundingClientRect();
    const names = this.viewer.gauge_labels().flatMap(({ name, at }) => {
      const where = this.viewer.stage.on_screen(at);
      return where ? [h("span", { style: `transform:translate(${(where[0] - room.left).toFixed(0)}px,${(where[1] - room.top).toFixed(0)}px)` }, name)] : [];
    });
    this.labels.replaceChildren(...names, ...this.exit_names(room));
  }
}
