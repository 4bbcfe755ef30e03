import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "../../src/demo/wav.ts";
import { localDoor } from "../../src/watch/local-door.ts";
import { look } from "../../src/watch/scan.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { picture } from "../support/pictures.ts";
import { excerptOf } from "../support/recordings.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { createConsole, until } from "./console.ts";

const RATE_HZ = 44_100;

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (BROWSER_PATH) desk = await createConsole();
});
afterAll(() => desk?.close());

/** Two seconds, each of another sound. */
function song(name: string, pitchHz: number) {
  const left = excerptOf(pitchHz, RATE_HZ, 2) ?? sine(RATE_HZ, 2, pitchHz, 0.3);
  return { name, mimeType: "audio/wav", buffer: Buffer.from(encodeWav({ left, right: left }, [])) };
}

describe.skipIf(!BROWSER_PATH)("an empty library", () => {
  test("takes files in, shows them, and says what it left out", async () => {
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("heading", { name: "Drop your music here" }).waitFor();
    expect(await inspect(page, "console-library-empty-desktop")).toEqual([]);

    await page
      .locator('input[aria-label="Choose files"]')
      .setInputFiles([
        song("Night Bus.wav", 220),
        song("Slow Train.wav", 330),
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") },
      ]);

    const tray = page.getByRole("region", { name: "Uploads" });
    await tray.getByText("2 of 2 uploaded").waitFor();
    await tray.getByText("2 tracks are being analysed").waitFor();
    await page.getByRole("row", { name: /^Night Bus/ }).waitFor();
    await page.getByRole("row", { name: /^Slow Train/ }).waitFor();
    await tray.getByRole("button", { name: "Left out: 1 file" }).click();
    await page.getByRole("dialog", { name: "Left out" }).getByText("notes.txt").waitFor();
    await page.keyboard.press("Escape");
    expect(await inspect(page, "console-uploads-desktop")).toEqual([]);
    await desk.drainJobs();
    await tray.getByText("2 tracks are being analysed").waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  test("an upload that the server refuses is named, and sent again", async () => {
    const { page, close } = await desk.open("/library/uploads");

    await page
      .locator('input[aria-label="Choose files"]')
      .setInputFiles([
        { name: "broken.wav", mimeType: "audio/wav", buffer: Buffer.from("this is no music") },
      ]);
    const line = page.getByRole("list", { name: "Files" }).getByRole("listitem").first();
    await line.getByText(/^Failed: /).waitFor();
    await line.getByRole("button", { name: "Retry broken.wav" }).click();
    await line.getByText(/^Failed: /).waitFor();
    await line.getByRole("button", { name: "Remove broken.wav" }).click();

    await page.getByRole("region", { name: "Uploads" }).waitFor({ state: "detached" });
    await close();
  });
});

test.skipIf(!BROWSER_PATH)(
  "a folder of songs with a picture is an album in its order, with its cover, and words beside a song are its lyrics",
  async () => {
    const { page, close } = await desk.open("/library/uploads");
    const folder = join(mkdtempSync(join(tmpdir(), "dubplate-album-")), "Wanderer");
    mkdirSync(folder);
    const numbers = [3, 12, 1, 2];
    for (const number of numbers)
      writeFileSync(join(folder, `${number}. Song ${number}.wav`), song("", 1000 + 10 * number).buffer);
    writeFileSync(join(folder, "cover.png"), await picture("png", { grey: 90 }));
    writeFileSync(join(folder, "notes.txt"), "notes");
    writeFileSync(join(folder, "2. Song 2.LRC"), "[00:00.10]Ahoy\n[00:00.20]Land");

    const covered = page.waitForResponse((response) => response.url().endsWith("/app/uploads/cover"));
    await page.locator('input[aria-label="Choose a folder"]').first().setInputFiles(folder);
    const { data } = await (await covered).json();

    expect(data).toMatchObject({ covered: 4, songs: 4 });
    const read = async (path: string) =>
      (await (await page.request.get(`${desk.origin}${path}`)).json()).data;
    const [album] = await read("/app/playlists?kind=album");
    expect(album).toMatchObject({ id: data.albumId, name: "Wanderer", trackCount: 4 });
    const rows = await read(`/app/playlists/${album.id}/tracks`);
    expect(rows.map(({ title, cover }: { title: string; cover: string }) => [title, cover])).toEqual(
      [1, 2, 3, 12].map((number) => [`Song ${number}`, album.image]),
    );
    const sung = rows.find(({ title }: { title: string }) => title === "Song 2").id;
    const times = async () =>
      (await read(`/app/library/tracks/${sung}/lyrics`)).lines.map(({ atMs }: { atMs: number }) => atMs);
    await until(times, [100, 200]);
    const tray = page.getByRole("region", { name: "Uploads" });
    await tray.getByRole("button", { name: "Left out: 1 file" }).waitFor();
    rmSync(folder, { recursive: true });
    await close();
  },
);

test.skipIf(!BROWSER_PATH)("files from a watched folder are listed below, and can be undone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-folder-"));
  const door = localDoor(desk.deps, desk.account.accountId);
  for (const [index, name] of ["Tide.wav", "Tide v2.wav"].entries()) {
    writeFileSync(join(folder, name), wavBytes([sine(8000, 0.05, 300 + index)], 8000, 16));
    const entry = await look(join(folder, name), name);
    if (entry) await door.take(entry, { kind: "watch", source: `studio:${folder}` });
  }
  const { page, errors, close } = await desk.open("/library/uploads");

  const list = page.getByRole("list", { name: "From folders" });
  await list.getByText("new version v2 of Tide, watched folder").waitFor();
  expect(await inspect(page, "console-uploads-folders-desktop")).toEqual([]);
  await list.getByRole("button", { name: "Undo Tide v2.wav" }).click();
  await list.getByText("Undone").waitFor();
  await list.getByRole("link", { name: "Tide" }).first().click();
  await page.getByRole("heading", { name: "Tide" }).first().waitFor();

  expect(errors).toEqual([]);
  await close();
  rmSync(folder, { recursive: true });
});
