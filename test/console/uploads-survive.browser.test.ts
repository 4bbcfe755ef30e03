import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { encodeWav } from "../../src/demo/wav.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dubplate-songs-"));
  if (BROWSER_PATH) desk = await createConsole();
});
afterAll(async () => {
  await desk?.close();
  rmSync(folder, { recursive: true, force: true });
});

let pitches = 0;
/** Writes a tone of its own, and returns its path. */
function song(name: string, seconds = 2): string {
  const step = ((180 + 13 * ++pitches) * 2 * Math.PI) / 44_100;
  const left = Float32Array.from({ length: seconds * 44_100 }, (_, at) => 0.3 * Math.sin(at * step));
  const path = join(folder, name);
  writeFileSync(path, encodeWav({ left, right: left }, []));
  return path;
}

const tray = (page: Page) => page.getByRole("region", { name: "Uploads" });
const line = (page: Page, name: string) => tray(page).getByRole("listitem", { name });
const choose = (page: Page, ...paths: string[]) =>
  page.locator('main input[aria-label="Choose files"]').setInputFiles(paths);

/** Slows a page's sending down, so that something can happen meanwhile, or takes its connection away. */
async function setNetwork(page: Page, { bytesPerSec = -1, offline = false }): Promise<void> {
  const session = await networkOf(page);
  const conditions = { offline, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSec };
  await session.send("Network.emulateNetworkConditions", conditions);
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();
/** A second session of a page would not undo what the first one set. */
function networkOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  return known;
}

/** Titles of the account's tracks. */
async function titles(): Promise<string[]> {
  const { body } = await desk.signedIn(desk.account.token)("GET", "/app/tracks?limit=200");
  return body.data.map(({ title }: { title: string }) => title);
}

