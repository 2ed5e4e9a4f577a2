// People in the viewer, in a real browser: they are counted, face where they go, leave; colours, ways, maps, films.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { persons, room } from "./crowd_scenes.mjs";
import { compare, drawn, folder, keep, open_run, picture, show_film, shows, slide_to, state, talus, talus_with, use_browser } from "./view_pages.mjs";

use_browser({ room });

const last = 24; // frame
const by = (page) => page.locator("label.field", { hasText: /^by/ }).locator("select");
const map = (page) => page.locator("label.field", { hasText: /^map/ }).locator("select");
async function go_to(page, frame) {
  await slide_to(page, frame);
  await shows(page, frame);
  await drawn(page);
}

for (const kind of ["served", "exported"]) {
  test(`${kind}: people are counted, and leave`, async () => {
    const { page, quiet, close } = await open_run(kind, "room", "#time=0");
    const counted = [];
    for (const frame of [0, 6, 10, last]) {
      await go_to(page, frame);
      const { people } = await state(page);
      counted.push(people.inside);
      assert.equal(people.inside + people.left, persons);
      assert.match(await page.locator(".clock").textContent(), new RegExp(`${people.inside} persons inside, ${people.left} left`));
    }
    assert.equal(counted[0], persons);
    assert.equal(counted.at(-1), 0);
    assert.ok(counted.every((count, k) => k === 0 || count <= counted[k - 1]) && counted[2] < persons, `${counted}`);
    assert.match(await page.locator(".labels").textContent(), /west.*east/s);
    await go_to(page, 0);
    const full = await picture(page);
    await go_to(page, last);
    const { ink, other_ink } = await compare(full, await picture(page));
    assert.ok(other_ink < 0.7 * ink, `${other_ink} of ${ink} pixels are left`); // walls and exits stay
    quiet();
    await close();
  });

  test(`${kind}: colours by speed, contact force, density and exit, the same over the run`, async () => {
    const { page, quiet, close } = await open_run(kind, "room", "#time=2");
    const pictures = [await picture(page)];
    for (const [name, words] of [["load", /contact force \[k?N\]/], ["density", /density \[1\/m²\]/], ["exit", /exit.*west.*east/]]) {
      await by(page).selectOption(name);
      assert.match(await page.locator(".legend").textContent(), words);
      pictures.push(await picture(page));
      const { ink, changed } = await compare(pictures.at(-2), pictures.at(-1));
      assert.ok(changed > 0.05 * ink, `${name}: ${changed} of ${ink} pixels`);
    }
    await keep(page, `crowd-exit-${kind}`);
    await by(page).selectOption("density");
    const { range } = await state(page);
    await go_to(page, 8);
    assert.deepEqual((await state(page)).range, range); // not of the frame
    const options = await by(page).locator("option").allTextContents();
    assert.ok(!options.includes("rotation rate"), `${options}`); // people do not turn
    quiet();
    await close();
  });

  test(`${kind}: ways grow and stay when people have left; maps lie below`, async () => {
    const { page, quiet, close } = await open_run(kind, "room", "#time=2&trajectories=1");
    const early = (await state(page)).people.ways;
    await go_to(page, last);
    const { people } = await state(page);
    assert.ok(early > persons && people.ways > early, `${early}, ${people.ways} lines`);
    const withal = await picture(page);
    await page.getByLabel("trajectories", { exact: true }).uncheck();
    const { ink, other_ink } = await compare(withal, await picture(page));
    assert.ok(people.inside === 0 && ink > other_ink + 300, `${ink} pixels with ways, ${other_ink} without`);
    await go_to(page, 4);
    const plain = await picture(page);
    for (const [name, words] of [["density", /map: density \[1\/m²\]/], ["speed", /map: speed \[m\/s\]/]]) {
      await map(page).selectOption(name);
      await page.keyboard.press("f");
      assert.match(await page.locator(".legend").textContent(), words);
      const { background_changed, background } = await compare(plain, await picture(page));
      assert.ok(background_changed > 0.02 * background, `${name}: ${background_changed} of ${background} pixels of the ground`);
    }
    await keep(page, `crowd-map-${kind}`);
    quiet();
    await close();
  });
}

