// Elements in one line. Text is always text: nothing that a run says is read as HTML.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | undefined>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id }, h("h2", {}, title), ...children);
}

export interface Cell {
  text: string;
  kind?: "number" | "text" | "marked" | "group";
  title?: string;
  data?: Record<string, string>; // attributes: which figure this is, and its raw number
}

export const number_cell = (text: string, marked = false): Cell => ({ text, kind: marked ? "marked" : "number" });

export function table(head: string[], rows: (string | Cell)[][], caption?: string): HTMLElement {
  const cell = (content: string | Cell, first: boolean, span: number | undefined): HTMLElement => {
    const { text, kind, title, data }: Cell = typeof content === "string" ? { text: content } : content;
    return first ? h("th", { scope: "row", class: kind, title, colspan: span }, text) : h("td", { class: kind, title, ...data }, text);
  };
  return h(
    "div",
    { class: "table" },
    h(
      "table",
      {},
      caption ? h("caption", {}, caption) : null,
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((content, index) => cell(content, index === 0, row.length === 1 ? head.length : undefined))))),
    ),
  );
}
