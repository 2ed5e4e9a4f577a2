// The slider through the frames, and playing them.
import { h } from "../dom";
import { show } from "../numbers";
import { button } from "./forms";
import type { Viewer } from "./viewer";

const speeds: [string, string][] = [
  ["1", "1 frame/s"],
  ["2", "2 frames/s"],
  ["5", "5 frames/s"],
  ["10", "10 frames/s"],
  ["25", "25 frames/s"],
  ["50", "50 frames/s"],
  ["x0.01", "1/100 of real time"],
  ["x0.1", "1/10 of real time"],
  ["x1", "real time"],
];

export class Timeline {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": "frame", input: () => this.by_hand(Number(this.slider.value)) });
  private readonly play_button = button("▶", "play or stop (space)", () => this.toggle(), "play");
  private readonly speed = h("select", { title: "speed", "aria-label": "speed" }, ...speeds.map(([value, text]) => h("option", { value }, text)));
  private readonly count = h("span", { class: "count" });
  private is_playing = false;
  private plays = 0; // counts, so that an old loop knows that it is one
  private started = { wall: 0, position: 0 };
  follows_end = false;

  constructor(private readonly viewer: Viewer) {
    this.speed.value = "10";
    this.speed.addEventListener("change", () => this.mark_start());
    this.element = h(
      "footer",
      { class: "timeline" },
      button("|◀", "first frame (Home)", () => this.by_hand(0)),
      button("◀", "frame before (,)", () => this.step(-1), "step"),
      this.play_button,
      button("▶", "next frame (.)", () => this.step(1), "step"),
      button("▶|", "last frame (End)", () => this.by_hand(this.last)),
      this.slider,
      this.count,
      this.speed,
    );
    viewer.on("frame", () => this.update());
    viewer.on("news", () => this.update());
  }

  private get last(): number {
    return this.viewer.run.frames.length - 1;
  }
  update(): void {
    const { position } = this.viewer;
    this.slider.max = String(Math.max(0, this.last));
    this.slider.value = String(position);
    this.slider.disabled = this.last < 1;
    this.slider.setAttribute("aria-valuetext", `${show(this.viewer.time_of(position))} s`);
    this.count.textContent = this.last >= 0 ? `${position + 1} / ${this.last + 1}` : "";
  }
  by_hand(position: number): void {
    this.stop();
    this.go(position);
  }
  go(position: number): void {
    const kept = Math.max(0, Math.min(this.last, position));
    this.follows_end = kept === this.last && this.viewer.run.state.outcome === "running";
    void this.viewer.show(kept).then((is_shown) => is_shown && this.viewer.prefetch(1));
  }
  step(by: number): void {
    this.by_hand(this.viewer.position + by);
  }
  toggle(): void {
    if (this.is_playing) this.stop();
    else void this.play();
  }
  faster(by: number): void {
    const next = Math.max(0, Math.min(speeds.length - 1, this.speed.selectedIndex + by));
    this.speed.selectedIndex = next;
    this.mark_start();
  }
  stop(): void {
    this.is_playing = false;
    this.play_button.textContent = "▶";
    this.viewer.stage.set_playing(false);
  }

  private mark_start(): void {
    this.started = { wall: performance.now(), position: this.viewer.position };
  }
  // Where playing has come to by now.
  private due(): number {
    const seconds = (performance.now() - this.started.wall) / 1000;
    const rate = this.speed.value;
    if (!rate.startsWith("x")) return this.started.position + Math.floor(seconds * Number(rate));
    const time = this.viewer.time_of(this.started.position) + seconds * Number(rate.slice(1));
    let position = this.started.position;
    while (position < this.last && this.viewer.time_of(position + 1) <= time) ++position;
    return time > this.viewer.time_of(this.last) ? this.last + 1 : position;
  }
  // A frame that comes late is waited for, and the pace starts anew from it: none is skipped for a slow disk alone.
  private async play(): Promise<void> {
    if (this.last < 1) return;
    this.is_playing = true;
    const play = ++this.plays;
    this.play_button.textContent = "❚❚";
    this.viewer.stage.set_playing(true);
    if (this.viewer.position >= this.last) await this.viewer.show(0);
    this.mark_start();
    while (this.is_playing && play === this.plays) {
      await new Promise((done) => requestAnimationFrame(done));
      if (!this.is_playing || play !== this.plays) break; // stopped meanwhile: another frame may have been asked for
      const due = this.due();
      if (due <= this.viewer.position) continue;
      if (this.viewer.position >= this.last) break;
      const asked = performance.now();
      await this.viewer.show(Math.min(due, this.last));
      this.viewer.prefetch(4);
      if (performance.now() - asked > 250) this.mark_start();
    }
    if (play !== this.plays) return;
    if (this.is_playing) this.stop();
    this.follows_end = this.viewer.position === this.last && this.viewer.run.state.outcome === "running";
  }
}
