import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

const TITLES = ["Night Ferry", "Harbour Lights", "Last Train", "Slow Tide"];

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackIds: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  trackIds = await addSongs(
    desk,
    TITLES.map((title) => ({ title, artist: "The Lowlands", seconds: 4 })),
  );
});
afterAll(() => desk?.close());

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);

/** Makes a playlist of songs, by their places in the library. */
async function make(name: string, songs: readonly number[], isPinned = true): Promise<string> {
  const { body } = await call("POST", "/app/playlists", { name, trackIds: songs.map((at) => trackIds[at]) });
  if (isPinned) await call("PUT", `/app/playlists/${body.data.id}/pin`);
  return body.data.id;
}

const titlesOf = async (id: string): Promise<string[]> =>
  (await call("GET", `/app/playlists/${id}/tracks`)).body.data.map(({ title }: { title: string }) => title);

const rowOf = (page: Page, title: string) => page.getByRole("row", { name: `${title}, The Lowlands` });
const pinnedOf = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

describe.skipIf(!BROWSER_PATH)("pinned playlists", () => {
  test("are listed in the sidebar of a desk, and come and go with the pin", async () => {
    const id = await make("For the radio", [0], false);
    const { page, errors, close } = await desk.open(`/library/playlists/${id}`);
    const press = async (name: string) => {
      await page.getByRole("button", { name: "More actions", exact: true }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };

    await press("Pin");
    await pinnedOf(page, "For the radio").waitFor();
    expect(await pinnedOf(page, "For the radio").getAttribute("aria-current")).toBe("page");
    await page.goto("/library");
    await rowOf(page, "Night Ferry").waitFor();
    await pinnedOf(page, "For the radio").waitFor();
    expect(await inspect(page, "console-pinned")).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await pinnedOf(page, "For the radio").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 860 });
    await pinnedOf(page, "For the radio").click();
    await press("Unpin");
    await pinnedOf(page, "For the radio").waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("tracks that are dragged onto a playlist", () => {
  test("one track, or all that are selected, are added; a track that would be there twice is named first", async () => {
    const id = await make("Sunday set", []);
    const { page, errors, close } = await desk.open("/library");
    const target = pinnedOf(page, "Sunday set");
    await target.waitFor();

    await rowOf(page, "Slow Tide").hover();
    await page.mouse.down();
    await target.hover();
    await target.hover();
    await page.getByText("Add to Sunday set").waitFor();
    expect(await page.getByText("Add to library").count()).toBe(0);
    await inspect(page, "console-drag");
    await page.mouse.up();
    await page.getByText("Added to Sunday set").waitFor();
    expect(await page.getByText("Add to Sunday set").count()).toBe(0);
    expect(await titlesOf(id)).toEqual(["Slow Tide"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Added to Sunday set").waitFor({ state: "detached" });
    await until(() => titlesOf(id), []);

    for (const title of ["Night Ferry", "Last Train"])
      await page.getByRole("checkbox", { name: `Select ${title}` }).check();
    // By the title, which is a link and could be dragged as one.
    await page.getByRole("link", { name: "Last Train" }).dragTo(target);
    await page.getByText("Added to Sunday set").waitFor();
    expect((await titlesOf(id)).toSorted()).toEqual(["Last Train", "Night Ferry"]);
    await rowOf(page, "Night Ferry").dragTo(target);
    const dialog = page.getByRole("dialog", { name: "Add to playlist" });
    await dialog.getByRole("alert").waitFor();
    expect(await dialog.getByRole("alert").textContent()).toMatch(/are already in Sunday set\.$/);
    await dialog.getByRole("button", { name: "Close" }).click();

    expect((await titlesOf(id)).toSorted()).toEqual(["Last Train", "Night Ferry"]);
    expect(errors).toEqual([]);
    await close();
  });

  test("may come from a playlist and from a search; the handle only moves a row", async () => {
    const from = await make("Everything", [0, 1, 2, 3], false);
    const id = await make("Opening", []);
    const { page, errors, close } = await desk.open(`/library/playlists/${from}`);

    await rowOf(page, "Last Train").dragTo(pinnedOf(page, "Opening"));
    await page.getByText("Added to Opening").waitFor();
    await page.getByRole("button", { name: "Move Night Ferry" }).dragTo(pinnedOf(page, "Opening"));
    await page.goto(`/library/search?like=${trackIds[0]}`);
    await rowOf(page, "Slow Tide").dragTo(pinnedOf(page, "Opening"));
    await page.getByText("Added to Opening").waitFor();

    expect(await titlesOf(id)).toEqual(["Last Train", "Slow Tide"]);
    expect(errors).toEqual([]);
    await close();
  });

  test("tracks that are held over Playlists can be dropped on a card", async () => {
    const id = await make("Not pinned", [], false);
    const { page, errors, close } = await desk.open("/library");

    await page.getByRole("checkbox", { name: "Select all" }).check();
    await rowOf(page, "Last Train").hover();
    await page.mouse.down();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Playlists" }).hover();
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
    const card = page.getByRole("listitem").filter({ hasText: "Not pinned" });
    const { x = 0, y = 0 } = (await card.boundingBox()) ?? {};
    await page.mouse.move(x + 20, y + 20);
    await page.mouse.move(x + 30, y + 30);
    await page.getByText("Add to Not pinned").waitFor();
    await inspect(page, "console-drag-card");
    await page.mouse.up();
    await page.getByText("Added to Not pinned").waitFor();

    expect(await titlesOf(id)).toEqual(TITLES.toReversed());
    expect(errors).toEqual([]);
    await close();
  });
});
