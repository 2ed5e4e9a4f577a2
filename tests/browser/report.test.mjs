// The report in a real browser: opens fast, asks no host for anything, zooms, shows values and differences.
// Needs TALUS_COMMAND, TALUS_VIEWER (the npm package that has playwright-core) and CHROMIUM; keeps pictures of the page
// in the folder TALUS_SCREENSHOTS where that is set.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

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
