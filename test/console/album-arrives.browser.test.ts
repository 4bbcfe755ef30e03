import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { picture } from "../support/pictures.ts";
import { taggedMp3 } from "../support/tagged.ts";
import { createConsole, until } from "./console.ts";

const SONGS = 12;
const NAMES = Array.from({ length: SONGS }, (_, at) => `Song ${at + 1}`);
const two = (number: number) => String(number).padStart(2, "0");

let desk: Awaited<ReturnType<typeof createConsole>>;
const folder = mkdtempSync(join(tmpdir(), "dubplate-album-"));
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
});
afterAll(async () => {
  await desk?.close();
  rmSync(folder, { recursive: true });
});

/** Writes the folder of an album, with a picture beside the songs. Returns its path. */
async function writeAlbum(name: string): Promise<string> {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [at, title] of NAMES.entries()) {
    const tags = { title, artist: "Mara Lind", album: name, track: `${at + 1}/${SONGS}`, year: "2026" };
    writeFileSync(join(path, `${two(at + 1)} ${title}.mp3`), taggedMp3(tags));
  }
  writeFileSync(join(path, "cover.jpg"), await picture("jpeg", { grey: 150 }));
  return path;
}

/** Drops a folder as a person does. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 700, y: 500, data });
}

const call = async (method: string, path: string, body?: object) =>
  (await desk.signedIn(desk.account.token)(method, path, body)).body.data;
const tray = (page: Page) => page.getByRole("region", { name: "Uploads" });
const arrivedIn = (page: Page) => tray(page).getByRole("list", { name: "Albums" }).getByRole("listitem");

describe.skipIf(!BROWSER_PATH)("the folder of an album that is dropped", () => {
  test("arrives as one: songs in their order, cover, titles and artists, retitled and shared as a set", async () => {
    const path = await writeAlbum("Wanderer");
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    await drop(page, path);
    await arrivedIn(page).getByText("12 songs are on the album Wanderer.").waitFor();
    const [album] = await call("GET", "/app/playlists?kind=album");
    expect(album).toMatchObject({ name: "Wanderer", artist: "Mara Lind", trackCount: SONGS });
    await until(async () => (await call("GET", `/app/playlists/${album.id}`)).image !== null, true);
    const rows = await call("GET", `/app/playlists/${album.id}/tracks`);
    expect(rows.map(({ title }: { title: string }) => title)).toEqual(NAMES);
    for (const row of rows)
      expect(row).toMatchObject({ artist: "Mara Lind", cover: expect.stringContaining("/artwork/") });

    await arrivedIn(page).getByRole("link", { name: "Wanderer" }).click();
    await page.getByRole("heading", { level: 1, name: "Wanderer" }).waitFor();
    await page.getByRole("row", { name: "Song 1, Mara Lind" }).waitFor();
    expect(await inspect(page, "console-album-arrived")).toEqual([]);
    await page.getByRole("button", { name: "Edit details" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Wanderers");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Wanderers" }).waitFor();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("combobox", { name: "For whom" }).fill("Ines");
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("dialog").getByText("Ines").first().waitFor();
    const [link] = await call("GET", "/app/links?limit=1");
    const visitor = await page.context().newPage();
    await visitor.goto(link.url);
    await visitor.getByRole("heading", { name: "Wanderers" }).waitFor();
    const songs = await visitor.getByText(/^Song \d+$/).allTextContents();
    expect([...new Set(songs)]).toEqual(NAMES);

    expect(errors).toEqual([]);
    await close();
  });

  test("is taken back by Undo, and its songs with it", async () => {
    const path = await writeAlbum("Undone");
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    await drop(page, path);
    await arrivedIn(page).getByText("12 songs are on the album Undone.").waitFor();
    await page.getByRole("button", { name: "Undo: Undone" }).click();
    await page.getByText("Undone and its 12 songs are in Recently deleted").waitFor();
    expect(await call("GET", "/app/tracks?q=Undone")).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });

  test("stays separate tracks where its owner says so", async () => {
    const path = await writeAlbum("Sketches");
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    await drop(page, path);
    await arrivedIn(page).getByText("12 songs are on the album Sketches.").waitFor();
    expect(await inspect(page, "console-album-tray")).toEqual([]);
    await page.getByRole("button", { name: "Keep as separate tracks: Sketches" }).click();
    await page.getByText("12 songs stay as separate tracks").waitFor();
    const names = (await call("GET", "/app/playlists?kind=album")).map(({ name }: { name: string }) => name);
    expect(names).not.toContain("Sketches");
    expect(await call("GET", "/app/tracks?album=Sketches&onAlbum=true")).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });
});
