// The report in a real browser: opens fast, asks no host for anything, zooms, shows values and differences.
// Needs TALUS_COMMAND, TALUS_VIEWER (the npm package that has playwright-core) and CHROMIUM; keeps pictures of the page
// in the folder TALUS_SCREENSHOTS where that is set.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { bare_track, other_track, scene as track_scene, whole_track } from "./track_scenes.mjs";

const command = process.env.TALUS_COMMAND;
const { chromium } = createRequire(join(process.env.TALUS_VIEWER, "package.json"))("playwright-core");
const screenshots = process.env.TALUS_SCREENSHOTS;
const folder = mkdtempSync(join(tmpdir(), "talus-report-"));
const talus = (...words) => execFileSync(command, words, { cwd: folder, encoding: "utf8" });

// Spheres in free fall: 17 000 of them cost little until they meet the floor.
const gauges = ["heart", "low", "middle", "high"].map(
  (name, k) => `[[gauges]]\nname = "${name}"\ntype = "box"\nlower = [0, 0, ${0.05 * k}]\nupper = [0.27, 0.27, ${0.05 * k + 0.1}]\n`,
);
const scene = (friction) => `
[scene]
name = "seventeen thousand"
dimension = 3
dt = 1e-3
duration = 0.012
[materials]
glass = { density = 2500 }
[contact]
friction = ${friction}
[[generators]]
name = "box"
type = "container"
lower = [0, 0, 0]
upper = [0.27, 0.27, 1]
open = ["top"]
material = "glass"
[[generators]]
name = "grains"
type = "lattice"
lower = [0, 0, 0]
upper = [0.27, 0.27, 1]
radius = [4e-3, 5e-3]
jitter = 0.4
count = 17000
material = "glass"
[[drivers]]
type = "gravity"
${gauges.join("\n")}
[output]
frames_every = 0.004
series_every = 1e-3
`;

// A long run in a short time: the lines of the series come again, each a little later and a little different.
function lengthen(file, copies) {
  const [head, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const longer = [head];
  for (let k = 0; k < copies; ++k) {
    for (const line of lines) {
      const [time, ...values] = line.split(",");
      longer.push([Number(time) + 0.013 * k, ...values.map((value) => (value === "" ? "" : Number(value) * (1 + 0.01 * k)))].join(","));
    }
  }
  writeFileSync(file, longer.join("\n") + "\n");
}

let browser;
before(async () => {
  for (const [name, friction] of [["rough", 0.5], ["smooth", 0.1]]) {
    writeFileSync(join(folder, `${name}.toml`), scene(friction));
    talus("run", `${name}.toml`, "--out", name, "--quiet");
    lengthen(join(folder, name, "series.csv"), 60);
  }
  talus("report", "rough");
  talus("report", "rough", "smooth", "--out", "both.html");
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

// A page whose every complaint and every request is noted.
async function open(file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, ...options });
  const complaints = [], requests = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  const started = performance.now();
  await page.goto(pathToFileURL(join(folder, file)).href);
  const quiet = () => {
    assert.deepEqual(complaints, []);
    assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  };
  return { page, quiet, started };
}

async function keep(page, name, options = {}) {
  if (!screenshots) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), ...options });
}

// Plots are made when they come into sight.
async function first_plot(page) {
  const figure = page.locator("#series figure").first();
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("canvas").waitFor();
  return figure.locator(".uplot");
}

const shown_times = (page) => page.locator(".zoom span").textContent();

test("17 000 grains: under 5 MB, open and plotted in under 2 s, without an error or a request", async (t) => {
  const size = statSync(join(folder, "rough/report.html")).size;
  assert.ok(size < 5e6, `${size} bytes`);
  const seconds = [];
  // the best of three: the claim is about the page, not about what else the machine does
  for (let k = 0; k < 3; ++k) {
    const { page, quiet, started } = await open("rough/report.html");
    await first_plot(page);
    seconds.push((performance.now() - started) / 1e3);
    quiet();
    await page.close();
  }
  t.diagnostic(`${(size / 1e6).toFixed(2)} MB, first plot after ${seconds.map((value) => value.toFixed(2)).join(", ")} s`);
  assert.ok(Math.min(...seconds) < 2, `${seconds} s`);
});

