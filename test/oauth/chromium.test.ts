import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContextOptions, type Browser as Chromium, chromium, type Page } from "playwright-core";
import { createProgram } from "../support/process.ts";
import { challengeOf, verifier } from "./client.ts";

const EMAIL = "someone@example.com";
const PASSWORD = "correct horse battery";
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  existsSync,
);
const AXE = join(import.meta.dir, "../../node_modules/axe-core/axe.min.js");
/** Where to keep pictures of the pages; nowhere unless asked for. */
const { SCREENSHOTS } = process.env;
if (!EXECUTABLE)
  console.warn("Skipped: no Chromium found, so the consent page was not tried in a real browser");

let program: ReturnType<typeof createProgram>;
let address: string;
let chrome: Chromium;
const received: string[] = [];
/** A client of another origin that sends its people on to a third one, as those with an app of their own do. */
const app = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("You are connected.") });
const client = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    received.push(request.url);
    return new Response(null, { status: 307, headers: { location: `http://127.0.0.1:${app.port}/done` } });
  },
});

describe.skipIf(!EXECUTABLE)("in a real browser", () => {
  beforeAll(async () => {
    program = createProgram({ RATE_LIMIT: "0" });
    ({ address } = await program.serve());
    await program.run(["account", "create", "--email", EMAIL, "--name", "Someone", "--password", PASSWORD]);
    chrome = await chromium.launch({
      executablePath: EXECUTABLE ?? "",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
    });
  }, 60_000);
  afterAll(async () => {
    await chrome?.close();
    await program?.close();
    await Promise.all([client.stop(true), app.stop(true)]);
  });

  async function authorizeUrl(clientName: string): Promise<string> {
    const redirectUri = `http://127.0.0.1:${client.port}/callback`;
    const response = await fetch(`${address}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ redirect_uris: [redirectUri], client_name: clientName }),
    });
    const { client_id } = (await response.json()) as { client_id: string };
    const parameters = {
      response_type: "code",
      client_id,
      redirect_uri: redirectUri,
      code_challenge: challengeOf(verifier()),
      code_challenge_method: "S256",
      scope: "read:tracks update:tracks read:playlists create:playlists",
      state: "abc",
    };
    return `${address}/oauth/authorize?${new URLSearchParams(parameters)}`;
  }

  /** Opens a client's address and signs in. Collects what the browser complains about. */
  async function open(
    options: BrowserContextOptions,
    url: string,
  ): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await chrome.newContext(options)).newPage();
    const complaints: string[] = [];
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(url);
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: /into your library/ }).waitFor();
    return { page, complaints };
  }

  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  };

  test.each([true, false])(
    "saying yes leads to the client and on to wherever that sends (JavaScript: %p)",
    async (javaScriptEnabled) => {
      const { page, complaints } = await open({ javaScriptEnabled }, await authorizeUrl("Studio Helper"));

      await page.getByRole("button", { name: "Let it in" }).click();
      await page.getByText("You are connected.").waitFor();

      expect(new URL(received.at(-1) ?? "").searchParams.get("code")).toMatch(/^[\w-]{43}$/);
      expect(new URL(received.at(-1) ?? "").searchParams.get("state")).toBe("abc");
      expect(complaints).toEqual([]);
    },
    60_000,
  );

  test("saying no leads to the client too", async () => {
    const { page } = await open({}, await authorizeUrl("Studio Helper"));

    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("You are connected.").waitFor();

    expect(new URL(received.at(-1) ?? "").searchParams.get("error")).toBe("access_denied");
  }, 60_000);

  test.each([
    ["phone, light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }],
    ["phone, dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }],
    ["desktop, light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
    ["desktop, dark", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
  ] as const)(
    "everybody can read and use the page (%s)",
    async (name, options) => {
      // The page lets no foreign script in; the checker needs a door of its own.
      const { page } = await open(
        { ...options, bypassCSP: true },
        await authorizeUrl("Studio Helper for Desktop"),
      );
      await shoot(page, `consent, ${name}`);
      await page.addScriptTag({ path: AXE });

      const violations = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, help }) => [id, help]))",
      );
      const overflow = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );

      expect(violations).toEqual([]);
      expect(overflow).toBe(0);
    },
    60_000,
  );

  test("an app that cannot be let in is explained", async () => {
    const { page } = await open({}, await authorizeUrl("Studio Helper"));
    await page.goto(`${address}/oauth/authorize?client_id=unknown`);

    await shoot(page, "refused");

    expect(await page.getByRole("heading").first().textContent()).toBe("This app cannot be let in");
  }, 60_000);
});
