import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { wavBytes } from "../media/wave-bytes.ts";
import { sine } from "../support/signals.ts";
import {
  BROWSER_PATH,
  createServedApp,
  inspect,
  openWindow,
  startBrowser,
  type WatchedWindow,
  type WindowName,
} from "./browser.ts";

type Served = Awaited<ReturnType<typeof createServedApp>>;

let app: Served;
let browser: Browser;
let owner: ReturnType<Served["signedIn"]>;
let briefId: string;
let publicPath: string;
let personalPath: string;
let opened: WatchedWindow[] = [];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  app = await createServedApp();
  browser = await startBrowser();
  const { token } = app.createAccount("mara@example.com");
  app.deps.db.$client.run("UPDATE accounts SET name = 'Mara Lindqvist'");
  owner = app.signedIn(token);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});
beforeEach(async () => {
  if (!BROWSER_PATH) return;
  const { body } = await owner("POST", "/app/briefs", {
    name: "Night drives: music for a short film",
    description:
      "Slow, warm electronic music for three scenes in a car at night.\n\nWhat we look for: 70 to 95 bpm, no lead vocals, " +
      "a clear beginning and end. Sketches are welcome.",
    status: "open",
    publicPage: true,
    deadline: "2026-03-31",
    contactEmail: "mara@example.com",
  });
  briefId = body.data.id;
  publicPath = new URL(body.data.publicUrl).pathname;
  const asked = await owner("POST", `/app/briefs/${briefId}/requests`, {
    email: "kim@example.com",
    message: "Your last record has been on here all winter. Have you got anything that is not out yet?",
  });
  personalPath = new URL(asked.body.data.link).pathname;
});
afterEach(async () => {
  const closing = opened;
  opened = [];
  for (const { close } of closing) await close();
});

async function open(path: string, name: WindowName, options: { javaScriptEnabled?: boolean } = {}) {
  const window = await openWindow(browser, app.origin, name, options);
  opened.push(window);
  await window.page.goto(path);
  return window;
}

const sound = (name: string, hertz: number, seconds = 1) => ({
  name,
  mimeType: "audio/wav",
  buffer: Buffer.from(
    wavBytes({ depth: "s16", sampleRateHz: 16_000, samples: [...sine(16_000, seconds, hertz)] }),
  ),
});
const choose = (page: Page, ...files: ReturnType<typeof sound>[]) =>
  page.locator("#field-files").setInputFiles(files);
const received = (page: Page, count: number) =>
  page
    .locator(".upload.done")
    .nth(count - 1)
    .waitFor();
const states = (page: Page) => page.locator(".upload-state").allTextContents();
const namesHeard = async (): Promise<string[]> => {
  const { body } = await owner("GET", `/app/briefs/${briefId}/submissions`);
  return body.data.map(
    ({ track, link }: { track: { name: string } | null; link: string }) => track?.name ?? link,
  );
};

/** Lets only half of a piece through, then breaks the connection, to fix what the server has received. */
function breakHalfway(seen: string[]) {
  return async (route: Route) => {
    const request = route.request();
    if (request.method() !== "PATCH") return route.continue();
    const offset = request.headers()["upload-offset"] ?? "";
    seen.push(offset);
    if (seen.length > 1) return route.continue();
    const bytes = request.postDataBuffer() ?? Buffer.alloc(0);
    const half = new Uint8Array(bytes.subarray(0, bytes.length / 2));
    const headers = {
      "tus-resumable": "1.0.0",
      "upload-offset": offset,
      "content-type": "application/offset+octet-stream",
    };
    await fetch(request.url(), { method: "PATCH", headers, body: half });
    return route.abort("connectionreset");
  };
}

