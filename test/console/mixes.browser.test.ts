import { afterAll, beforeAll, expect, test } from "bun:test";
import { tune } from "../support/tune.ts";
import { createConsole } from "./console.ts";
import { RATE_HZ, SECONDS, uploadSong } from "./track-songs.ts";

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
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/mixes.png`, fullPage: true });
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
