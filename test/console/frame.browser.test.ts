import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect, openWindow } from "../pages/browser.ts";
import { createConsole, PASSWORD } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (BROWSER_PATH) desk = await createConsole();
});
afterAll(() => desk?.close());

describe.skipIf(!BROWSER_PATH)("the frame", () => {
  test("signing in leads to the frame", async () => {
    const { page, errors, foreign, close } = await openWindow(desk.browser, desk.origin, "desktop");

    await page.goto("/library/playlists");
    await page.getByLabel("E-mail").fill("mara@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    expect(new URL(page.url()).pathname).toBe("/library");
    expect([errors, foreign]).toEqual([[], []]);
    await close();
  });

  test("leads to every screen, and says where one is", async () => {
    const { page, errors, close } = await desk.open();
    const main = page.getByRole("navigation", { name: "Main" });
    for (const name of ["Search", "Playlists", "Links", "Uploads", "Library"]) {
      await main.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();

      expect(await page.title()).toBe(`${name} · Dubplate`);
      expect(await page.locator("h1:focus").textContent()).toBe(name);
      expect(await main.locator("[aria-current=page]").allTextContents()).toEqual([name]);
    }
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Uploads" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("has the font of the pages that visitors see", async () => {
    const { page, errors, close } = await desk.open();
    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();

    const loaded =
      "[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)";
    expect(await page.evaluate(`document.fonts.ready.then(() => ${loaded})`)).toContain("Figtree");
    expect(errors).toEqual([]);
    await close();
  });

  test("shows the keys, which can be switched off", async () => {
    const { page, close } = await desk.open();

    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await dialog.getByText("Command palette").waitFor();
    expect(await inspect(page, "console-keys")).toEqual([]);
    await dialog.getByRole("switch", { name: "Single-letter shortcuts" }).click();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Command palette" }).waitFor();

    expect(new URL(page.url()).pathname).toBe("/library");
    await close();
  });

  test("finds screens and commands in the palette", async () => {
    const { page, close } = await desk.open();

    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Type a command or search" });
    await field.fill("playlists");
    await page.getByRole("option", { name: "Playlists" }).waitFor();
    expect(await inspect(page, "console-palette")).toEqual([]);
    await field.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("warm piano for rain");
    await page.getByRole("option", { name: "Search by description" }).click();

    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
    expect(new URL(page.url()).search).toBe("?q=warm+piano+for+rain");
    await close();
  });

  test("signs out from the account menu", async () => {
    const { page, context, close } = await desk.open();

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/signin");

    expect(await context.cookies()).toEqual([]);
    const { token } = await signIn();
    desk.account.token = token;
    await close();
  });

  test.each(["desktop", "phone"] as const)("has nothing that axe finds on a %s", async (name) => {
    for (const screen of [
      "",
      "/search",
      "/playlists",
      "/links",
      "/uploads",
      "/deleted",
      "/welcome",
      "/nothing",
    ]) {
      const { page, errors, close } = await desk.open(`/library${screen}`, name);
      await page.getByRole("navigation", { name: "Main" }).waitFor();

      const found = await inspect(page, `console-${name}${screen.replace("/", "-")}`);

      expect([screen, found, errors]).toEqual([screen, [], []]);
      await close();
    }
  });
});

async function signIn(): Promise<{ token: string }> {
  const response = await desk.request("/auth/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "mara@example.com", password: PASSWORD }),
  });
  return ((await response.json()) as { data: { token: string } }).data;
}