test("verdicts, tables, pictures and scene are there", async () => {
  const { page, quiet } = await open("rough/report.html");
  await keep(page, "report");
  assert.match(await page.locator("h1").textContent(), /seventeen thousand/);
  assert.match(await page.locator("#verdicts").textContent(), /Outcome.*done/s);
  assert.match(await page.locator("#verdicts").textContent(), /Controlled.*controlled/s);
  assert.match(await page.locator("#gauges").textContent(), /compacity/);
  assert.doesNotMatch(await page.locator("main").innerText(), /\b(NaN|Infinity|undefined|null)\b/);
  const grains = await page.locator("#gauges tr", { hasText: /^grains/ }).locator("td").allTextContents();
  assert.equal(grains.length, gauges.length);
  assert.ok(grains.every((text) => /\d/.test(text)), grains.join(" | "));
  assert.ok((await page.locator("#pictures img").count()) >= 3);
  const painted = await page.locator("#pictures img").first().evaluate(async (image) => (await image.decode(), image.naturalWidth));
  assert.ok(painted > 300);
  await page.locator("#scene summary").click();
  assert.match(await page.locator("#scene pre").innerText(), /friction = 0\.5/);
  assert.match(await page.locator("#provenance").textContent(), /run rough\.toml --out rough/);
  assert.match(await page.locator("#timing").textContent(), /solver/);
  quiet();
  await page.close();
});

test("a plot has ink, a drag zooms all plots, a double click and the button show the whole run again", async () => {
  const { page, quiet } = await open("rough/report.html");
  const plot = await first_plot(page);
  const ink = await plot.locator("canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let coloured = 0;
    for (let k = 0; k < data.length; k += 4) if (data[k + 3] > 0 && Math.abs(data[k] - data[k + 2]) > 40) ++coloured;
    return coloured;
  });
  assert.ok(ink > 100, `${ink} coloured pixels`);

  const drag = async () => {
    const box = await plot.locator(".u-over").boundingBox();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 0.25 * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, y, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => /^Shown/.test(document.querySelector(".zoom span").textContent));
  };
  await drag();
  const [from, to] = (await shown_times(page)).match(/[\d.]+/g).map(Number);
  const whole = 60 * 0.013; // [s]
  assert.ok(Math.abs(from - 0.25 * whole) < 0.05 * whole && Math.abs(to - 0.5 * whole) < 0.05 * whole, `${from} to ${to}`);
  await keep(page, "zoomed");
  await plot.locator(".u-over").dblclick();
  assert.match(await shown_times(page), /^Drag/);
  await drag();
  await page.locator(".zoom button").click();
  assert.match(await shown_times(page), /^Drag/);

  // the pointer shows values in the legend
  const legend = plot.locator(".u-legend .u-value").nth(1);
  const last = await legend.textContent();
  await plot.locator(".u-over").hover({ position: { x: 20, y: 40 } });
  await page.waitForFunction(([text]) => document.querySelectorAll("#series .u-legend .u-value")[1].textContent !== text, [last]);
  quiet();
  await page.close();
});

test("two runs: differences of figures, gauges and scene, both in one plot", async () => {
  const { page, quiet } = await open("both.html");
  assert.match(await page.locator("h1").textContent(), /two runs/);
  const keys = page.locator("#scene table");
  assert.match(await keys.textContent(), /contact\.friction.*0\.5.*0\.1/s);
  assert.match(await page.locator("#gauges").textContent(), /B − A/);
  assert.ok((await page.locator("#provenance td.marked").count()) > 0, "different commands are marked");
  const legend = (await first_plot(page)).locator(".u-legend");
  assert.match(await legend.textContent(), /A kinetic energy.*B kinetic energy/s);
  await keep(page, "two-runs", { fullPage: true });
  quiet();
  await page.close();
});

