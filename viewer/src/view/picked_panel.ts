// The numbers of the picked body or contact.
import { h } from "../dom";
import { show, with_unit } from "../numbers";
import { readable_unit } from "./colours";
import { value_of } from "./colouring";
import { is_person } from "./crowd";
import { button } from "./forms";
import { is_endless, is_there, kind_of, nobody, radius_of, type Contacts, type Frame, type Shapes } from "./format";
import type { Viewer } from "./viewer";

const rows_at_most = 40; // contacts in the list

const kind_names: Record<string, [string, string]> = {
  ball: ["disk", "sphere"],
  half_space: ["half-plane", "half-space"],
  segment: ["rounded segment", "rounded rod"],
  hollow_ball: ["ring", "bowl"],
  hollow_cylinder: ["drum", "drum"],
};

// A closed surface has two vertices more than half its triangles (a polygon: than its triangles), a cluster of n parts
// 2 n more.
function mesh_name(shapes: Shapes, shape: number, dimension: 2 | 3): string {
  const mesh = shapes.shape_mesh[shape]!;
  const count = (start: Uint32Array): number => start[mesh + 1]! - start[mesh]!;
  if (count(shapes.edge_start) === 0) return "triangle mesh";
  const parts = (count(shapes.vertex_start) - count(shapes.triangle_start) / (dimension - 1)) / 2;
  const one = dimension === 2 ? "polygon" : "polyhedron";
  return parts > 1 && Number.isInteger(parts) ? `cluster of ${parts} parts` : one;
}

function readable(value: number, unit: string, digits: number): string {
  const chosen = readable_unit(Math.abs(value), unit);
  return with_unit(value * chosen.factor, chosen.unit, digits);
}

// As many places as the file knows.
function coordinate(value: number, step: number): string {
  const places = step > 0 ? Math.max(0, Math.min(7, Math.floor(-Math.log10(step)))) : 5;
  return value.toFixed(places).replace("-", "−");
}

type Row = [name: string, value: string];

const vector = (values: Float32Array, body: number, dimension: number, write: (value: number) => string): string =>
  [...values.subarray(3 * body, 3 * body + dimension)].map(write).join(", ");

export class PickedPanel {
  readonly element = h("section", { class: "picked", "aria-label": "picked" });

  constructor(private readonly viewer: Viewer) {
    for (const event of ["picked", "contacts", "colouring"] as const) viewer.on(event, () => this.draw());
    this.draw();
  }

  private draw(): void {
    const { picked, frame, shapes } = this.viewer;
    this.element.hidden = !picked || !frame || !shapes;
    if (!picked || !frame || !shapes) return;
    const place = this.element.scrollTop;
    this.element.replaceChildren(...(picked.kind === "body" ? this.of_body(picked.body, frame, shapes) : this.of_contact(picked.contact)));
    this.element.scrollTop = place;
  }
  private head(title: string): HTMLElement {
    return h("header", {}, h("h2", {}, title), button("✕", "pick nothing (Escape)", () => this.viewer.choose(null), "close"));
  }
  private table(rows: Row[]): HTMLElement {
    return h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }

