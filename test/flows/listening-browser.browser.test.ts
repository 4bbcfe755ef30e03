import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { eq } from "drizzle-orm";
import { versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { tone, wavBytes } from "../media/wave-bytes.ts";
import { BROWSER_PATH, createServedApp, openWindow, startBrowser } from "../pages/browser.ts";
import { BROWSER } from "../pages/visitor.ts";
import { addTrackRows } from "../support/track-rows.ts";

/** The default user agent of a headless browser counts as a bot. */
const AS_A_PERSON = { javaScriptEnabled: true, userAgent: BROWSER };
const RATE_HZ = 8000;
const DURATION_SEC = 4;

let app: Awaited<ReturnType<typeof createServedApp>>;
beforeAll(async () => {
  app = await createServedApp();
});
afterAll(() => app.close());

test.skipIf(!BROWSER_PATH)(
  "a browser that shows a page and plays its track leaves a view and a play",
  async () => {
    const { accountId, token } = app.createAccount();
    const track = addTrackRows(app.deps.db, accountId, { measured: { durationSec: DURATION_SEC } });
    placeTone(track.versionId);
    const { body } = await app.signedIn(token)("POST", "/app/shares", { trackId: track.id });
    const browser = await startBrowser();
    const { page, close, errors } = await openWindow(browser, app.origin, "desktop", AS_A_PERSON);
    const seen = page.waitForResponse((answer) => answer.url().endsWith("/seen"));
    const heard = page.waitForResponse(
      (answer) => answer.url().includes("/heard/") && /-[34]\.\d$/.test(answer.request().postData() ?? ""),
    );

    await page.goto(new URL(body.data.url).pathname);
    expect((await seen).status()).toBe(204);
    await page.locator("#play").click();
    expect((await heard).status()).toBe(204);

    await close();
    await browser.close();
    app.app.counting.flush();
    const api = app.as(app.createKey(accountId));
    const { stats } = (await api("GET", `/analytics/stats?entity=track&ids=${track.id}`)).body.data.items[0];
    expect(errors).toEqual([]);
    expect(stats).toMatchObject({ views: 1, plays: 1, downloads: 0 });
  },
);

/** Makes a tone the only version's file. */
function placeTone(versionId: string): void {
  const samples = tone(RATE_HZ, RATE_HZ * DURATION_SEC);
  const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples });
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const path = blobPath(app.deps.settings, sha256);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const change = { sha256, sizeBytes: bytes.length, mediaType: "audio/wav" };
  app.deps.db.update(versions).set(change).where(eq(versions.id, versionId)).run();
}
