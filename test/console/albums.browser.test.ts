import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { picture } from "../support/pictures.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

const TITLES = ["Night Ferry", "Harbour Lights", "Last Train", "Slow Tide"];

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackIds: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const songs = TITLES.map((title, index) => ({ title, artist: "The Lowlands", level: 0.8 - 0.12 * index }));
  trackIds = await addSongs(desk, songs);
});
afterAll(() => desk?.close());

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);
const cardOf = async (id: string) => (await call("GET", `/app/playlists/${id}`)).body.data;

/** Makes an album of songs, by their places in the library, that have the given track numbers. */
async function make(name: string, numbers: readonly number[]): Promise<string> {
  const api = desk.as(desk.createKey(desk.account.accountId));
  for (const [at, number] of numbers.entries())
    await api("PATCH", `/tracks/details?id=${trackIds[at]}`, { track_number: String(number) });
  const { body } = await call("POST", "/app/playlists", {
    name,
    kind: "album",
    artist: "The Lowlands",
    trackIds: trackIds.slice(0, numbers.length),
  });
  return body.data.id;
}

describe.skipIf(!BROWSER_PATH)("an album", () => {
  test("is found among the albums, with its cover, its artist and its length", async () => {
    const id = await make("Estuary", [1, 2, 3, 4]);
    const image = `data:image/png;base64,${(await picture("png", { grey: 90 })).toString("base64")}`;
    await call("PATCH", `/app/library/playlists/${id}`, { image });
    const { page, errors, close } = await desk.open("/library");

    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Albums" }).click();
    const card = page
      .getByRole("list", { name: "Albums" })
      .getByRole("listitem")
      .filter({ hasText: "Estuary" });
    await card.getByText("The Lowlands").waitFor();
    await card.getByText("4 tracks · 1:20").waitFor();
    const width = () =>
      card.locator("img").evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth);
    await until(async () => (await width()) > 0, true);
    expect(await inspect(page, "console-albums")).toEqual([]);
    await page.goto("/library/playlists");
    await page.getByRole("heading", { level: 2, name: "No playlists yet" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("shows the number of each song, what is missing, and how loud each is beside the one before", async () => {
    const id = await make("Two gaps", [1, 2, 5, 5]);
    const { page, errors, close } = await desk.open(`/library/playlists/${id}`);

    await page.waitForURL(/\/library\/albums\//);
    await page.getByText("Numbers 3 and 4 are missing.").waitFor();
    await page.getByText("Number 5 is there twice.").waitFor();
    await page.getByText(/^4 tracks · 1:20 · −\d+\.\d LUFS as a whole/).waitFor();
    const second = page.getByRole("row", { name: "Harbour Lights, The Lowlands" });
    await second.getByText(/−\d+\.\d \(−\d+\.\d\) LU compared with the song before/).waitFor();
    expect(await second.locator(".cell-number").textContent()).toBe("2");
    expect(await inspect(page, "console-album")).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });

  test("plays its songs as loud beside each other as they are, where others are matched one by one", async () => {
    const album = await make("Two levels", [1, 2]);
    const { body } = await call("POST", "/app/playlists", { name: "Loose", trackIds: trackIds.slice(0, 2) });
    const { page, errors, close } = await desk.open("/library");
    await page.addInitScript(`
      const set = AudioParam.prototype.setTargetAtTime;
      AudioParam.prototype.setTargetAtTime = function (value, ...times) {
        globalThis.level = value;
        return set.call(this, value, ...times);
      };
    `);
    const gainDb = async () => {
      const value = (await page.evaluate("level")) as number;
      return Math.round(200 * Math.log10(value)) / 10;
    };
    const gainsOf = async (path: string, isEarly = false) => {
      const facts = Promise.withResolvers<void>();
      await page.route(/\/facts(\?|$)/, async (route) => {
        await facts.promise;
        await route.continue();
      });
      if (!isEarly) facts.resolve();
      await page.goto(path);
      const player = page.getByRole("region", { name: "Player" });
      if (!isEarly) await page.getByText(/LUFS/).first().waitFor();
      await page.getByRole("button", { name: "Play all" }).click();
      facts.resolve();
      await player.getByText(TITLES[0] ?? "").waitFor();
      const first = await gainDb();
      await page.keyboard.press("n");
      await player.getByText(TITLES[1] ?? "").waitFor();
      return [first, await gainDb()];
    };

    const [first = 0, second] = await gainsOf(`/library/albums/${album}`);
    expect(second).toBe(first);
    // Before it is known how loud the album is.
    expect(await gainsOf(`/library/albums/${album}`, true)).toEqual([first, first]);
    const [loud = 0, soft = 0] = await gainsOf(`/library/playlists/${body.data.id}`);
    expect(soft).toBeGreaterThan(loud + 1);

    expect(errors).toEqual([]);
    await close();
  });

  test("takes what its owner writes about it, and says what is wrong beside the field", async () => {
    const id = await make("Working title", [1, 2]);
    const { page, errors, close } = await desk.open(`/library/albums/${id}`);

    await page.getByRole("button", { name: "Edit details" }).click();
    const dialog = page.getByRole("dialog", { name: "Album details" });
    await dialog.getByRole("textbox", { name: "Title" }).fill("Estuary Songs");
    await dialog.getByRole("combobox", { name: "Type" }).selectOption("EP");
    await dialog.getByRole("textbox", { name: "Release date" }).fill("2026-03");
    await dialog.getByRole("textbox", { name: "UPC or EAN" }).fill("036000291453");
    expect(await inspect(page, "console-album-details")).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Check the digits: the last one does not fit the others.").waitFor();
    await dialog.getByRole("textbox", { name: "UPC or EAN" }).fill("036000291452");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Estuary Songs" }).waitFor();
    await page.getByText("EP · 2026-03 · UPC 036000291452").waitFor();

    expect(await cardOf(id)).toMatchObject({ name: "Estuary Songs", type: "ep", upc: "036000291452" });
    expect(errors).toEqual([]);
    await close();
  });

  test("gets another cover, and the former one back by Undo", async () => {
    const id = await make("Covers", [1, 2]);
    const { page, errors, close } = await desk.open(`/library/albums/${id}`);

    const buffer = await picture("png", { grey: 200 });
    await page
      .getByLabel("Cover", { exact: true })
      .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer });
    await page.getByText("Cover changed").waitFor();
    expect((await cardOf(id)).image).not.toBeNull();
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await cardOf(id)).image, null);

    expect(errors).toEqual([]);
    await close();
  });

  test("appears as a column and a filter of the library", async () => {
    const id = await make("Low Water", [1, 2]);
    const { page, errors, close } = await desk.open("/library?sort=name");

    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByRole("menuitem", { name: "Album…" }).click();
    const dialog = page.getByRole("dialog", { name: "Filter by album" });
    await dialog.getByRole("combobox", { name: "Album" }).fill("Low");
    await page.getByRole("option", { name: /Low Water/ }).click();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Remove filter Album Low Water" }).waitFor();
    await page.getByText("2 tracks", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Low Water" }).first().click();
    await page.waitForURL(new RegExp(`/library/albums/${id}`));

    expect(errors).toEqual([]);
    await close();
  });
});
