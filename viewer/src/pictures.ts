// Pictures of start, middle and end; a click shows one large.
import { run_label, type Picture, type Run } from "./data";
import { h, section } from "./dom";
import { with_unit } from "./numbers";
import { phase_at } from "./phases";

interface Shown {
  width: number;
  height: number;
  source: string;
}

function enlarge(picture: Shown, caption: string): void {
  const dialog = h("dialog", { class: "large", "aria-label": caption, click: () => dialog.close() }, h("img", { src: picture.source, alt: caption }), h("p", {}, caption));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const meanings = { compacity: "coloured by the compacity around each grain", speed: "coloured by speed", load: "coloured by the load on each grain" };
const order = Object.keys(meanings);

function caption_of(run: Run, picture: Picture, prefix: string): string {
  const phase = phase_at(run, picture.time);
  const meaning = meanings[picture.colour];
  return `${prefix}t = ${with_unit(picture.time, "s")}, ${phase ? `${phase}, ` : ""}${meaning}`;
}

export function figure(picture: Shown, caption: string): HTMLElement {
  return h(
    "figure",
    {},
    h(
      "button",
      { type: "button", title: "show large", click: () => enlarge(picture, caption) },
      h("img", { src: picture.source, alt: caption, width: picture.width, height: picture.height, decoding: "async" }),
    ),
    h("figcaption", {}, caption),
  );
}

export function pictures(runs: Run[]): HTMLElement | null {
  const several = runs.length > 1;
  const ordered = runs.flatMap((run, index) => run.pictures.map((picture) => ({ picture, index })));
  // by colour; within each by time, in the order of the runs
  ordered.sort((a, b) => order.indexOf(a.picture.colour) - order.indexOf(b.picture.colour) || a.index - b.index || a.picture.frame - b.picture.frame);
  if (ordered.length === 0) return null;
  const figures = ordered.map(({ picture, index }) => figure(picture, caption_of(runs[index]!, picture, several ? `${run_label(index)}, ` : "")));
  const note = several ? null : h("p", { class: "note" }, "Colours and the widths of force chains mean the same at all moments.");
  return section("pictures", "Pictures", note, h("div", { class: several ? `pictures ${runs.length === 3 ? "triples" : "pairs"}` : "pictures" }, ...figures));
}
