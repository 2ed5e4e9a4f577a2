// What tests of the viewer's page share: runs in a folder of their own, servers, a browser, pictures and their comparison.
// Needs TALUS_COMMAND, TALUS_VIEWER (the npm package that has playwright-core) and CHROMIUM; keeps pictures of the page
// in the folder TALUS_SCREENSHOTS where that is set.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import { pathToFileURL } from "node:url";

export const command = process.env.TALUS_COMMAND;
const { chromium } = createRequire(join(process.env.TALUS_VIEWER, "package.json"))("playwright-core");
const screenshots = process.env.TALUS_SCREENSHOTS;
export const folder = mkdtempSync(join(tmpdir(), "talus-view-"));
export const talus_with = (environment, ...words) => execFileSync(command, words, { cwd: folder, encoding: "utf8", env: { ...process.env, ...environment } });
export const talus = (...words) => talus_with({}, ...words);

export function make_run(name, scene) {
  writeFileSync(join(folder, `${name}.toml`), scene);
  talus("run", `${name}.toml`, "--out", name, "--quiet");
}

// Servers end with the test that started them.
export const servers = new Set();
export async function serve(run) {
  const server = spawn(command, ["view", run, "--no-open"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  servers.add(server);
  let said = "";
  for await (const bytes of server.stdout) {
    said += bytes;
    if (/http:\/\/\S+/.test(said)) break;
  }
  return { address: said.match(/http:\/\/\S+/)[0], server };
}
export async function stop(server) {
  servers.delete(server);
  if (server.exitCode !== null) return;
  server.kill("SIGINT");
  await once(server, "exit");
}

let browser, judge, opened;
// Runs are made and exported before the first test.
export function use_browser(scenes) {
  before(async () => {
    for (const [name, scene] of Object.entries(scenes)) {
      make_run(name, scene);
      talus("view", name, "--export", `${name}.html`);
    }
    const args = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args });
    judge = await browser.newPage();
  });
  after(async () => {
    await browser?.close();
    for (const server of servers) server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async (t) => {
    if (opened && !opened.isClosed()) { // the test failed
      await keep(opened, `failed-${t.name.replace(/\W+/g, "-").slice(0, 40)}`);
      await opened.close();
    }
  });
}

// A page whose every complaint and every request is noted.
export async function open(address, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 }, ...options });
  page.setDefaultTimeout(20000);
  const complaints = [], requests = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  opened = page;
  await page.goto(address);
  const host = address.startsWith("http") ? new URL(address).origin : "file:";
  const quiet = () => {
    assert.deepEqual(complaints.filter((text) => !/GPU stall due to ReadPixels/.test(text)), []); // picking reads pixels
    assert.deepEqual(requests.filter((url) => !url.startsWith(host) && !/^(data|blob):/.test(url)), []);
  };
  return { page, quiet, complaints };
}
export const ready = (page, timeout = 30000) => page.waitForFunction(() => document.documentElement.dataset.ready === "1", null, { timeout });
export const state = (page) => page.evaluate(() => window.talus.state());
export const drawn = (page) => page.evaluate(() => window.talus.drawn());
export const shows = (page, frame) => page.waitForFunction((index) => document.documentElement.dataset.frame === String(index), frame);

// Opens a run as a page of the server, or as a file.
export async function open_run(kind, run, fragment = "", options = {}) {
  const { address, server } = kind === "served" ? await serve(run) : { address: pathToFileURL(join(folder, `${run}.html`)).href };
  const opened = await open(address + fragment, options);
  await ready(opened.page);
  return { ...opened, close: async () => (await opened.page.close(), server && (await stop(server))) };
}

export async function keep(page, name) {
  if (!screenshots) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

// Pictures of the scene alone, without legend and panels; compared in a page of their own.
export async function picture(page) {
  await drawn(page);
  const clip = await page.locator(".stage").boundingBox();
  const style = ".overlay, .picked, .labels, .banners { visibility: hidden !important; }";
  // without a graphics card and beside other work it may be drawn for long: what is claimed of time is measured elsewhere
  return { clip, png: (await page.screenshot({ clip, style, timeout: 100_000 })).toString("base64") };
}
// How many pixels are not background, how many of them differ, how many of the background differ; `at`: colours there.
export const compare = (a, b = a, at = []) =>
  judge.evaluate(
    async ([first, second, places]) => {
      const pixels = async (png) => {
        const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const canvas = new OffscreenCanvas(image.width, image.height), paper = canvas.getContext("2d");
        paper.drawImage(image, 0, 0);
        return paper.getImageData(0, 0, image.width, image.height);
      };
      const one = await pixels(first.png), other = await pixels(second.png);
      const near = (p, k, q, l) => [0, 1, 2].every((c) => Math.abs(p[k + c] - q[l + c]) < 6);
      const last = 4 * (one.width - 3); // top right: no body is drawn there
      const found = { ink: 0, other_ink: 0, changed: 0, background_changed: 0, background: 0, paper: [...one.data.slice(last, last + 3)] };
      for (let k = 0; k < one.data.length; k += 4) {
        const is_paper = near(one.data, k, one.data, last), differs = !near(one.data, k, other.data, k);
        if (!near(other.data, k, other.data, last)) ++found.other_ink;
        if (is_paper) ++found.background;
        else ++found.ink;
        if (differs) ++found.changed;
        if (differs && is_paper) ++found.background_changed;
      }
      found.colours = places.map(([x, y]) => {
        const k = 4 * (Math.round(x - first.clip.x) + one.width * Math.round(y - first.clip.y));
        return { colour: [...one.data.slice(k, k + 3)], is_paper: near(one.data, k, one.data, last) };
      });
      return found;
    },
    [a, b, at],
  );

export async function slide_to(page, position) {
  await page.locator(".timeline input[type=range]").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, position);
}

// A film of the disk in a page: its size, how long it is, and how many pixels differ between its start and its end.
export async function show_film(file) {
  const page = await browser.newPage();
  await page.setContent("<video muted></video>");
  const film = await page.evaluate(async (base64) => {
    const video = document.querySelector("video");
    const event = (name) => new Promise((done, failed) => (video.addEventListener(name, done, { once: true }), video.addEventListener("error", () => failed(new Error(video.error.message)), { once: true })));
    video.src = `data:video/mp4;base64,${base64}`;
    await event("loadeddata");
    const pixels = async (time) => {
      const shown = new Promise((done) => video.requestVideoFrameCallback(done)); // "seeked" may come before its picture
      video.currentTime = time;
      await event("seeked");
      await shown;
      const paper = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext("2d");
      paper.drawImage(video, 0, 0);
      return paper.getImageData(0, 0, video.videoWidth, video.videoHeight).data;
    };
    const start = await pixels(0.01), end = await pixels(video.duration - 0.05);
    let changed = 0;
    for (let k = 0; k < start.length; k += 4) changed += Math.abs(start[k] - end[k]) > 30 ? 1 : 0;
    return { width: video.videoWidth, duration: video.duration, changed };
  }, readFileSync(file).toString("base64"));
  await page.close();
  return film;
}