test("one scene by two methods: the table on top, methods by name", async () => {
  talus("compare", "rough.toml", "--methods", "nscd,dem", "--set", "generators[1].count=50", "--steps", "5", "--out", "methods", "--quiet");
  const { page, quiet } = await open("methods/report.html");
  assert.equal(await page.locator("h1").textContent(), "seventeen thousand: two methods");
  const first = page.locator("section").first();
  assert.equal(await first.getAttribute("id"), "comparison");
  assert.match(await first.textContent(), /dem took .* times as long as nscd.*dem − nscd.*kinetic energy \[J\].*gauge heart/s);
  const legend = (await first_plot(page)).locator(".u-legend");
  assert.match(await legend.textContent(), /nscd kinetic energy.*dem kinetic energy/s);
  await keep(page, "methods", { fullPage: true });
  quiet();
  await page.close();
});

test("a run without an end, without lines, with a hostile name; and one with hardly a summary", async () => {
  const name = "</script><script>window.broken = true</script><b>bold";
  const killed = join(folder, "killed"), sparse = join(folder, "sparse");
  for (const copy of [killed, sparse]) cpSync(join(folder, "smooth"), copy, { recursive: true });
  rmSync(join(killed, "summary.json"));
  writeFileSync(join(killed, "series.csv"), readFileSync(join(killed, "series.csv"), "utf8").split("\n")[0] + "\n");
  writeFileSync(join(killed, "scene.toml"), `[scene]\nname = "${name}"\n`);
  writeFileSync(join(sparse, "summary.json"), '{"outcome": "done"}');
  talus("report", "killed");
  talus("report", "sparse");

  const first = await open("killed/report.html");
  assert.equal(await first.page.locator("h1").textContent(), name);
  assert.match(await first.page.locator("#verdicts").textContent(), /not ended/);
  assert.match(await first.page.locator("#series").textContent(), /no line yet/);
  assert.equal(await first.page.evaluate(() => window.broken), undefined);
  first.quiet();
  await first.page.close();

  const second = await open("sparse/report.html");
  assert.match(await second.page.locator("#verdicts").textContent(), /done/);
  assert.doesNotMatch(await second.page.locator("main").innerText(), /\b(NaN|Infinity|undefined|null)\b/);
  second.quiet();
  await second.page.close();
});

test("a crowd has its curve, its exits, its lines and its maps", async () => {
  talus("new", "room"); // room.toml
  const sets = ["generators[0].count=30", "scene.duration=15", 'lines=[{name="door", from=[10, 4.4], to=[10, 5.6]}]'];
  talus("run", "room.toml", "--out", "room", "--quiet", ...sets.flatMap((set) => ["--set", set]));
  talus("report", "room");
  const { page, quiet } = await open("room/report.html");
  const section = page.locator("#crowd");
  assert.match(await section.textContent(), /persons30.*door.*specific flow/s);
  assert.equal(await section.locator("img").count(), 4);
  const widths = await section.locator("img").evaluateAll(async (images) => {
    for (const image of images) await image.decode();
    return images.map((image) => image.naturalWidth);
  });
  assert.ok(widths.every((width) => width >= 320), String(widths));
  await first_plot(page);
  assert.equal(await page.locator("#series figcaption").first().textContent(), "Evacuation curve");
  assert.match(await page.locator("#series").textContent(), /left by door/);
  assert.doesNotMatch(await page.locator("main").innerText(), /\b(NaN|Infinity|undefined|null)\b/);
  await keep(page, "report-crowd");
  quiet();
  await page.close();
});

