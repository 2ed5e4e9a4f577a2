// A run that goes on: new frames and lines are fetched while the page is open.
import { line_count, type Series, type Value } from "../data";
import type { LiveNews } from "./format";
import type { Source } from "./source";
import { words_of, type Viewer } from "./viewer";

const soon = 1000, late = 10000; // [ms] between two questions

function lengthened(old: Value | Value[], lines: number, more: Value | Value[] | undefined, count: number): Value | Value[] {
  const added = Array.isArray(more) ? more : new Array<Value>(count).fill(more ?? null);
  if (!Array.isArray(old) && added.every((value) => value === old)) return old;
  const before = Array.isArray(old) ? old : new Array<Value>(lines).fill(old);
  return before.concat(added);
}

// The first column is the time: always a list. Says how many lines came.
export function append_lines(series: Series, more: LiveNews["series"]): number {
  const first = more.values[0], count = Array.isArray(first) ? first.length : 0;
  if (count === 0) return 0;
  const lines = line_count(series);
  if (lines === 0) Object.assign(series, { names: more.names, values: more.values });
  else series.values = series.names.map((name, k) => lengthened(series.values[k]!, lines, more.values[more.names.indexOf(name)], count));
  series.lines = more.lines ?? lines + count;
  return count;
}

export class Live {
  private wait = soon;
  private heard = performance.now(); // when the state was told
  private timer = 0;

  constructor(private readonly viewer: Viewer, private readonly source: Source, private readonly grown: (first: number) => void) {
    document.addEventListener("visibilitychange", () => !document.hidden && this.is_running && this.ask_in(0));
    if (this.is_running) this.ask_in(soon);
  }

  get is_running(): boolean {
    return this.source.is_served && this.viewer.run.state.outcome === "running";
  }
  // [s]
  get age(): number {
    return this.viewer.run.state.seconds_since_change + (performance.now() - this.heard) / 1000;
  }

  private ask_in(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), milliseconds);
  }
  private async ask(): Promise<void> {
    const { viewer } = this, { run } = viewer;
    try {
      const news = await this.source.news(run.times.length, Math.max(run.series.lines ?? 0, line_count(run.series)));
      if (news) this.take(news);
      viewer.say("live", "");
    } catch (error) {
      viewer.say("live", `The run cannot be followed: ${words_of(error)}`);
      this.wait = late;
    }
    if (this.is_running) this.ask_in(document.hidden ? late : this.wait);
  }
  private take(news: LiveNews): void {
    const { run } = this.viewer;
    const first = run.frames.length;
    this.heard = performance.now();
    const has_ended = news.state.outcome !== run.state.outcome;
    run.state = news.state;
    if (news.parts !== undefined) run.parts = news.parts;
    if (news.gauges) this.viewer.set_gauges(news.gauges);
    if (news.crowd) this.viewer.set_crowd(news.crowd);
    for (const time of news.times) {
      run.frames.push(run.times.length);
      run.times.push(time);
    }
    const lines = append_lines(run.series, news.series);
    const has_news = news.times.length > 0 || lines > 0 || has_ended || news.bodies !== run.bodies;
    run.bodies = news.bodies;
    this.wait = has_news ? soon : Math.min(late, 1.5 * this.wait);
    this.viewer.tell("news");
    if (news.times.length > 0) this.grown(first);
  }
}
