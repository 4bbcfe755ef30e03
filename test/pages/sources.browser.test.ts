import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../src/kernel/time.ts";
import { FFMPEG, fixture } from "../media/media-files.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { BROWSER_PATH, createServedApp, openWindow, startBrowser } from "./browser.ts";
import { attributesOf, BROWSER, createVisitor } from "./visitor.ts";

const RATE_HZ = 22_050;
const SECONDS = 4;
const AS_A_PERSON = { javaScriptEnabled: true, userAgent: BROWSER };
/** An iPhone's headers for media: another user agent than for pages, and an Accept for anything. */
const IPHONE = {
  "user-agent": "AppleCoreMedia/1.0.0.21E236 (iPhone; U; CPU OS 17_4 like Mac OS X; en_us)",
  accept: "*/*",
};
/** Makes a browser report that it cannot play Ogg. */
const WITHOUT_OGG =
  "const can = HTMLMediaElement.prototype.canPlayType; HTMLMediaElement.prototype.canPlayType = function (type) { return /ogg/.test(type) ? '' : can.call(this, type); };";

let app: Awaited<ReturnType<typeof createServedApp>>;
let account: ReturnType<typeof app.createAccount>;
beforeAll(async () => {
  app = await createServedApp({}, FFMPEG?.path);
  account = app.createAccount();
});
afterAll(() => app.close());

const WAV = wavBytes([sine(RATE_HZ, SECONDS, 440)], RATE_HZ, 16);