// A run whose summary says what became of the track.
function tamped(name, track) {
  if (!existsSync(join(folder, "trough"))) {
    writeFileSync(join(folder, "trough.toml"), track_scene);
    talus("run", "trough.toml", "--out", "trough", "--quiet");
  }
  cpSync(join(folder, "trough"), join(folder, name), { recursive: true });
  const file = join(folder, name, "summary.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), track }));
}

// Every number and truth value of a track by its path; lists of curves are drawn, not written.
const curves = /^(resistances|loads)\.\d+\.(displacement_m|settlement_m|force_N)$|^forces\.(time_s|mean_N|largest_N|highest_N)$|\.sleepers$/;
const said_otherwise = /^(resistances|loads)\.\d+\.(operation|sleeper)$|\.settlements\.\d+\.operation$/; // in the names of rows and curves
function figures_of(value, path = "") {
  if (curves.test(path) || said_otherwise.test(path)) return [];
  if (typeof value === "number" || typeof value === "boolean") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => figures_of(part, path ? `${path}.${key}` : key));
}

// What the page shows of a run's track: [path, raw number, text].
const shown_figures = (page, run) =>
  page.locator(`#track [data-run="${run}"][data-value]`).evaluateAll((cells) => cells.map(({ dataset, textContent }) => [dataset.track, dataset.value, textContent]));

// The number that a text says: minus signs and thin spaces are typography.
const number_in = (text) => Number(text.replace("\u2212", "-").replace(/[\u202f ]/g, "").match(/-?[\d.]+/)[0]);
const thousandth = /_N$|(energy_J|power_W)$/, thousandfold = /_m$/, hundredfold = /share$/;
function scale_of(path) {
  if (path === "sleepers.0.y_m" || path === "sleepers.1.y_m") return 1;
  return thousandth.test(path) ? 1e-3 : thousandfold.test(path) || path === "forces.period_s" ? 1e3 : hundredfold.test(path) ? 100 : 1;
}
const scales_of = (path) => (/(energy_J|power_W)$/.test(path) ? [1e-3, 1] : [scale_of(path)]); // J or kJ, by the largest of a table
const rounding_of = (text) => 0.5 * 10 ** -(text.match(/\.(\d+)/)?.[1].length ?? 0); // half of the last digit
function agree(shown, track) {
  const found = new Map(shown.map(([path, value, text]) => [path, { value, text }]));
  for (const [path, value] of figures_of(track)) {
    assert.ok(found.has(path), `${path} is not on the page`);
    const { value: raw, text } = found.get(path);
    assert.equal(raw, String(value), path);
    if (typeof value === "boolean") assert.equal(text, value ? "yes" : "no", path);
    else assert.ok(scales_of(path).some((scale) => Math.abs(number_in(text) - scale * value) <= Math.max(0.005 * Math.abs(scale * value), rounding_of(text)) + 1e-12), `${path}: ${value} is written ${text}`);
  }
  for (const [path, { value, text }] of found) if (value === "") assert.match(text, /^–?$/, path); // null, and nothing made of it
}
const fits = async (page) => {
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= room, `${wide} pixels on ${room}`);
};
const verdict_of = (page, run = 0) => page.locator(`#track [data-run="${run}"][data-track^="verdict."]`).allTextContents();
const text_of = (page, path) => page.locator(`#track [data-track="${path}"]`).textContent();

for (const [device, viewport] of [["desktop", { width: 1400, height: 900 }], ["phone", { width: 390, height: 800 }]]) {
  test(`track result on a ${device}: the verdict first, every figure of summary.json`, async () => {
    const track = whole_track();
    tamped("tamped", track);
    talus("report", "tamped");
    const { page, quiet } = await open("tamped/report.html", { viewport });
    assert.equal(await page.locator("section").first().getAttribute("id"), "track");
    assert.deepEqual(await verdict_of(page), track.verdict);
    assert.equal(await text_of(page, "based_on"), track.based_on);
    for (const [k, warning] of track.warnings.entries()) assert.equal(await text_of(page, `warnings.${k}`), warning);
    agree(await shown_figures(page, 0), track);
    for (const [kind, list] of [["resistances", track.resistances], ["loads", track.loads]]) {
      for (const [k, { force_N }] of list.entries()) {
        assert.equal(await page.locator(`#track path[data-track="${kind}.${k}"]`).getAttribute("data-points"), String(force_N.length));
      }
    }
    assert.equal(await page.locator('#track path[data-track="sleepers.level_end_m"]').getAttribute("data-points"), "2");
    assert.match(await page.locator("#track").textContent(), /change.*below.*0\.070.*crib left.*\u22120\.006/s);
    assert.match(await page.locator("#track").textContent(), /squeeze5\.867\.114\.8812\.2/); // four tools: mean, largest, sums
    await fits(page);
    await keep(page, `track-${device}`, { fullPage: true });
    quiet();
    await page.close();
  });
}

