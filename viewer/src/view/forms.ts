// Small form elements with a label.
import { h } from "../dom";

export function check(label: string, is_on: boolean, change: (is_on: boolean) => void, swatch?: string): HTMLLabelElement {
  const box = h("input", { type: "checkbox", change: () => change(box.checked) });
  box.checked = is_on;
  return h("label", { class: "check" }, box, swatch ? h("i", { class: "swatch", style: `background:${swatch}` }) : null, h("span", {}, label));
}

export function choice(label: string, options: [value: string, text: string][], value: string, change: (value: string) => void): HTMLLabelElement {
  const list = h("select", { change: () => change(list.value) }, ...options.map(([key, text]) => h("option", { value: key }, text)));
  list.value = value;
  return h("label", { class: "field" }, h("span", {}, label), list);
}

export interface SliderFacts {
  label: string;
  min: number;
  max: number;
  step: number;
  value: number;
  show: (value: number) => string;
  change: (value: number) => void;
}

export function slider({ label, min, max, step, value, show, change }: SliderFacts): HTMLLabelElement {
  const output = h("output", {}, show(value));
  const input = h("input", {
    type: "range",
    min,
    max,
    step,
    "aria-label": label,
    input: () => {
      output.textContent = show(Number(input.value));
      change(Number(input.value));
    },
  });
  input.value = String(value);
  return h("label", { class: "field slider" }, h("span", {}, label), input, output);
}

// A number that may be typed; what is no number changes nothing.
export function number_field(label: string, value: number, change: (value: number) => void): HTMLLabelElement {
  const input = h("input", {
    type: "text",
    inputmode: "decimal",
    "aria-label": label,
    change: () => {
      const typed = Number(input.value.replace(",", "."));
      const is_number = input.value.trim() !== "" && Number.isFinite(typed);
      input.classList.toggle("wrong", !is_number);
      if (is_number) change(typed);
    },
  });
  input.value = String(Number(value.toPrecision(6)));
  return h("label", { class: "field number" }, h("span", {}, label), input);
}

export const button = (text: string, title: string, click: () => void, name = ""): HTMLButtonElement =>
  h("button", { type: "button", class: name || undefined, title, click }, text);
