import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { inspect } from "../pages/browser.ts";
import { tune } from "../support/tune.ts";
import { createConsole } from "./console.ts";
import { RATE_HZ, SECONDS, uploadSong, wavOf } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
beforeAll(async () => {
  desk = await createConsole();
  const mixes: [string, number, number][] = [
    ["Halo", 3, 0.3],
    ["New idea", 3, 0],
    ["Tide", 8, 0.3],
  ];
  ids = [];
  for (const [title, seed, bass] of mixes) {
    ids.push(
      await uploadSong(
        desk,
        title,
        "Mara",
        seed,
        tune(RATE_HZ, SECONDS, seed, { bass }).map((x) => 0.4 * x),
      ),
    );
    desk.clock.advance(60_000);
  }
}, 120_000);
afterAll(() => desk.close());

test("a track that is another mix of a song says so, becomes its version when asked, and is separated by Undo", async () => {
  const { page } = await desk.open(`/library/tracks/${ids[1]}`);
  const same = page.getByRole("list", { name: "Same song, by its sound" });
  const join = same.getByRole("button", { name: "Make this a version of it" });

  await join.waitFor();
  const said = await same.getByRole("listitem").allTextContents();
  if (process.env.PICTURES_TO)
    await page.screenshot({ path: `${process.env.PICTURES_TO}/mixes.png`, fullPage: true });
  await join.click();
  await page.waitForURL(`**/library/tracks/${ids[0]}`);
  const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await versions.nth(1).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await versions.nth(1).waitFor({ state: "detached" });

  expect(said.length).toBe(1);
  expect(said[0]).toContain("Halo");
  const back = await desk.as(desk.createKey(desk.account.accountId))("GET", `/tracks/${ids[1]}/versions`);
  expect([back.status, back.body.data.count]).toEqual([200, 1]);
}, 60_000);

test("an upload that sounds like a mix of a track is offered as its version in the tray, under Uploads and as a notification", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-mixes-"));
  const path = (name: string, hat: number) => {
    const samples = tune(RATE_HZ, SECONDS, 3, { hat }).map((x) => 0.4 * x);
    writeFileSync(join(folder, name), wavOf(samples));
    return join(folder, name);
  };
  const { page, errors } = await desk.open("/library/uploads");
  const tray = page.getByRole("region", { name: "Uploads" });
  const line = (name: string) => tray.getByRole("listitem", { name });
  const offers = page.getByRole("list", { name: "Mixes of one song?" });
  const says = (within: ReturnType<Page["getByRole"]>) => within.getByText("Sounds like a mix of “Halo”");
  const titles = async () =>
    (await desk.signedIn(desk.account.token)("GET", "/app/tracks")).body.data
      .map(({ title, versions }: { title: string; versions: number }) => `${title} ${versions}`)
      .toSorted();

  // The other mix of the first test: its owner keeps it apart.
  await offers.getByRole("button", { name: "Keep as its own track: New idea" }).click();
  await page.getByText("New idea stays its own track").waitFor();
  await offers.waitFor({ state: "detached" });
  await page
    .locator('main input[aria-label="Choose files"]')
    .setInputFiles([path("hats up.wav", 0.5), path("hats down.wav", 0.02)]);
  await tray.getByText("2 of 2 uploaded").waitFor();
  await desk.drainJobs();
  await says(line("hats up.wav")).waitFor();
  await says(line("hats down.wav")).waitFor();
  const pictures = [await inspect(page, "console-mix-offers-tray")];
  await line("hats up.wav").getByRole("button", { name: "Make it version 2: hats up" }).click();
  await line("hats up.wav").getByText("Version 2 of Halo").waitFor();
  const joined = await titles();
  await page.getByRole("button", { name: "Undo" }).click();
  await says(line("hats up.wav")).waitFor();
  const separate = await titles();

  await tray.getByRole("button", { name: "Hide uploads" }).click();
  await says(offers).first().waitFor();
  pictures.push(await inspect(page, "console-mix-offers-uploads"));
  await page.getByRole("button", { name: /^Notifications/ }).click();
  const news = page.getByRole("dialog", { name: "Notifications" });
  await news.getByRole("link", { name: /new tracks sound like mixes of others/ }).waitFor();
  pictures.push(await inspect(page, "console-mix-offers-notification"));
  await page.keyboard.press("Escape");
  await page.reload();
  await offers.getByRole("button", { name: "Keep as its own track: hats up" }).click();
  await says(offers).nth(1).waitFor({ state: "detached" });

  expect(pictures).toEqual([[], [], []]);
  expect(joined).toEqual(["Halo 2", "New idea 1", "Tide 1", "hats down 1"]);
  expect(separate).toEqual(["Halo 1", "New idea 1", "Tide 1", "hats down 1", "hats up 1"]);
  expect(errors).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