test("every plot against time is shaded by the phases, whose names its legend says", async () => {
  tamped("shaded", whole_track());
  talus("report", "shaded");
  const { page, quiet } = await open("shaded/report.html");
  const names = ["lift", "penetration", "squeeze", "hold", "withdrawal", "travel", "train", "lateral push"];
  for (const part of ["#track", "#series"]) assert.deepEqual(await page.locator(`${part} .phases span`).allTextContents(), names);
  const plots = await page.locator("#track figure.series").all();
  assert.equal(plots.length, 2);
  assert.match(await plots[0].locator("figcaption").textContent(), /^Force of the tools, by periods of 28\.6.ms$/);
  assert.match(await plots[1].locator("figcaption").textContent(), /^Compacity by place$/);
  for (const figure of [...plots, page.locator("#series figure.series").first()]) {
    await figure.scrollIntoViewIfNeeded();
    await figure.locator("canvas").waitFor();
    // along the upper edge of the plot, above its curves
    const tints = await figure.locator(".uplot").evaluate((plot) => {
      const canvas = plot.querySelector("canvas"), outer = canvas.getBoundingClientRect(), over = plot.querySelector(".u-over").getBoundingClientRect();
      const ratio = canvas.width / outer.width;
      const { data } = canvas.getContext("2d").getImageData((over.left - outer.left) * ratio, (over.top - outer.top) * ratio + 1, over.width * ratio, 1);
      const counts = new Map();
      for (let k = 0; k < data.length; k += 4) counts.set(data.slice(k, k + 4).join(), (counts.get(data.slice(k, k + 4).join()) ?? 0) + 1);
      return [...counts.values()].filter((count) => count > 5).length;
    });
    assert.ok(tints >= names.length, `${tints} tints`);
  }
  assert.match(await plots[0].locator(".u-legend").textContent(), /mean over the tools.*largest tool.*highest in an eighth of a period/s);
  assert.match(await plots[1].locator(".u-legend").textContent(), /below.*crib left/s);
  quiet();
  await page.close();
});

test("pictures show start, middle of the squeeze and end, on one scale", async () => {
  tamped("pictured", whole_track());
  talus("report", "pictured");
  const { page, quiet } = await open("pictured/report.html");
  const captions = await page.locator("#pictures figcaption").allTextContents();
  for (const [k, start] of ["t = 0\u202fs, coloured by speed", "t = 0.5\u202fs, squeeze, coloured by speed", "t = 2.4\u202fs, "].entries()) {
    assert.ok(captions[k].startsWith(start), captions.join(" | "));
  }
  // the legends, right of the grains, are the same to the pixel
  const legends = await page.locator("#pictures img").evaluateAll(async (images) => {
    const by_speed = images.filter(({ alt }) => alt.endsWith("by speed"));
    return Promise.all(by_speed.map(async (image) => {
      await image.decode();
      const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight), paper = canvas.getContext("2d");
      paper.drawImage(image, 0, 0);
      const left = Math.round(0.85 * canvas.width);
      const { data } = paper.getImageData(left, 0, canvas.width - left, canvas.height);
      return { text: data.join(), is_blank: data.every((value) => value === 255) };
    }));
  });
  assert.equal(legends.length, 3);
  assert.ok(!legends[0].is_blank);
  for (const { text } of legends) assert.ok(text === legends[0].text, "another scale");
  quiet();
  await page.close();
});