async function share(bytes: Uint8Array, name: string) {
  const form = new FormData();
  form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], name));
  const key = app.createKey(account.accountId);
  const trackId: string = (await app.as(key)("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await app.drainJobs();
  const { body } = await app.signedIn(account.token)("POST", "/app/shares", { trackId });
  const path = new URL(body.data.url).pathname;
  const stats = async () => {
    app.app.counting.flush();
    const answer = await app.as(key)("GET", `/analytics/stats?entity=track&ids=${trackId}`);
    return answer.body.data.items[0].stats;
  };
  return { id: body.data.id as string, path, stats };
}

async function addressesOf(path: string) {
  const { text } = await createVisitor(app).open(path);
  return { text, first: attributesOf(text, "data-src")[0] ?? "", second: attributesOf(text, "data-else")[0] };
}

describe.skipIf(!FFMPEG)("the audio of a link's page", () => {
  test("is Ogg first, and AAC for browsers that cannot play it, with a script and without", async () => {
    const { text, first, second = "" } = await addressesOf((await share(WAV, "Night Bus.wav")).path);

    const [ogg, aac] = [await app.request(first), await app.request(second)];

    expect([ogg.headers.get("content-type"), aac.headers.get("content-type")]).toEqual([
      "audio/ogg",
      "audio/mp4",
    ]);
    expect(Buffer.from(await ogg.bytes()).toString("latin1", 28, 36)).toBe("OpusHead");
    expect(Buffer.from(await aac.bytes()).toString("latin1", 4, 11)).toBe("ftypM4A");
    expect(attributesOf(text, "data-type")).toEqual(["audio/ogg; codecs=opus"]);
    const plain = text.slice(text.indexOf("<audio"), text.indexOf("</audio>"));
    expect(attributesOf(plain, "type")).toEqual(["audio/ogg; codecs=opus", "audio/mp4"]);
    expect(attributesOf(plain, "src")).toEqual([`${first}&plain`, `${second}&plain`]);
  });

  test.each([
    ["Accept: audio/mp4", { accept: "audio/mp4" }, "audio/mp4"],
    ["an iPhone", IPHONE, "audio/mp4"],
    [
      "Firefox",
      { accept: "audio/webm,audio/ogg,audio/wav,audio/*;q=0.9,application/ogg;q=0.7,*/*;q=0.5" },
      "audio/ogg",
    ],
    ["Chrome", { accept: "*/*" }, "audio/ogg"],
    ["a client without a preference", {}, "audio/ogg"],
  ])(
    "is chosen by the request if the address names no format: %s",
    async (_, headers: Record<string, string>, type) => {
      const { first } = await addressesOf((await share(WAV, "Night Bus.wav")).path);
      const address = first.replace(/&as=\w+/, "");

      const whole = await app.request(address, { headers });
      const part = await app.request(address, { headers: { ...headers, range: "bytes=0-1" } });

      expect(whole.headers.get("content-type")).toBe(type);
      expect(whole.headers.get("vary")).toContain("accept");
      expect([part.status, part.headers.get("content-type"), (await part.bytes()).length]).toEqual([
        206,
        type,
        2,
      ]);
      const etag = whole.headers.get("etag") ?? "";
      const again = await app.request(address, { headers: { ...headers, "if-none-match": etag } });
      expect(again.status).toBe(304);
    },
  );

  test("a link that ends takes its audio with it, in every format", async () => {
    const { id, path } = await share(WAV, "Night Bus.wav");
    const { first, second = "" } = await addressesOf(path);
    const forged = second.replace(/s=[^&]+/, "s=AAAA");

    const before = [await app.request(forged), await app.request(second.replace("/listen/", "/download/"))];
    await app.signedIn(account.token)("DELETE", `/app/shares/${id}`);
    const after = [await app.request(first), await app.request(second)];

    expect(before.map(({ status }) => status)).toEqual([403, 403]);
    expect(after.map(({ status }) => status)).toEqual(after.map(() => after[0]?.status ?? 0));
    expect(after[1]?.ok).toBe(false);
  });

  test("works for a day", async () => {
    const { second = "" } = await addressesOf((await share(WAV, "Night Bus.wav")).path);
    expect((await app.request(second)).status).toBe(200);

    app.clock.advance(DAY_MS + DAY_MS / 24);

    expect((await app.request(second)).status).toBe(403);
  });

  test.each(["tone.ogg", "tone.opus"])("is %s itself, and also AAC", async (name) => {
    const bytes = await Bun.file(fixture(name)).bytes();
    const { first, second = "" } = await addressesOf((await share(bytes, name)).path);

    expect(await (await app.request(first)).bytes()).toEqual(new Uint8Array(bytes));
    expect((await app.request(second)).headers.get("content-type")).toBe("audio/mp4");
  });
});

test("an MP3 is offered as it is, with and without ffmpeg", async () => {
  const { text, first, second } = await addressesOf(
    (await share(await Bun.file(fixture("tone.mp3")).bytes(), "tone.mp3")).path,
  );

  expect([first.includes("&as="), second]).toEqual([false, undefined]);
  expect((await app.request(first, { headers: IPHONE })).headers.get("content-type")).toBe("audio/mpeg");
  expect(text).not.toContain("<source");
});

describe.skipIf(!FFMPEG || !BROWSER_PATH)("in a browser", () => {
  test.each([
    ["that plays Ogg gets Ogg", "", "audio/ogg"],
    ["that cannot play Ogg, as older Safari, gets AAC", WITHOUT_OGG, "audio/mp4"],
  ])("a browser %s, and the play counts", async (_, script, type) => {
    const { path, stats } = await share(WAV, "Night Bus.wav");
    const browser = await startBrowser();
    const { page, close, errors } = await openWindow(browser, app.origin, "desktop", AS_A_PERSON);
    await page.addInitScript(script);
    const listened = page.waitForResponse((answer) => answer.url().includes("/listen/"));
    const heard = page.waitForResponse(
      (answer) => answer.url().includes("/heard/") && /-[34]\.\d$/.test(answer.request().postData() ?? ""),
    );

    await page.goto(path);
    await page.locator("#play").click();

    expect((await listened).headers()["content-type"]).toBe(type);
    expect((await heard).status()).toBe(204);
    expect(await stats()).toMatchObject({ plays: 1 });
    expect(errors).toEqual([]);
    await close();
    await browser.close();
  });

  test("a browser that got AAC gets AAC again after two days", async () => {
    const { path } = await share(WAV, "Night Bus.wav");
    const browser = await startBrowser();
    const { page, close } = await openWindow(browser, app.origin, "desktop", AS_A_PERSON);
    await page.addInitScript(WITHOUT_OGG);
    await page.goto(path);
    app.clock.advance(2 * DAY_MS);

    const listened = page.waitForResponse((answer) => answer.url().includes("/listen/") && answer.ok());
    await page.locator("#play").click();

    expect((await listened).headers()["content-type"]).toBe("audio/mp4");
    await page.locator("#elapsed", { hasText: "0:01" }).waitFor();
    await close();
    await browser.close();
  });

  test("a browser without JavaScript picks Ogg from the two formats of the page", async () => {
    const { path } = await share(WAV, "Night Bus.wav");
    const browser = await startBrowser();
    const { page, close } = await openWindow(browser, app.origin, "desktop", {
      ...AS_A_PERSON,
      javaScriptEnabled: false,
    });
    await page.goto(path);

    await page.locator("audio").focus();
    const listened = page.waitForResponse((answer) => answer.url().includes("/listen/"));
    await page.keyboard.press("Space");

    expect((await listened).headers()["content-type"]).toBe("audio/ogg");
    await close();
    await browser.close();
  });
});
