import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

const TITLES = ["Night Ferry", "Harbour Lights", "Last Train", "Slow Tide"];
const MENU = [
  "Open",
  "Play next",
  "Add to queue",
  "Add to playlist…",
  "More like this",
  "Share…",
  "Deliver…",
  "New version…",
  "Rename",
  "Show in library",
  "Analyse again",
  "Download",
  "Papers…",
  "Who leaked it?",
  "Delete",
];

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ids = await addSongs(
    desk,
    TITLES.map((title) => ({ title, artist: "The Lowlands" })),
  );
});
afterAll(() => desk?.close());

const web = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);
const row = (page: Page, title: string) => page.getByRole("row", { name: `${title}, The Lowlands` });
const bar = (page: Page) => page.getByRole("toolbar", { name: "Selection" });
const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`,
  );

/** The entries of the menu of a button, without their keys. */
async function menuOf(page: Page, name: string): Promise<string[]> {
  await page.getByRole("button", { name, exact: true }).click();
  const items = page.getByRole("menuitem");
  await items.first().waitFor();
  const found = await items.evaluateAll((all) =>
    all.map((each) => each.querySelector("span")?.textContent ?? ""),
  );
  await page.keyboard.press("Escape");
  return found;
}

async function makePlaylist(name: string): Promise<string> {
  return (await web("POST", "/app/playlists", { name, trackIds: ids })).body.data.id;
}

describe.skipIf(!BROWSER_PATH)("what can be done to a track", () => {
  test("is the same in the Library, a playlist, search results and on its sheet", async () => {
    const playlistId = await makePlaylist("Menus");
    const { page, errors, close } = await desk.open("/library");
    await row(page, "Slow Tide").waitFor();

    const inLibrary = await menuOf(page, "More actions for Slow Tide");
    await page.goto(`/library/playlists/${playlistId}`);
    const inPlaylist = await menuOf(page, "More actions for Slow Tide");
    await page.goto(`/library/search?like=${ids[0]}`);
    await row(page, "Slow Tide").waitFor();
    const inSearch = await menuOf(page, "More actions for Slow Tide");
    await page.goto(`/library/tracks/${ids[3]}`);
    const onSheet = await menuOf(page, "More actions");

    expect(inLibrary).toEqual(MENU);
    expect(inPlaylist.filter((name) => name !== "Remove from playlist")).toEqual(MENU);
    expect(inSearch.filter((name) => name !== "Less like this")).toEqual(MENU);
    expect(onSheet).toEqual(MENU.filter((name) => name !== "Open"));
    expect(errors).toEqual([]);
    await close();
  });

  test("several tracks are downloaded as one archive, one track as its file", async () => {
    const { page, close } = await desk.open("/library?sort=name");
    await page.getByRole("checkbox", { name: "Select Night Ferry" }).click();
    await page.getByRole("checkbox", { name: "Select Slow Tide" }).click();

    const started = page.waitForEvent("download");
    await bar(page).getByRole("button", { name: "Download" }).click();
    const archive = await started;
    await page.getByText("Downloading 2 tracks").waitFor();
    const path = await archive.path();
    const single = page.waitForEvent("download");
    await page.getByRole("button", { name: "More actions for Slow Tide" }).click();
    await page.getByRole("menuitem", { name: "Download" }).click();

    expect(archive.suggestedFilename()).toMatch(/^Tracks \d{4}-\d\d-\d\d\.zip$/);
    const text = Buffer.from(await Bun.file(path).bytes()).toString("latin1");
    expect(text).toStartWith("PK\u0003\u0004");
    expect([text.includes("Night Ferry.wav"), text.includes("Slow Tide.wav")]).toEqual([true, true]);
    expect((await single).suggestedFilename()).toBe("Slow Tide.wav");
    await close();
  });

  test("the results of a search are tagged together, and show covers", async () => {
    await web("POST", "/app/library/tracks/cover-art", {
      trackId: ids[1],
      base64: `data:image/png;base64,${(await picture("png")).toString("base64")}`,
    });
    const { page, errors, close } = await desk.open(`/library/search?like=${ids[0]}`);
    await row(page, "Harbour Lights").waitFor();

    await until(
      () => page.evaluate<boolean>(`document.querySelector(".result img.cover")?.naturalWidth > 0`),
      true,
    );
    await row(page, "Harbour Lights").focus();
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowDown");
    await bar(page).getByText("2 selected").waitFor();
    expect(await inspect(page, "console-search-selection")).toEqual([]);
    await page.keyboard.press("t");
    const dialog = page.getByRole("dialog", { name: "Tag 2 tracks" });
    await dialog.getByRole("combobox", { name: "Add tag" }).fill("Techno");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Apply" }).click();

    await page.getByText("2 tracks tagged").waitFor();
    await page.keyboard.press("Escape");
    await bar(page).waitFor({ state: "detached" });
    await row(page, "Harbour Lights").focus();
    await page.keyboard.press("Delete");
    await row(page, "Harbour Lights").waitFor({ state: "detached" });
    await page.keyboard.press("z");
    await row(page, "Harbour Lights").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("a playlist's tracks are selected and removed together, and come back", async () => {
    const playlistId = await makePlaylist("Together");
    const { page, errors, close } = await desk.open(`/library/playlists/${playlistId}`);
    await row(page, "Night Ferry").focus();

    await page.keyboard.press("x");
    await page.keyboard.press("Shift+ArrowDown");
    await bar(page).getByText("2 selected").waitFor();
    expect(await inspect(page, "console-playlist-selection")).toEqual([]);
    await page.keyboard.press("Delete");
    await page.getByText("2 tracks removed").waitFor();
    await page.locator('[role=grid][aria-rowcount="3"]').waitFor();
    expect(await focused(page)).toBe("Slow Tide, The Lowlands");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator('[role=grid][aria-rowcount="5"]').waitFor();
    const order = async (): Promise<string[]> =>
      (await web("GET", `/app/playlists/${playlistId}/tracks`)).body.data.map(({ id }: Json) => id);

    await until(order, ids);
    expect(errors).toEqual([]);
    await close();
  });

  test("a playlist is pinned to the front, and finds music that sounds like it", async () => {
    const playlistId = await makePlaylist("Pinned one");
    await makePlaylist("A later one");
    const { page, close } = await desk.open(`/library/playlists/${playlistId}`);

    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Pin", exact: true }).click();
    await page.getByText("Pinned", { exact: true }).waitFor();
    await page.goto("/library/playlists");
    const first = page.locator(".playlist-card").first();
    await first.getByRole("link", { name: "Pinned one" }).waitFor();
    await first.getByRole("link", { name: "Pinned one" }).click();
    await page.getByRole("button", { name: "Sounds like these" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();

    expect(new URL(page.url()).searchParams.get("like")).toBe(ids.join(","));
    await close();
  });

  test("a cover is drawn in the place of a picture, and the picture comes back", async () => {
    await web("POST", "/app/library/tracks/cover-art", {
      trackId: ids[2],
      base64: `data:image/png;base64,${(await picture("png")).toString("base64")}`,
    });
    const { page, errors, close } = await desk.open(`/library/tracks/${ids[2]}`);
    const image = page.locator(".sheet-cover img");
    await image.waitFor();

    await page.locator(".sheet-cover").hover();
    await page.getByRole("button", { name: "Draw one" }).click();
    await page.locator(".sheet-cover svg.cover").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await image.waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("Share on the sheet opens the dialog, and deleting goes back to the list", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    await row(page, "Harbour Lights").focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Harbour Lights" });
    await panel.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("dialog", { name: "Share Harbour Lights" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await focused(page)).toBe("Share");

    await panel.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await panel.waitFor({ state: "detached" });
    await row(page, "Harbour Lights").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "Harbour Lights").waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("a key acts on the row that has the focus, with a sheet beside the list", async () => {
    const { page, close } = await desk.open("/library?sort=name");
    await row(page, "Harbour Lights").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("complementary", { name: "Harbour Lights" }).waitFor();

    await row(page, "Slow Tide").focus();
    await page.keyboard.press("s");
    await page.getByRole("dialog", { name: "Share Slow Tide" }).waitFor();
    await page.keyboard.press("Escape");

    expect(await focused(page)).toBe("Slow Tide, The Lowlands");
    await close();
  });
});
