// The scene as run, folded, with line numbers; of several runs the keys whose values differ, then the lines.
import { run_label, type Run } from "./data";
import { h, section, table, type Cell } from "./dom";
import { absent, show } from "./numbers";

async function copy(text: string, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // a page from a file may not be allowed to: the old way
    const area = h("textarea", {});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "copied";
  setTimeout(() => (button.textContent = "copy"), 1500);
}

function listing(lines: HTMLElement[]): HTMLElement {
  return h("pre", { class: "listing", tabindex: "0" }, h("code", {}, ...lines));
}

function folded_scene(run: Run, title: string): HTMLElement {
  const lines = run.scene.replace(/\n$/, "").split("\n");
  const button = h("button", { type: "button", class: "small" }, "copy");
  button.addEventListener("click", () => void copy(run.scene, button));
  return h(
    "details",
    {},
    h("summary", {}, `${title}, ${show(lines.length)} lines`),
    h("div", { class: "copy" }, button),
    listing(lines.map((line) => h("span", { class: "line numbered" }, line + "\n"))),
  );
}

// "contact.pairs[0].friction" → "0.3". The writer puts one key on a line and every default into the file.
function keys_of(scene: string): Map<string, string> {
  const keys = new Map<string, string>();
  const counts = new Map<string, number>();
  let table_name = "";
  for (const line of scene.split("\n")) {
    const list = /^\[\[(.+)\]\]$/.exec(line);
    const single = /^\[(.+)\]$/.exec(line);
    const entry = /^([^=]+?)\s*=\s*(.*)$/.exec(line);
    if (list) {
      const index = counts.get(list[1]!) ?? 0;
      counts.set(list[1]!, index + 1);
      table_name = `${list[1]!}[${index}]`;
    } else if (single) {
      table_name = single[1]!;
    } else if (entry) {
      keys.set(table_name ? `${table_name}.${entry[1]!}` : entry[1]!, entry[2]!);
    }
  }
  return keys;
}

function different_keys(runs: Run[]): HTMLElement {
  const scenes = runs.map((run) => keys_of(run.scene));
  const marked = (text: string | undefined): Cell => ({ text: text ?? absent, kind: "text" });
  const rows = [...new Set(scenes.flatMap((keys) => [...keys.keys()]))]
    .filter((key) => new Set(scenes.map((keys) => keys.get(key))).size > 1)
    .map((key) => [key, ...scenes.map((keys) => marked(keys.get(key)))]);
  if (rows.length === 0) return h("p", {}, "The runs are of the same scene, key by key.");
  return table(["key", ...runs.map((_, index) => run_label(index))], rows);
}

type Edit = { sign: " " | "-" | "+"; line: string };

// Longest common subsequence of lines; scenes have some hundred.
function line_edits(a: string[], b: string[]): Edit[] {
  const length = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      length[i]![j] = a[i] === b[j] ? length[i + 1]![j + 1]! + 1 : Math.max(length[i + 1]![j]!, length[i]![j + 1]!);
    }
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ sign: " ", line: a[i++]! });
      ++j;
    } else if (j >= b.length || (i < a.length && length[i + 1]![j]! >= length[i]![j + 1]!)) {
      edits.push({ sign: "-", line: a[i++]! });
    } else {
      edits.push({ sign: "+", line: b[j++]! });
    }
  }
  return edits;
}

const largest_scene = 3000; // lines: beyond, a diff by lines would keep the page waiting

function folded_diff(a: Run, b: Run): HTMLElement | null {
  const [left, right] = [a.scene.split("\n"), b.scene.split("\n")];
  if (a.scene === b.scene || left.length > largest_scene || right.length > largest_scene) return null;
  const details = h("details", {}, h("summary", {}, `Line by line: − only in ${run_label(0)}, + only in ${run_label(1)}`));
  details.addEventListener(
    "toggle",
    () => {
      const kinds = { " ": "line", "-": "line removed", "+": "line added" };
      const edits = line_edits(left, right);
      details.append(listing(edits.map(({ sign, line }) => h("span", { class: kinds[sign] }, `${sign === "-" ? "−" : sign} ${line}\n`))));
    },
    { once: true },
  );
  return details;
}

export function scene_text(runs: Run[]): HTMLElement {
  const [a, b] = runs;
  const several = runs.length > 1;
  return section(
    "scene",
    "Scene",
    several ? different_keys(runs) : null,
    b && runs.length === 2 ? folded_diff(a!, b) : null,
    ...runs.map((run, index) => folded_scene(run, several ? `Scene of ${run_label(index)}` : "The scene as run, every default written out")),
  );
}
