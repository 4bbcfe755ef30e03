import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import {
  BROWSER_PATH,
  inspect,
  openWindow,
  startBrowser,
  type WatchedWindow,
  WINDOWS,
  type WindowName,
} from "../pages/browser.ts";
import { createProgram } from "../support/process.ts";
import { challengeOf, verifier } from "./client.ts";

const EMAIL = "someone@example.com";
const PASSWORD = "correct horse battery";

let program: ReturnType<typeof createProgram>;
let address: string;
let chrome: Browser;
const received: string[] = [];
/** A client of another origin that redirects to a third one, like clients with their own app. */
const app = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("You are connected.") });
const client = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    received.push(request.url);
    return new Response(null, { status: 307, headers: { location: `http://127.0.0.1:${app.port}/done` } });
  },
});

describe.skipIf(!BROWSER_PATH)("in a real browser", () => {
  beforeAll(async () => {
    program = createProgram({ RATE_LIMIT: "0" });
    ({ address } = await program.serve());
    await program.run(["account", "create", "--email", EMAIL, "--name", "Someone", "--password", PASSWORD]);
    chrome = await startBrowser();
  });
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

  /** Opens a client's address in a window, and signs in. */
  async function open(
    name: WindowName,
    clientName: string,
    options: { javaScriptEnabled?: boolean } = {},
  ): Promise<WatchedWindow> {
    const window = await openWindow(chrome, address, name, options);
    const { page } = window;
    await page.goto(await authorizeUrl(clientName));
    await page.getByLabel("E-mail address").fill(EMAIL);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: /into your library/ }).waitFor();
    return window;
  }

  test.each([true, false])(
    "consent leads to the client and on to its next page (JavaScript: %p)",
    async (javaScriptEnabled) => {
      const { page, errors, close } = await open("desktop", "Studio Helper", { javaScriptEnabled });

      await page.getByRole("button", { name: "Let it in" }).click();
      await page.getByText("You are connected.").waitFor();

      expect(new URL(received.at(-1) ?? "").searchParams.get("code")).toMatch(/^[\w-]{43}$/);
      expect(new URL(received.at(-1) ?? "").searchParams.get("state")).toBe("abc");
      expect(errors).toEqual([]);
      await close();
    },
  );

  test("refusal leads to the client too", async () => {
    const { page, close } = await open("desktop", "Studio Helper");

    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("You are connected.").waitFor();

    expect(new URL(received.at(-1) ?? "").searchParams.get("error")).toBe("access_denied");
    await close();
  });

  test.each(Object.keys(WINDOWS) as WindowName[])("the page is accessible, in a %s window", async (name) => {
    const { page, errors, foreign, close } = await open(name, "Studio Helper for Desktop");

    expect(await inspect(page, `consent-${name}`)).toEqual([]);
    const overflow = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(overflow).toBe(0);
    await page.goto(`${address}/oauth/authorize?client_id=unknown`);
    expect(await page.getByRole("heading").first().textContent()).toBe("This app cannot be let in");
    expect(await inspect(page, `consent-refused-${name}`)).toEqual([]);
    expect([errors, foreign]).toEqual([[], []]);
    await close();
  });
});