// The nose is darker or lighter than the shoulders behind the head.
test("a person faces where they go, and tells who they are", async () => {
  const { page, quiet, close } = await open_run("exported", "room", "#time=1", { viewport: { width: 1600, height: 1000 } });
  const [, text] = readFileSync(join(folder, "room.html"), "utf8").match(/<script type="application\/json" id="run">(.*?)<\/script>/s);
  const groups = Object.fromEntries(JSON.parse(text).groups.map(({ name, first }) => [name, first]));
  const place = (name) => page.evaluate((body) => window.talus.screen_of(body), groups[name]);
  const later = {};
  await go_to(page, 3);
  for (const name of ["eastbound", "westbound"]) later[name] = await place(name);
  await go_to(page, 2);
  const seen = await picture(page);
  for (const name of ["eastbound", "westbound"]) {
    const [x, y] = await place(name), way = [later[name][0] - x, later[name][1] - y], length = Math.hypot(...way);
    assert.equal(Math.sign(way[0]), name === "eastbound" ? 1 : -1);
    const [there] = await page.evaluate(() => window.talus.screen_at(1, 1, 0)), [here] = await page.evaluate(() => window.talus.screen_at(0, 1, 0));
    const radius = 0.25 * (there - here), [dx, dy] = way.map((part) => (0.52 * radius * part) / length);
    assert.ok(radius > 12, `${radius} pixels`);
    const { colours } = await compare(seen, seen, [[x, y], [x + dx, y + dy], [x - dx, y - dy]]);
    const far = (a, b) => Math.hypot(...a.colour.map((value, k) => value - b.colour[k]));
    const [head, front, back] = colours;
    assert.ok(far(head, front) < 12, `${name}: ${front.colour} before, ${head.colour} is the head`);
    assert.ok(far(head, back) > 40, `${name}: ${back.colour} behind, ${head.colour} is the head`);
    await page.mouse.click(x, y);
    const words = await page.locator(".picked").textContent();
    assert.match(words, new RegExp(`Person ${groups[name]}.*density.*leaves by${name.replace("bound", "")}.*contact force`, "s"));
    await page.keyboard.press("Escape");
  }
  quiet();
  await close();
});

// As they lie on the disk, or as the encoder got them.
const on_paper = (bytes) => ({ png: bytes.toString("base64"), clip: { x: 0, y: 0 } });
async function people_leave(pictures) {
  assert.ok((await compare(pictures[0], pictures[1])).changed > 500);
  const { ink, other_ink } = await compare(pictures[0], pictures.at(-1));
  assert.ok(ink > 2000 && other_ink < ink, `${other_ink} of ${ink} pixels`);
}

for (const [renderer, every, count] of [["page", 24, 2], ["own", 6, 5]]) {
  test(`pictures in a row by --renderer ${renderer} show that people leave`, async () => {
    talus("view", "room", "--images", renderer, "--renderer", renderer, "--every", String(every), "--width", "480", "--trajectories", "--colour", "exit");
    const files = readdirSync(join(folder, renderer)).sort();
    assert.equal(files.length, count);
    await people_leave(files.map((file) => on_paper(readFileSync(join(folder, renderer, file)))));
  });
}

// An encoder that keeps what it is given, so that the browser can look at every picture of the film.
test("a film has a picture of every frame, all of one size", async () => {
  const encoder = join(folder, "ffmpeg");
  writeFileSync(encoder, `#!${process.execPath}
const { readFileSync, readdirSync, writeFileSync } = require("node:fs"), { dirname, join } = require("node:path");
const film = process.argv.at(-1), folder = dirname(film);
const names = readdirSync(folder).filter((name) => name.endsWith(".png")).sort();
writeFileSync(film, JSON.stringify(names.map((name) => readFileSync(join(folder, name)).toString("base64"))));
`);
  chmodSync(encoder, 0o755);
  talus_with({ PATH: `${folder}:${process.env.PATH}` }, "view", "room", "--film", "stand-in.mp4", "--width", "480", "--map", "density");
  const pictures = JSON.parse(readFileSync(join(folder, "stand-in.mp4"), "utf8")).map((png) => Buffer.from(png, "base64"));
  assert.equal(pictures.length, last + 1);
  const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];
  for (const png of pictures) assert.deepEqual(size(png), size(pictures[0]));
  await people_leave(pictures.map(on_paper));
});

const has_ffmpeg = () => {
  try {
    return execFileSync("ffmpeg", ["-version"], { stdio: "pipe" }).length > 0;
  } catch {
    return false;
  }
};
test("a film plays in the browser", { skip: has_ffmpeg() ? false : "there is no ffmpeg" }, async () => {
  talus("view", "room", "--film", "room.mp4", "--fps", "10", "--width", "480", "--map", "density");
  const { width, duration, changed } = await show_film(join(folder, "room.mp4"));
  assert.equal(width, 480);
  assert.ok(Math.abs(duration - 2.5) < 0.11, `${duration} s for 25 frames`);
  assert.ok(changed > 500, `${changed} pixels change`);
});
