import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { transact } from "../../db/client.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

/** So many that a change is seen while it goes on. */
const MANY = 12_000;
const SHOWN = process.env.PICTURES_TO;

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ids = ["Night Ferry", "Harbour Lights"].map(
    (title) =>
      addTrackRows(desk.deps.db, desk.account.accountId, { title, artist: "The Lowlands", album: title }).id,
  );
});
afterAll(() => desk?.close());

const web = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);
const bar = (page: Page) => page.getByRole("toolbar", { name: "Selection" });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const profiles = () =>
  Promise.all(
    ids.map(async (id) => {
      const { audio_profile: profile } = (await web("GET", `/app/library/tracks/single?id=${id}`)).body.data
        .track;
      return [profile.artist, profile.album, profile.recordLabel, profile.cover !== null];
    }),
  );
const countOf = async (query: string): Promise<number> =>
  (await web("GET", `/app/tracks?limit=1&${query}`)).body.paging.total;

/** Makes each edit of a track take some 2 ms, so that a change of many can be stopped on any machine. */
const slowDown = () =>
  desk.deps.db.run(`
    CREATE TRIGGER slow_edit AFTER UPDATE OF artist ON tracks BEGIN
      SELECT (WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted LIMIT 20000) SELECT max(n) FROM counted);
    END`);

/** Presses "Stop" in the page as soon as it shows: the server shares this test's thread, and keeps it busy meanwhile. */
const stopWhenShown = (page: Page) =>
  page.evaluate(`
    new MutationObserver((_, observer) => {
      const bar = document.querySelector("[role=progressbar], progress");
      const stop = [...document.querySelectorAll("button")].find((each) => each.textContent === "Stop");
      if (!bar || !stop) return;
      observer.disconnect();
      window.stopped = bar.getAttribute("aria-label");
      stop.click();
    }).observe(document.body, { subtree: true, childList: true });
    undefined;`);

async function select(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await page.getByRole("row", { name: title }).focus();
    await page.keyboard.press("x");
  }
  await bar(page).getByRole("button", { name: "Edit…" }).click();
}

describe.skipIf(!BROWSER_PATH)("tracks edited as a set", () => {
  test.each(["desktop", "phone"] as const)(
    "show what they share and where they differ, change only in the fields touched, and are undone at once (%s)",
    async (device) => {
      const { page, errors, close } = await desk.open("/library", device);
      const before = await profiles();
      await select(page, ["Night Ferry", "Harbour Lights"]);
      const form = dialog(page, "Edit 2 tracks");
      const artist = await form.getByLabel("Artist", { exact: true }).inputValue();
      const album = await form.getByLabel("Album", { exact: true }).getAttribute("placeholder");
      if (SHOWN) await page.screenshot({ path: `${SHOWN}/edit-${device}.png` });

      await form.getByLabel("Label", { exact: true }).fill("Night Bus Records");
      await form.getByLabel("Choose a picture").setInputFiles({
        name: "cover.png",
        mimeType: "image/png",
        buffer: await picture("png", { width: 300, height: 300, grey: device === "phone" ? 90 : 180 }),
      });
      const found = await inspect(page, `console-edit-many-${device}`);
      await form.getByRole("button", { name: "Apply" }).click();
      const toast = page.getByRole("status").filter({ hasText: "Label and cover of 2 tracks changed" });
      await toast.waitFor();
      const meanwhile = await profiles();
      if (SHOWN) await page.screenshot({ path: `${SHOWN}/edited-${device}.png` });
      await page.getByRole("button", { name: "Undo" }).click();
      await until(profiles, before);

      expect([artist, album]).toEqual(["The Lowlands", "Several"]);
      expect(meanwhile).toEqual([
        ["The Lowlands", "Night Ferry", "Night Bus Records", true],
        ["The Lowlands", "Harbour Lights", "Night Bus Records", true],
      ]);
      expect(found).toEqual([]);
      expect(errors).toEqual([]);
      await close();
    },
    120_000,
  );

  test("refuse shares above 100 per cent, and can be given composers and a common album", async () => {
    const { page, errors, close } = await desk.open();
    await web("POST", "/app/composers", { fullName: "Ana Lima", email: null });
    await select(page, ["Night Ferry", "Harbour Lights"]);
    const form = dialog(page, "Edit 2 tracks");
    await form.getByLabel("Album", { exact: true }).fill("Tides");
    await form.getByRole("button", { name: "Add composer" }).click();
    await form.getByRole("combobox", { name: "Composer" }).fill("Ana");
    await page.getByRole("option", { name: "Ana Lima" }).click();
    await form.getByLabel("Share of Ana Lima").fill("101");
    await form.getByText("Only 100 % are left").waitFor();
    await form.getByLabel("Share of Ana Lima").fill("50");

    await form.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("status").filter({ hasText: "Album and composers of 2 tracks changed" }).waitFor();
    const { track } = (await web("GET", `/app/library/tracks/single?id=${ids[0]}`)).body.data as Json;

    expect(track.audio_profile.album).toBe("Tides");
    expect(track.shareholderTracks).toMatchObject([{ share: 50, shareholder: { fullName: "Ana Lima" } }]);
    expect(errors).toEqual([]);
    await close();
  }, 120_000);

  test("show their progress, stop on request, and are undone as far as they went", async () => {
    transact(desk.deps.db, (tx) => {
      for (let index = 0; index < MANY; index++)
        addTrackRows(tx, desk.account.accountId, { title: `Piece ${index}`, artist: "Many" });
    });
    slowDown();
    const { page, errors, close } = await desk.open("/library?q=piece&sort=name");
    await page.getByRole("checkbox", { name: "Select Piece 0", exact: true }).check();
    await bar(page).getByRole("button", { name: "Select all 12,000" }).click();
    await bar(page).getByRole("button", { name: "Edit…" }).click();
    const form = dialog(page, "Edit 12,000 tracks");
    await form.getByLabel("Artist", { exact: true }).fill("Zoë");
    await form.getByLabel("Genre", { exact: true }).fill("House");
    await stopWhenShown(page);
    await form.getByRole("button", { name: "Apply" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: /changed, then stopped: [\d,]+ tracks left unchanged/ })
      .waitFor();
    desk.deps.db.run("DROP TRIGGER slow_edit");
    const changed = await countOf("q=zoe");
    if (SHOWN) await page.screenshot({ path: `${SHOWN}/stopped.png` });
    await page.getByRole("button", { name: "Undo" }).click();
    await until(() => countOf("q=many"), MANY);

    expect(await page.evaluate("window.stopped")).toBe("Changing artist and genre");
    expect(changed).toBeGreaterThan(0);
    expect(changed).toBeLessThan(MANY);
    expect(await countOf("tags=house")).toBe(0);
    expect(errors).toEqual([]);
    await close();
  }, 120_000);
});