describe.skipIf(!BROWSER_PATH)("files on their way", () => {
  test("uploads go on after a reload where they stopped, once their files are chosen again", async () => {
    const { page, errors, close } = await desk.open("/library/uploads");
    await setNetwork(page, { bytesPerSec: 1_500_000 });
    const paths = [song("Long Tide.wav", 60), song("Short Tide.wav", 1)];
    const pieces: number[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") pieces.push(Number(request.headers()["upload-offset"]));
    });
    page.on("dialog", (dialog) => void dialog.accept());

    await choose(page, ...paths);
    await tray(page).getByText("1 of 2 uploaded").waitFor();
    await line(page, "Long Tide.wav")
      .getByText(/^[1-9]\d? %$/)
      .waitFor();
    await page.reload();
    await line(page, "Short Tide.wav").getByText("Done").waitFor();
    await line(page, "Long Tide.wav")
      .getByText(/^[1-9]\d? % arrived$/)
      .waitFor();
    expect(await inspect(page, "console-uploads-again-desktop")).toEqual([]);
    await setNetwork(page, {});
    await choose(page, ...paths);
    await tray(page).getByText("2 of 2 uploaded").waitFor();

    expect(pieces.at(-1)).toBeGreaterThan(100_000);
    expect((await titles()).toSorted()).toEqual(["Long Tide", "Short Tide"]);
    expect(errors).toEqual([]);
    await close();
  });

  test("uploads wait for a lost connection, and go on by themselves", async () => {
    const { page, close } = await desk.open("/library/uploads");
    await setNetwork(page, { bytesPerSec: 1_000_000 });

    await choose(page, song("Lost and Found.wav", 20));
    await line(page, "Lost and Found.wav")
      .getByText(/^[1-9]\d? %$/)
      .waitFor();
    await setNetwork(page, { offline: true });
    await page.getByText("No connection. Uploads go on by themselves.").waitFor();
    await setNetwork(page, {});
    await tray(page).getByText("1 of 1 uploaded").waitFor();

    expect(await titles()).toContain("Lost and Found");
    await close();
  });

  test("can be paused, resumed and taken off", async () => {
    const { page, close } = await desk.open("/library/uploads");
    await setNetwork(page, { bytesPerSec: 1_000_000 });

    await choose(page, song("Slow Boat.wav", 20), song("Unwanted.wav", 20));
    await line(page, "Slow Boat.wav").getByRole("progressbar", { name: "Slow Boat.wav" }).waitFor();
    await tray(page).getByRole("button", { name: "Pause", exact: true }).click();
    await line(page, "Slow Boat.wav").getByText("Waiting").waitFor();
    await line(page, "Unwanted.wav").getByRole("button", { name: "Remove Unwanted.wav" }).click();
    await setNetwork(page, {});
    await tray(page).getByRole("button", { name: "Resume" }).click();
    await tray(page).getByText("1 of 1 uploaded").waitFor();
    await tray(page).getByRole("button", { name: "Hide uploads" }).click();

    await tray(page).waitFor({ state: "detached" });
    expect(await titles()).not.toContain("Unwanted");
    await close();
  });

  test("uploads are sent by one tab, though two have them", async () => {
    const { page, context, close } = await desk.open("/library/uploads");
    const other = await context.newPage();
    await other.goto("/library/uploads");
    await setNetwork(page, { bytesPerSec: 500_000 });
    const path = song("Only Once.wav", 10);
    let begun = 0;
    context.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/app/uploads")) begun++;
    });

    await choose(page, path);
    await line(page, "Only Once.wav").getByRole("progressbar").waitFor();
    await choose(other, path);
    await line(other, "Only Once.wav").getByText("Waiting").waitFor();
    await setNetwork(page, {});
    await line(page, "Only Once.wav").getByText("Done").waitFor();
    await line(other, "Only Once.wav").getByText("Already in the library: Only Once").waitFor();

    expect(begun).toBe(1);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("a file that belongs to a track", () => {
  test("a file that is in the library is named, and any other becomes a new version or a track, as its owner decides", async () => {
    const { page, errors, close } = await desk.open("/library/uploads");
    const first = song("Glass Harbour.wav");
    await choose(page, first);
    await tray(page).getByText("1 of 1 uploaded").waitFor();

    await choose(page, first);
    await tray(page).getByText("Already in the library: Glass Harbour").waitFor();
    await choose(page, song("Glass Harbour v2.wav"), song("Glass Harbour demo.wav"));
    const second = line(page, "Glass Harbour v2.wav");
    await second.getByText("Looks like a new version of Glass Harbour").waitFor();
    await line(page, "Glass Harbour demo.wav").getByText("Arrived").waitFor();
    await second.getByText("Arrived").waitFor();
    expect(await inspect(page, "console-uploads-offers-desktop")).toEqual([]);
    await second
      .getByRole("button", { name: "Make Glass Harbour v2.wav a new version of Glass Harbour" })
      .click();
    await page.getByText("Added a new version of Glass Harbour").waitFor();
    await page.getByRole("button", { name: "Make Glass Harbour demo.wav a new track" }).click();
    await tray(page).getByText("4 of 4 uploaded").waitFor();

    const rows = (await desk.signedIn(desk.account.token)("GET", "/app/tracks?q=glass")).body.data;
    expect(
      rows.map(({ title, versions }: { title: string; versions: number }) => [title, versions]).toSorted(),
    ).toEqual([
      ["Glass Harbour demo", 1],
      ["Glass Harbour", 2],
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  test("asks in every browser of its owner, and is decided in any of them", async () => {
    const { page, errors, close } = await desk.open("/library/uploads");
    await choose(page, song("Low Water.wav"));
    await tray(page).getByText("1 of 1 uploaded").waitFor();
    const other = await desk.open("/library");
    await choose(
      page,
      song("Low Water v2.wav"),
      song("Low Water v3.wav"),
      song("Low Water v4.wav"),
      song("Low Water v5.wav"),
    );

    const [second, third, fourth] = ["v2", "v3", "v4"].map((label) =>
      line(other.page, `Low Water ${label}.wav`),
    );
    await tray(other.page).getByText("4 files wait for your answer").waitFor();
    await second?.getByRole("button", { name: "Make Low Water v2.wav a new version of Low Water" }).click();
    await line(page, "Low Water v2.wav").getByText("Done").waitFor();
    await page.getByRole("button", { name: "Make Low Water v3.wav a new track" }).click();
    await third?.waitFor({ state: "detached" });
    await close();

    await other.page.reload();
    await fourth?.getByText("Looks like a new version of Low Water").waitFor();
    await other.page.goto("/library/uploads");
    await tray(other.page).getByRole("button", { name: "Hide uploads" }).click();
    const section = other.page.getByRole("region", { name: "New version or new track?" });
    await section.getByRole("listitem", { name: "Low Water v4.wav" }).waitFor();
    expect(await inspect(other.page, "console-uploads-waiting-desktop")).toEqual([]);
    await section.getByRole("button", { name: "Remove Low Water v4.wav" }).click();
    await other.page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
    await section.getByText("2 files look like new versions of tracks.").waitFor();
    await section.getByRole("button", { name: "All as new versions" }).click();
    await other.page.getByText("Added a new version of Low Water").nth(1).waitFor();

    const rows = (await desk.signedIn(desk.account.token)("GET", "/app/tracks?q=water")).body.data;
    expect(
      rows.map(({ title, versions }: { title: string; versions: number }) => [title, versions]).toSorted(),
    ).toEqual([
      ["Low Water v3", 1],
      ["Low Water", 4],
    ]);
    expect([...errors, ...other.errors]).toEqual([]);
    await other.close();
  });

  test("fits a phone", async () => {
    const { page, close } = await desk.open("/library/uploads", "phone");

    await choose(page, song("Paper Boats.wav"));
    await tray(page).getByText("1 of 1 uploaded").waitFor();
    await choose(page, song("Paper Boats v2.wav"), song("Paper Boats final mix.wav"));
    await tray(page).getByText("2 files look like new versions of tracks.").waitFor();

    expect(await inspect(page, "console-uploads-offers-phone")).toEqual([]);
    await tray(page).getByRole("button", { name: "All as new versions" }).click();
    await tray(page).getByText("3 of 3 uploaded").waitFor();
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("files dropped", () => {
  /** Drops files as a person does. */
  async function drop(page: Page, paths: string[], isLeft = false): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: paths, dragOperationsMask: 1 };
    for (const type of isLeft ? (["dragEnter", "dragOver"] as const) : (["drop"] as const))
      await session.send("Input.dispatchDragEvent", { type, x: 700, y: 500, data });
  }

  test("files dropped on a playlist go into it, in their order", async () => {
    const { body: made } = await desk.signedIn(desk.account.token)("POST", "/app/playlists", {
      name: "Spring selection",
    });
    const { id } = made.data;
    const { page, errors, close } = await desk.open(`/library/playlists/${id}`);
    await page.getByRole("heading", { name: "Spring selection", level: 1 }).waitFor();
    const paths = [song("3 Ash.wav"), song("1 Oak.wav", 4), song("2 Elm.wav")];

    await drop(page, paths, true);
    await page.getByText("Add to Spring selection").waitFor();
    await drop(page, paths);
    await page.getByText("Added to Spring selection").waitFor();
    await page.getByRole("row", { name: /^1 Oak/ }).waitFor();

    const { body } = await desk.signedIn(desk.account.token)("GET", `/app/playlists/${id}/tracks`);
    expect(body.data.map(({ title }: { title: string }) => title.replace(".wav", ""))).toEqual([
      "1 Oak",
      "2 Elm",
      "3 Ash",
    ]);
    expect(errors).toEqual([]);
    await close();
  });
});