describe.skipIf(!BROWSER_PATH)("submitting in a browser", () => {
  test("the time that is left goes on while the page is open", async () => {
    const { page, close } = await openWindow(browser, app.origin, "desktop");
    await page.clock.install();
    await page.goto(publicPath);
    const left = page.locator("#time-left");
    const days = async () => Number.parseInt((await left.textContent()) ?? "", 10);
    const before = await days();

    await page.clock.fastForward("48:00:00");

    expect([before > 60, before - (await days())]).toEqual([true, 2]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("a visitor submits two files and a link, %s", async (name) => {
    const { page, errors, foreign } = await open(publicPath, name);
    expect(await inspect(page, `submit-${name}`)).toEqual([]);

    await choose(page, sound("Ferry (rough mix).wav", 220), sound("Harbour, take 2.wav", 330));
    await received(page, 2);
    expect(await states(page)).toEqual(["Received, 32 KB", "Received, 32 KB"]);
    await page.getByLabel("Links, one per line").fill("https://example.com/listen");
    await page.getByLabel("Your name").fill("Kim Osei");
    await page.getByLabel("E-mail (optional)").fill("kim@example.com");
    await page.getByLabel("Message (optional)").fill("Two sketches and a finished one.");
    expect(await inspect(page, `submit-filled-${name}`)).toEqual([]);
    await page.getByRole("button", { name: "Send to Mara Lindqvist" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    expect(await inspect(page, `submit-thanks-${name}`)).toEqual([]);
    await page.reload();
    await page.getByRole("link", { name: "Your receipt" }).click();
    await page.getByRole("heading", { name: "What you sent" }).waitFor();
    expect(await inspect(page, `submit-receipt-${name}`)).toEqual([]);
    for (const words of [
      "Ferry (rough mix).wav 32 KB, received",
      "https://example.com/listen",
      "Two sketches and",
    ])
      expect(await page.getByText(words).count()).toBe(1);
    expect((await namesHeard()).toSorted()).toEqual([
      "Ferry (rough mix).wav",
      "Harbour, take 2.wav",
      "https://example.com/listen",
    ]);
    await page.goto(publicPath);
    expect(await page.locator(".upload").count()).toBe(0);
    expect([errors, foreign]).toEqual([[], []]);
  });

  test.each(["desktop", "phone"] as const)("the personal page of a recipient opens, %s", async (name) => {
    const { page, errors, foreign } = await open(personalPath, name);

    expect(await inspect(page, `submit-personal-${name}`)).toEqual([]);
    expect(await page.getByText("Have you got anything that is not out yet?").isVisible()).toBe(true);
    expect([errors, foreign]).toEqual([[], []]);
  });

  test("an upload resumes by itself after a lost connection", async () => {
    const { page } = await open(publicPath, "desktop");
    const offsets: string[] = [];
    await page.route("**/uploads/*", breakHalfway(offsets));

    const file = sound("long.wav", 220, 10);
    await choose(page, file);
    await received(page, 1);

    expect(offsets).toEqual(["0", String(file.buffer.length / 2)]);
  });

  test("a reload lists the files that were received, and the rest resumes when the file is chosen again", async () => {
    const { page } = await open(personalPath, "phone");
    // A file on disk, because its time of change is part of its identity.
    const path = join(app.deps.settings.dataDir, "long.wav");
    writeFileSync(path, sound("long.wav", 220, 10).buffer);
    await choose(page, sound("short.wav", 440));
    await received(page, 1);
    const offsets: string[] = [];
    // The browser gets no answer until the page is loaded again.
    await page.route("**/uploads/*", breakHalfway(offsets));
    const broken = page.waitForEvent("requestfailed");
    await page.locator("#field-files").setInputFiles(path);
    await broken;
    await page.unroute("**/uploads/*");

    await page.reload();
    await received(page, 1);
    await page.getByText("Choose this file again to continue").waitFor();
    expect((await states(page))[1]).toStartWith("50 % received.");
    expect(await inspect(page, "submit-reloaded-phone")).toEqual([]);
    await page.locator("#field-files").setInputFiles(path);
    await received(page, 2);
    await page.getByLabel("Your name").fill("Kim Osei");
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    expect((await namesHeard()).toSorted()).toEqual(["long.wav", "short.wav"]);
  });

  test("a refused file shows the reason beside it, and does not hold back the others", async () => {
    const { page, errors } = await open(publicPath, "phone");

    const notes = {
      name: "notes.wav",
      mimeType: "audio/wav",
      buffer: Buffer.from("Dear label, ".repeat(2000)),
    };
    const empty = { name: "empty.wav", mimeType: "audio/wav", buffer: Buffer.alloc(0) };
    await choose(page, sound("good.wav", 220), notes, empty);
    await received(page, 1);
    await page.locator(".upload.refused").nth(1).waitFor();
    await page.getByLabel("Your name").fill("Kim Osei");
    await page.getByRole("button", { name: /^Send/ }).click();
    const error = page.locator("#submit-error");

    expect(await page.locator(".upload.refused .upload-state").allTextContents()).toEqual([
      "notes.wav is not an audio file in a supported format.",
      "This file is empty.",
    ]);
    expect(await error.textContent()).toBe("notes.wav has not been received: choose it again, or remove it.");
    expect(await inspect(page, "submit-refused-phone")).toEqual([]);
    await page.getByRole("button", { name: "Remove notes.wav" }).click();
    await page.getByRole("button", { name: "Remove empty.wav" }).click();
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await namesHeard()).toEqual(["good.wav"]);
    expect(errors).toEqual([]);
  });

  test("a form sent during uploads waits for them", async () => {
    const { page } = await open(publicPath, "desktop");
    let goOn: () => void = () => undefined;
    const isHeld = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/uploads/*", async (route) => {
      if (route.request().method() === "PATCH") await isHeld;
      await route.continue();
    });

    await choose(page, sound("slow.wav", 220));
    await page.getByLabel("Your name").fill("Kim Osei");
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByRole("button", { name: "Waiting for the last file" }).waitFor();
    expect(await namesHeard()).toEqual([]);
    goOn();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    expect(await namesHeard()).toEqual(["slow.wav"]);
  });

  test("the page is an ordinary form without JavaScript", async () => {
    const { page, errors, foreign } = await open(publicPath, "phone", { javaScriptEnabled: false });

    await choose(page, sound("plain.wav", 220), sound("plainer.wav", 330));
    await page.getByLabel("Your name").fill("Kim Osei");
    await page.getByRole("button", { name: /^Send/ }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await page.getByRole("link", { name: "Your receipt" }).click();
    await page.locator(".received li").nth(1).waitFor();

    expect(await page.locator(".received li").allTextContents()).toEqual([
      "plain.wav 32 KB, received",
      "plainer.wav 32 KB, received",
    ]);
    expect((await namesHeard()).toSorted()).toEqual(["plain.wav", "plainer.wav"]);
    expect([errors, foreign]).toEqual([[], []]);
  });

  test("a closed brief says so", async () => {
    await owner("PATCH", `/app/briefs/${briefId}`, { status: "closed" });
    const { page } = await open(publicPath, "phone");

    expect(await inspect(page, "submit-closed-phone")).toEqual([]);
    expect(await page.getByRole("heading", { name: "Submissions are closed" }).isVisible()).toBe(true);
  });
});
