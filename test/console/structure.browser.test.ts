import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { analyses, tracks } from "../../db/schema.ts";
import { CERTAIN, PLACED_NAMES, type PlacedName } from "../../src/ears/places.ts";
import { putHeardPassages } from "../../src/modules/library/analysis/places/store.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { uploadSong } from "./track-songs.ts";

/** As the analysis stores it; the song has 24 seconds. */
const STRUCTURE = {
  alternativeBpm: 87,
  metre: "6/8",
  metreConfidence: 0.9,
  downbeats: [0, 2, 4],
  swing: 0.66,
  sections: [
    { kind: "intro", startSec: 0, endSec: 4, levelDb: -8 },
    { kind: "verse-like", startSec: 4, endSec: 10, levelDb: -1 },
    { kind: "chorus-like", startSec: 10, endSec: 17, levelDb: 1.5 },
    { kind: "break", startSec: 17, endSec: 18, levelDb: -9 },
    { kind: "end", startSec: 18, endSec: 24, levelDb: -4 },
  ],
};

/** What is heard in eight passages of three seconds. */
function heardIn(plays: Partial<Record<PlacedName, [from: number, to: number]>>) {
  const certain = (at: number, [from, to] = [0, 0]) => (at >= from && at < to ? CERTAIN : 0);
  return Uint8Array.from(
    PLACED_NAMES.flatMap((name) => Array.from({ length: 8 }, (_, at) => certain(at, plays[name]))),
  );
}

let desk: Awaited<ReturnType<typeof createConsole>>;
let path: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  // The addresses of sounds carry the server's time, and the browser has its own.
  desk.clock.advance(Date.now() - desk.clock.now());
  Object.assign(desk.account, desk.createAccount("today@example.com"));
  const id = await uploadSong(desk, "Night Bus", "The Lowlands", 3);
  path = `/library/tracks/${id}`;
  const { db } = desk.deps;
  db.update(analyses).set({ structure: STRUCTURE, bpm: 174 }).where(eq(analyses.trackId, id)).run();
  db.update(tracks).set({ bpm: 174 }).where(eq(tracks.id, id)).run();
  const api = desk.as(desk.createKey(desk.account.accountId));
  await api("PATCH", `/tracks/tags?id=${id}`, { instruments: ["Saxophone", "Drums", "Harp"] });
  putHeardPassages(db, id, { stepSec: 3, likelihoods: heardIn({ Drums: [0, 8], Saxophone: [3, 5] }) });
});
afterAll(() => desk?.close());

test.skipIf(!BROWSER_PATH).each(["desktop", "phone"] as const)(
  "the wave has its sections below it, for pointers and keys: %s",
  async (device) => {
    const { page, errors, close } = await desk.open(path, device);
    const sections = page.getByRole("list", { name: "Sections" });
    const slider = page.getByRole("main").getByRole("slider", { name: "Position in Night Bus" });
    await sections.getByRole("button", { name: "Intro, 0:00 to 0:04" }).waitFor();
    expect(await inspect(page, `sections-${device}`, "main")).toEqual([]);

    await sections.getByRole("button", { name: "Chorus-like, 0:10 to 0:17" }).click();
    await until(() => slider.getAttribute("aria-valuetext"), "0:10 of 0:24");
    expect(await sections.locator("[aria-current]").textContent()).toBe("Chorus-like");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    await until(() => slider.getAttribute("aria-valuetext"), "0:18 of 0:24");
    expect(await page.getByText("6/8, swung").isVisible()).toBe(true);
    expect(await page.getByText("174 BPM, felt as 87").first().isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await close();
  },
);

test.skipIf(!BROWSER_PATH)(
  "rows under the wave show what is heard in the order of its first places, and play from there",
  async () => {
    const { page, errors, close } = await desk.open(path);
    const heard = page.getByRole("region", { name: "Heard" });
    await heard.waitFor();

    expect(await heard.getByRole("button").allTextContents()).toEqual([
      "Play Drums from 0:00",
      "Play Saxophone from 0:09",
    ]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/heard.png` });
    await heard.getByRole("button", { name: "Play Saxophone from 0:09" }).click();
    await page
      .getByText(/0:(09|1\d) \//)
      .first()
      .waitFor();

    expect(errors).toEqual([]);
    await close();
  },
);
