import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { addGuest } from "../support/team.ts";
import { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";
import { pressEverything } from "./walk.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let room = "";
let track = "";
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const call = desk.signedIn(desk.account.token);
  const titles = ["Night Ferry", "Secret Song"].map((title) => ({ title, seconds: 3 }));
  const [ferry = "", hidden = ""] = await addSongs(desk, titles);
  const make = async (name: string, trackIds: string[]) =>
    (await call("POST", "/app/playlists", { name, trackIds })).body.data.id as string;
  track = ferry;
  room = await make("The room", [ferry]);
  await make("Secret List", [ferry, hidden]);
});
afterAll(() => desk?.close());

/** Notes what the server refuses, or does not have, from now on. */
function refusalsOf(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() < 400 || pathname.startsWith("/media/")) return;
    refused.push(`${response.status()} ${response.request().method()} ${pathname}`);
  });
  return refused;
}

describe.skipIf(!BROWSER_PATH)("a room", () => {
  test("shows a guest their playlist and its tracks, offers nothing that is refused, and names nothing else", async () => {
    const { token } = addGuest(desk, desk.account.accountId, { [room]: { role: "artist", splits: true } });
    const { page, errors, close } = await desk.open("/library", "desktop", token);
    const refused = refusalsOf(page);
    const main = page.getByRole("main");
    const linksOf = (name: string) =>
      page.getByRole("navigation", { name }).getByRole("link").allTextContents();

    await page.getByRole("link", { name: "The room" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/library/playlists");
    expect(await linksOf("Main")).toEqual(["Playlists", "Settings"]);
    expect(await inspect(page, "console-room-playlists")).toEqual([]);
    const paths = [`/library/playlists/${room}`, `/library/tracks/${track}`, "/library/settings/profile"];
    for (const path of paths) {
      await pressEverything(page, path, main, /Night Ferry|The room|\d+:\d+|[\d.]+ BPM/g);
      expect(await page.content()).not.toContain("Secret");
    }
    expect(await linksOf("Settings")).toEqual(["Profile", "Security"]);
    await page.goto(`/library/tracks/${track}`);
    await main.getByRole("button", { name: "Add version" }).waitFor();
    await page.getByText("decides when a new version plays").waitFor();
    expect(await page.getByRole("tab").allTextContents()).toEqual([
      "Versions",
      "Set",
      "Review",
      "Tags",
      "Credits",
      "Rights",
      "Lyrics",
      "Details",
    ]);
    expect(await inspect(page, "console-room-track")).toEqual([]);
    await page.goto("/library/search");
    await page.getByRole("heading", { name: "Nothing here" }).waitFor();

    expect(refused).toEqual(["404 GET /library/search"]);
    expect(errors.filter((error) => !/status of 404/.test(error))).toEqual([]);
    await close();
  });

  test("is filled by an invitation from its playlist", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${room}`);
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "People in this room…" }).click();
    const dialog = page.getByRole("dialog", { name: "People in The room" });
    await dialog.getByRole("button", { name: "Invite someone" }).click();
    const invite = page.getByRole("dialog", { name: "Invite someone" });
    await invite.getByRole("textbox", { name: "E-mail" }).fill("mia@example.com");
    await invite.getByRole("combobox", { name: "Role" }).selectOption("Artist");
    expect(await inspect(page, "console-room-invite")).toEqual([]);
    await invite.getByRole("button", { name: "Create link" }).click();
    const link = page.getByRole("dialog", { name: "Link for mia@example.com" });
    expect(await link.getByRole("textbox", { name: "Link" }).inputValue()).toContain("/join?token=");
    await link.getByRole("button", { name: "Done" }).click();

    await dialog.getByRole("row", { name: "mia@example.com" }).waitFor();
    expect(await inspect(page, "console-room-cast")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
