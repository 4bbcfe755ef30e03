import { describe, expect, test } from "bun:test";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { createBrowser } from "../oauth/browser.ts";
import { challengeOf, REDIRECT, register, verifier } from "../oauth/client.ts";
import { createTestApp } from "../support/app.ts";
import { sine } from "../support/signals.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { BROWSER_PATH, createServedApp, inspect, openWindow, startBrowser } from "./browser.ts";
import { createVisitor } from "./visitor.ts";

const PASSWORD = "correct horse battery";
const NAME = "studio.local";

describe("a server opened by a name or address of the local network", () => {
  test.each([
    ["a name", "http://studio.local:4747"],
    ["an address", "http://192.168.1.5:4747"],
    ["an address of version 6", "http://[fd00::5]:4747"],
    ["a name behind a proxy that ends TLS", "https://music.example"],
  ])("signs in at %s", async (_, origin) => {
    const app = await createTestApp({ settings: { host: "0.0.0.0" } });
    const { email } = app.createAccount();
    const visitor = createVisitor(app, "192.168.1.20", origin);

    const answer = await visitor.post("/signin", { email, password: PASSWORD });

    expect([answer.status, answer.location]).toEqual([303, "/"]);
    expect(answer.headers.get("set-cookie")?.endsWith("; Secure")).toBe(origin.startsWith("https:"));
    expect((await visitor.open("/")).location).toBe("/library");
    expect((await visitor.post("/signout", {})).location).toBe("/signin");
    await app.close();
  });

  test("signs in there even if PUBLIC_URL is https, and stays signed in", async () => {
    const app = await createTestApp({ settings: { publicUrl: "https://music.example" } });
    const { email, accountId, token } = app.createAccount();
    const track = addTrackRows(app.deps.db, accountId, { measured: {} });
    const shared = await app.signedIn(token)("POST", "/app/shares", { trackId: track.id, maxUses: 1 });
    const path = new URL(shared.body.data.url).pathname;
    const atHome = createVisitor(app, "192.168.1.20", "http://studio.local:4747");
    const outside = createVisitor(app, "203.0.113.9", "https://music.example");

    const [signedIn, abroad] = [
      await atHome.post("/signin", { email, password: PASSWORD }),
      await outside.post("/signin", { email, password: PASSWORD }),
    ];
    const visit = await createVisitor(app, "192.168.1.20", "http://studio.local:4747").open(path);

    expect(signedIn.headers.get("set-cookie")).not.toContain("Secure");
    expect(abroad.headers.get("set-cookie")).toEndWith("; Secure");
    expect(visit.headers.get("set-cookie")).toStartWith("dubplate_visit=");
    expect(visit.headers.get("set-cookie")).not.toContain("Secure");
    await app.close();
  });

  test.each([
    ["another host", "http://evil.example:4747"],
    ["another port of the same host", "http://192.168.1.5:8080"],
    ["a host with the same beginning", "http://192.168.1.50:4747"],
    ["an invalid origin", "http://192.168.1.5:4747/"],
    ["another scheme", "ftp://192.168.1.5:4747"],
    ["https, which this server does not speak", "https://192.168.1.5:4747"],
  ])("refuses a form from %s, and names the setting to change", async (_, origin) => {
    const app = await createTestApp({ settings: { host: "0.0.0.0" } });
    const { email } = app.createAccount();
    const visitor = createVisitor(app, "192.168.1.20", "http://192.168.1.5:4747");

    const page = await visitor.post("/signin", { email, password: PASSWORD }, { origin });

    expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect(page.text).toContain("PUBLIC_URL");
    expect(page.headers.getSetCookie()).toEqual([]);
    await app.close();
  });

  test("takes the word of a proxy for https", async () => {
    const app = await createTestApp({ settings: { host: "0.0.0.0" } });
    const { email } = app.createAccount();
    const visitor = createVisitor(app, "192.168.1.20", "http://music.example");
    const signIn = (headers: Record<string, string>) =>
      visitor.post("/signin", { email, password: PASSWORD }, { origin: "https://music.example", ...headers });

    expect((await signIn({})).status).toBe(403);
    expect((await signIn({ "x-forwarded-proto": "https" })).status).toBe(303);
    await app.close();
  });

  test("accepts changes with the cookie only from its own pages", async () => {
    const app = await createTestApp({ settings: { host: "0.0.0.0" } });
    const { token } = app.createAccount();
    const change = (origin: string) =>
      app.request("http://192.168.1.5:4747/app/briefs", {
        method: "POST",
        headers: { origin, cookie: `dubplate_session=${token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "Night drives" }),
      });

    const [own, other] = [await change("http://192.168.1.5:4747"), await change("http://192.168.1.5:8080")];

    expect([own.status, other.status]).toEqual([200, 403]);
    await app.close();
  });

  test("authorises a program on its consent page", async () => {
    const app = await createTestApp({ settings: { host: "0.0.0.0" } });
    const { email } = app.createAccount();
    const { body } = await register(app, { redirect_uris: [REDIRECT], client_name: "Studio Helper" });
    const origin = "http://studio.local:4747";
    const browser = createBrowser(origin, (url, init) => app.request(url, init));
    const parameters = new URLSearchParams({
      response_type: "code",
      client_id: body.client_id,
      redirect_uri: REDIRECT,
      code_challenge: challengeOf(verifier()),
      code_challenge_method: "S256",
      scope: "read:tracks",
    });

    const signIn = await browser.load(`${origin}/oauth/authorize?${parameters}`);
    const consent = await browser.submit(signIn, { email, password: PASSWORD });
    const back = await browser.submit(consent, { decision: "allow" });

    expect(consent.text).toContain("Studio Helper");
    expect(back.url).toStartWith(`${REDIRECT}?code=`);
    await app.close();
  });
});

describe.skipIf(!BROWSER_PATH)(`a browser that opens http://${NAME}`, () => {
  test("walks from the set-up page to a shared track with its password and a comment, and a submission", async () => {
    const app = await createServedApp({ host: "0.0.0.0" }, undefined, "K7QF2-M9XTB");
    const origin = app.origin.replace("127.0.0.1", NAME);
    const browser = await startBrowser(`--host-resolver-rules=MAP ${NAME} 127.0.0.1`);
    const { page, context, close, errors, foreign } = await openWindow(browser, origin, "phone");

    await page.goto("/");
    await page.getByLabel("Set-up code").fill("K7QF2-M9XTB");
    await page.getByLabel("Your name").fill("Mara");
    await page.getByLabel("E-mail address").fill("mara@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Library" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("E-mail address").fill("mara@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Library" }).waitFor();

    const account = getAccountByEmail(app.deps, "mara@example.com");
    const { token } = beginSession(app.deps, account, { ip: "test", userAgent: null });
    const track = addTrackRows(app.deps.db, account.id, { title: "Night Ferry", measured: {} });
    const owner = app.signedIn(token);
    const settings = { trackId: track.id, password: "sesame", allowComments: true };
    const share = await owner("POST", "/app/shares", settings);
    await context.clearCookies();
    await page.goto(new URL(share.body.data.url).pathname);
    expect(await page.getByRole("heading", { name: "A private link" }).count()).toBe(1);
    await page.getByLabel("Password").fill("sesame");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Night Ferry" }).waitFor();
    await page.getByLabel("Your name").fill("Ines");
    await page.getByRole("textbox", { name: "Comment" }).fill("More bass?");
    await page.getByRole("button", { name: "Send comment" }).click();
    await page.locator(".comment-text", { hasText: "More bass?" }).waitFor();

    const brief = await owner("POST", "/app/briefs", {
      name: "Night drives",
      status: "open",
      publicPage: true,
    });
    await page.goto(new URL(brief.body.data.publicUrl).pathname);
    const bytes = wavBytes({ depth: "s16", sampleRateHz: 8000, samples: [...sine(8000, 1, 220)] });
    await page
      .locator("#field-files")
      .setInputFiles([{ name: "sketch.wav", mimeType: "audio/wav", buffer: Buffer.from(bytes) }]);
    await page.locator(".upload.done").waitFor();
    await page.getByLabel("Your name").fill("Kim");
    await page.getByRole("button", { name: "Send to Mara" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();

    expect([errors, foreign]).toEqual([[], []]);
    await close();
    await browser.close();
    await app.close();
  });

  test("shows why a form is refused behind a proxy that uses its own host name, and what to set", async () => {
    const app = await createServedApp();
    app.createAccount();
    const proxy = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const headers = new Headers(request.headers);
        headers.delete("host");
        headers.set("accept-encoding", "identity");
        const { method } = request;
        const body = method === "POST" ? await request.text() : null;
        return fetch(app.origin + pathname, { method, headers, body, redirect: "manual" });
      },
    });
    const origin = `http://${NAME}:${proxy.port}`;
    const browser = await startBrowser(`--host-resolver-rules=MAP ${NAME} 127.0.0.1`);
    const { page, close } = await openWindow(browser, origin, "phone");
    await page.goto("/signin");
    await page.getByLabel("E-mail address").fill("a@example.com");
    await page.getByLabel("Password").fill("x");
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByText("PUBLIC_URL").waitFor();
    expect(await page.locator(".lead").textContent()).toContain(origin);
    expect(await inspect(page, "refused-origin-phone")).toEqual([]);
    await close();
    await browser.close();
    await proxy.stop(true);
    await app.close();
  });
});