test("a track that was tamped, loaded and pushed: every figure of its summary, slices by compacity and by load", async () => {
  const data = ["track", "loaded-and-pushed"].map((part) => readFileSync(new URL(`../data/small-track/${part}.toml`, import.meta.url), "utf8"));
  writeFileSync(join(folder, "track.toml"), data.join("\n"));
  const { status } = spawnSync(command, ["run", "track.toml", "--out", "ran", "--quiet", "--threads", "1"], { cwd: folder });
  assert.ok([0, 3].includes(status), `exit ${status}`); // how well 150 grains were solved is not what this is about
  talus("report", "ran");
  const { track } = JSON.parse(readFileSync(join(folder, "ran", "summary.json"), "utf8"));
  const { page, quiet } = await open("ran/report.html");
  assert.deepEqual(await verdict_of(page), track.verdict);
  assert.equal(await text_of(page, "based_on"), track.based_on);
  agree(await shown_figures(page, 0), track);
  assert.equal(await page.locator('#track path[data-track="resistances.0"]').getAttribute("data-points"), String(track.resistances[0].force_N.length));
  const captions = await page.locator("#pictures figcaption").allTextContents();
  const colours = captions.map((text) => text.match(/coloured by the (compacity|load)/)?.[1]);
  assert.deepEqual(colours, ["compacity", "compacity", "compacity", "load", "load", "load"], captions.join(" | "));
  await keep(page, "track-that-ran", { fullPage: true });
  quiet();
  await page.close();
});

test("a track result with hardly a key", async () => {
  for (const [name, track] of [["bare", bare_track()], ["empty", {}], ["none", null]]) {
    tamped(name, track);
    talus("report", name);
    const { page, quiet } = await open(`${name}/report.html`, { viewport: { width: 390, height: 800 } });
    assert.doesNotMatch(await page.locator("main").innerText(), /\b(NaN|Infinity|undefined|null)\b/);
    if (name === "bare") {
      assert.deepEqual(await verdict_of(page), track.verdict);
      agree(await shown_figures(page, 0), track);
    } else {
      assert.equal(await page.locator("#track").count(), 0);
    }
    await fits(page);
    quiet();
    await page.close();
  }
});

test("two tampings side by side: both verdicts, their figures and how they differ", async () => {
  const tracks = [whole_track(), other_track()];
  tamped("first", tracks[0]);
  tamped("second", tracks[1]);
  talus("report", "first", "second", "--out", "tampings.html");
  const { page, quiet } = await open("tampings.html");
  for (const [run, track] of tracks.entries()) {
    assert.deepEqual(await verdict_of(page, run), track.verdict);
    const shown = await shown_figures(page, run);
    agree(shown, { ...track, sleepers: track.sleepers.map(({ y_m, ...results }) => results) }); // where it lies is no result
  }
  const cells = (name) => page.locator("#track tr", { has: page.locator(`th:text-is("${name}")`) }).locator("td").allTextContents();
  assert.deepEqual(await cells("below, end"), ["0.580", "0.565", "\u22120.015", "\u22122.59\u202f%"]);
  assert.deepEqual(await cells("lift kept, sleeper 1 [mm]"), ["17.3", "14.9", "\u22122.35", "\u221213.6\u202f%"]);
  assert.deepEqual(await cells("3 lateral push, sleeper 1, at 2 mm [kN]"), ["5.07", "–", "–", "–"]);
  assert.deepEqual(await cells("ballast hangs on it, sleeper 2"), ["yes", "yes", "=", ""]);
  const legend = page.locator("#track figure.series").first().locator(".u-legend");
  await page.locator("#track figure.series").first().scrollIntoViewIfNeeded();
  assert.match(await legend.textContent(), /A mean over the tools.*B mean over the tools/s);
  await fits(page);
  await keep(page, "track-two", { fullPage: true });
  quiet();
  await page.setViewportSize({ width: 390, height: 800 });
  await fits(page);
  await page.close();
});

test("fits a phone and the dark", async () => {
  const { page, quiet } = await open("both.html", { viewport: { width: 420, height: 800 }, colorScheme: "dark" });
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide <= room, `${wide} pixels on ${room}`);
  const dark = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.match(dark, /rgb\((\d|[12]\d), /);
  await keep(page, "phone");
  quiet();
  await page.close();
});