  private of_body(body: number, frame: Frame, shapes: Shapes): HTMLElement[] {
    const is_human = this.viewer.run.crowd !== null && kind_of(shapes, body) === "ball" && is_person(frame, body);
    const head = this.head(`${is_human ? "Person" : "Body"} ${this.viewer.number_of(body)}`);
    if (!is_there(frame, body)) return [head, h("p", { class: "note" }, "It is not in this frame: it is still to come, or has left.")];
    return [head, this.table(this.rows(body, frame, shapes)), this.actions(body), ...this.contact_list(body)];
  }
  private rows(body: number, frame: Frame, shapes: Shapes): Row[] {
    const { run } = this.viewer, d = run.dimension;
    const kind = kind_of(shapes, body), group = this.viewer.group_name(body);
    const value = (quantity: "speed" | "rotation"): number => value_of(shapes, frame, quantity, body);
    const rows: Row[] = [];
    if (group) rows.push(["group", group]);
    rows.push(["material", run.materials[shapes.body_material[body]!] ?? "–"], ["shape", kind === "mesh" ? mesh_name(shapes, shapes.body_shape[body]!, d) : kind_names[kind]?.[d - 2] ?? kind]);
    if (!is_endless(kind)) rows.push(["bounding diameter", readable(2 * radius_of(shapes, body), "m", 4)]);
    const mass = shapes.body_mass[body]!;
    rows.push(["mass", mass > 0 ? with_unit(mass, "kg", 4) : "–"]);
    rows.push(["position [m]", vector(frame.position, body, d, (x) => coordinate(x, frame.position_step))]);
    rows.push(["velocity [m/s]", vector(frame.velocity, body, d, (x) => show(x, 3))]);
    rows.push(["speed", readable(value("speed"), "m/s", 3)], ...(run.crowd ? [] : [["rotation rate", with_unit(value("rotation"), "rad/s", 3)] as Row]));
    if (frame.density && is_person(frame, body)) rows.push(["density", with_unit(frame.density[body]!, "1/m²", 3)], ["leaves by", run.crowd?.exits[this.viewer.crowd?.exit[body] ?? -1]?.name ?? "–"]);
    rows.push([run.crowd ? "contact force" : "load", readable(frame.load[body]!, "N", 4)], ["coordination", show(frame.coordination[body]!)]);
    if (frame.part && run.parts > 0) rows.push(["sub-domain", frame.part[body] === nobody ? "–" : show(frame.part[body]!)]);
    if (frame.imposed[body]) rows.push(["motion", frame.imposed[body] === 1 ? "imposed" : "imposed in part"]);
    return rows;
  }
  private actions(body: number): HTMLElement {
    const { viewer } = this, { settings } = viewer;
    const apply = (): void => {
      viewer.repaint();
      viewer.tell("settings");
      this.draw();
    };
    return h(
      "div",
      { class: "row" },
      button(settings.follows_body ? "stop following" : "follow", "keep it in the middle from frame to frame (b)", () => toggle_follow(viewer)),
      button("hide", "hide it (h)", () => {
        settings.hidden_bodies.add(body);
        viewer.choose(null);
        apply();
      }),
      button(settings.alone === body ? "show all" : "isolate", "show it alone (i)", () => {
        settings.alone = settings.alone === body ? null : body;
        apply();
      }),
    );
  }
  private contact_list(body: number): HTMLElement[] {
    const { contacts, contacts_note } = this.viewer;
    if (!contacts) return [h("p", { class: "note" }, contacts_note || "Contacts are being loaded …")];
    const own: number[] = [];
    for (let c = 0; c < contacts.count; ++c) if (contacts.candidate[c] === body || contacts.antagonist[c] === body) own.push(c);
    if (own.length === 0) return [h("p", { class: "note" }, "It touches nothing.")];
    own.sort((a, b) => contacts.normal_force[b]! - contacts.normal_force[a]!);
    const rows = own.slice(0, rows_at_most).map((c) => this.contact_row(contacts, c, body));
    const rest = own.length > rows_at_most ? [h("p", { class: "note" }, `and ${own.length - rows_at_most} more`)] : [];
    return [
      h("h3", {}, `${own.length} contact ${own.length === 1 ? "point" : "points"}`),
      h("table", {}, h("thead", {}, h("tr", {}, ...["with", "normal force", "friction", "gap"].map((text) => h("th", {}, text)))), h("tbody", {}, ...rows)),
      ...rest,
    ];
  }
  private contact_row(contacts: Contacts, c: number, body: number): HTMLElement {
    const is_candidate = contacts.candidate[c] === body;
    const other = is_candidate ? contacts.antagonist[c]! : contacts.candidate[c]!;
    const name = this.viewer.group_name(other), lone = this.viewer.run.groups.find((group) => group.name === name)?.count === 1;
    const link = button(lone ? name : String(this.viewer.number_of(other)), is_candidate ? "the antagonist; pick it" : "the candidate; pick it", () => this.viewer.choose({ kind: "body", body: other }), "link");
    const cells = [readable(contacts.normal_force[c]!, "N", 3), readable(contacts.tangential_force[c]!, "N", 3), readable(contacts.gap[c]!, "m", 2)];
    return h("tr", {}, h("td", {}, link), ...cells.map((text) => h("td", {}, text)));
  }

  private of_contact(c: number): HTMLElement[] {
    const { contacts, run } = this.viewer;
    const head = this.head("Contact");
    if (!contacts || c < 0 || c >= contacts.count) return [head];
    const d = run.dimension;
    const manifold = ["–", "simple (a point)", "double (an edge)"][contacts.points[c]!] ?? "triple (a face)";
    const body = (index: number): HTMLElement => {
      const name = this.viewer.group_name(index), number = this.viewer.number_of(index);
      return h("dd", {}, button(name ? `${number} (${name})` : String(number), "pick this body", () => this.viewer.choose({ kind: "body", body: index }), "link"));
    };
    const table = this.table([
      ["normal force", readable(contacts.normal_force[c]!, "N", 4)],
      ["tangential force", readable(contacts.tangential_force[c]!, "N", 4)],
      ["gap", readable(contacts.gap[c]!, "m", 3)],
      ["point [m]", vector(contacts.point, c, d, (x) => show(x, 4))],
      ["normal", [...contacts.normal.subarray(3 * c, 3 * c + d)].map((x) => show(Number((x / 32767).toFixed(3)), 3)).join(", ")],
      ["pair", manifold],
    ]);
    table.prepend(h("dt", {}, "candidate"), body(contacts.candidate[c]!), h("dt", {}, "antagonist"), body(contacts.antagonist[c]!));
    return [head, table];
  }
}

export function toggle_follow(viewer: Viewer): void {
  if (viewer.picked?.kind !== "body") return;
  viewer.settings.follows_body = !viewer.settings.follows_body;
  const place = viewer.place_of(viewer.picked.body);
  if (viewer.settings.follows_body && place) viewer.stage.look_at(place);
  viewer.tell("picked");
}
