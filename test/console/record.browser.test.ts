import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import {
  BROWSER_PATH,
  createServedApp,
  inspect,
  launchBrowser,
  openWindow,
  type WindowName,
} from "../pages/browser.ts";
import { until } from "./console.ts";

const MICROPHONE = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"];

/** Browsers record AAC or Opus in MP4. */
const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path;

describe.skipIf(!BROWSER_PATH || !FFMPEG)("The recorder", () => {
  let app: Awaited<ReturnType<typeof createServedApp>>;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let account: ReturnType<typeof app.createAccount>;
  beforeAll(async () => {
    app = await createServedApp({}, FFMPEG);
    browser = await launchBrowser(...MICROPHONE);
    account = app.createAccount("mara@example.com");
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  async function openUploads(name: WindowName) {
    const window = await openWindow(browser, app.origin, name);
    await window.context.addCookies([
      { name: "dubplate_session", value: account.token, domain: "127.0.0.1", path: "/", httpOnly: true },
    ]);
    await window.page.goto("/library/uploads");
    return window;
  }
  const begin = async (page: Page) => {
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("button", { name: "Start recording" }).click();
    await page.getByRole("timer").getByText("0:02").waitFor();
  };
  /** The tracks of the library by their files' names, with their lengths. */
  const lengths = async (): Promise<Record<string, number | null>> => {
    await app.drainJobs();
    const { body } = await app.signedIn(account.token)("GET", "/app/tracks?limit=50");
    return Object.fromEntries(
      body.data.map((row: { title: string; durationSec: number | null }) => [row.title, row.durationSec]),
    );
  };

  /** Moves what was recorded to the database in which earlier consoles kept it. Returns how many parts it has. */
  const asKeptBefore = (page: Page): Promise<number> =>
    page.evaluate(async () => {
      const resultOf = <Value>(request: IDBRequest<Value>) =>
        new Promise<Value>((resolve) => {
          request.onsuccess = () => resolve(request.result);
        });
      const now = await resultOf(indexedDB.open("dubplate-bytes"));
      const kept = now.transaction("files", "readwrite").objectStore("files");
      const [keys, values] = await Promise.all([resultOf(kept.getAllKeys()), resultOf(kept.getAll())]);
      kept.clear();
      now.close();
      const opening = indexedDB.open("dubplate-recordings", 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore("recordings", { keyPath: "id" });
        opening.result.createObjectStore("parts", { keyPath: ["id", "number"] });
      };
      const before = await resultOf(opening);
      const former = before.transaction(["recordings", "parts"], "readwrite");
      for (const [at, key] of keys.entries()) {
        const [kind, id, number] = key as string[];
        if (kind === "recording") former.objectStore("recordings").put(values[at]);
        else former.objectStore("parts").put({ id, number, bytes: values[at] });
      }
      await new Promise((resolve) => {
        former.oncomplete = resolve;
      });
      before.close();
      return keys.length - 1;
    });

  test.each(["desktop", "phone"] as const)(
    "records, lets listen back and adds it to the library, on a %s",
    async (name) => {
      const { page, errors, close } = await openUploads(name);
      const title = `Idea of a ${name}`;
      await begin(page);
      expect(await inspect(page, `console-record-running-${name}`)).toEqual([]);
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await page.getByRole("status").getByText("Paused").waitFor();
      await page.getByRole("button", { name: "Go on" }).click();
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByLabel("What was recorded").waitFor();
      expect(await inspect(page, `console-record-done-${name}`)).toEqual([]);
      await page.getByRole("textbox", { name: "Name" }).fill(title);
      await page.getByRole("button", { name: "Add to the library" }).click();

      await until(async () => ((await lengths())[title] ?? 0) > 1.5, true);
      await page.getByText("Recordings on this device").waitFor({ state: "detached" });
      expect(errors).toEqual([]);
      await close();
    },
  );

  test("a recording whose tab was closed in the middle waits on the device, and can be added", async () => {
    const { page, context, close } = await openUploads("phone");
    await begin(page);
    await page.getByRole("timer").getByText("0:05").waitFor();
    await page.close();

    const again = await context.newPage();
    await again.goto("/library/settings/profile");
    expect(await asKeptBefore(again)).toBeGreaterThan(1);
    await again.goto("/library/uploads");
    const left = again.getByRole("region", { name: "Recordings on this device" });
    await left.waitFor();
    expect(await inspect(again, "console-record-left")).toEqual([]);
    const before = Object.keys(await lengths()).length;
    await left.getByRole("button", { name: /^Add Recording/ }).click();

    await left.waitFor({ state: "detached" });
    const now = await lengths();
    expect(Object.keys(now).length).toBe(before + 1);
    expect(Object.entries(now).find(([title]) => title.startsWith("Recording"))?.[1]).toBeGreaterThan(1.5);
    await close();
  });

  test("says what to do when the microphone is refused", async () => {
    const { page, close } = await openUploads("desktop");
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException("Permission denied", "NotAllowedError"));
    });
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByRole("button", { name: "Start recording" }).click();

    await page
      .getByRole("alert")
      .getByText(/^The browser does not let Dubplate use the microphone/)
      .waitFor();
    await close();
  });

  test("no page but the console may ask for the microphone", async () => {
    const policyOf = async (path: string, token?: string) =>
      (
        await app.request(
          path,
          token === undefined ? {} : { headers: { cookie: `dubplate_session=${token}` } },
        )
      ).headers.get("permissions-policy");

    expect(await policyOf("/library/uploads", account.token)).toContain("microphone=(self)");
    for (const path of ["/signin", "/library/offline", "/library/uploads"])
      expect(await policyOf(path)).toContain("microphone=()");
  });
});
