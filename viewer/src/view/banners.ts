// Messages over the scene. The same trouble is told once, until it is put away; no words: it is over.
import { h } from "../dom";
import { button } from "./forms";

export class Banners {
  readonly element = h("div", { class: "banners", role: "status", "aria-live": "polite" });
  private readonly shown = new Map<string, HTMLElement>();

  say(key: string, words: string): void {
    const known = this.shown.get(key);
    if (words === "") return this.drop(key);
    if (known) {
      known.querySelector("span")!.textContent = words;
      return;
    }
    const banner = h("div", { class: "banner" }, h("span", {}, words), button("✕", "put this message away", () => this.drop(key)));
    this.shown.set(key, banner);
    this.element.append(banner);
    if (this.shown.size > 4) this.drop([...this.shown.keys()][0]!);
  }
  drop(key: string): void {
    this.shown.get(key)?.remove();
    this.shown.delete(key);
  }
}
