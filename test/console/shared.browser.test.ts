import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { BROWSER_PATH, inspect, launchBrowser } from "../pages/browser.ts";
import { createPocketServer, isRefused, keepList, kept, smallTargets, TITLES } from "./pocket-server.ts";
import { songFile } from "./songs.ts";

let server: Awaited<ReturnType<typeof createPocketServer>>;
let browser: Browser;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  [server, browser] = await Promise.all([createPocketServer(TITLES), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Shares a file as the device's share sheet does: by a form that opens the console. */
async function share(page: Page, name: string, seconds: number): Promise<void> {
  await page.evaluate(() => {
    const form = document.createElement("form");
    form.method = "post";
    form.enctype = "multipart/form-data";
    form.action = "/library/share";
    form.innerHTML = '<input type="file" name="files" id="shared">';
    document.body.append(form);
  });
  const file = songFile({ title: name, seconds }, 99);
  const buffer = Buffer.from(await file.arrayBuffer());
  await page.locator("#shared").setInputFiles({ name: `${name}.wav`, mimeType: "audio/wav", buffer });
  await page.evaluate(() => document.querySelector<HTMLInputElement>("#shared")?.form?.submit());
}

describe.skipIf(!BROWSER_PATH)("sharing into the console", () => {
  test("keeps 20 MB, also while the server is away, and sends them when somebody says so", async () => {
    const path = `/library/playlists/${server.listId}`;
    const { page, close, errors } = await server.open(browser, path, "phone");
    await keepList(page);

    await share(page, "Ferry v2", 640);
    const shared = page.getByRole("region", { name: "Shared with Dubplate" });
    await shared.getByText("Ferry v2.wav").waitFor();
    expect(await inspect(page, "shared-phone")).toEqual([]);
    // The inputs behind the buttons that choose files are hidden.
    expect((await smallTargets(page)).filter((each) => !each.startsWith("Choose "))).toEqual([]);
    expect(server.rows("SELECT name FROM tracks")).toHaveLength(TITLES.length);
    await shared.getByRole("button", { name: "Discard" }).click();
    await shared.waitFor({ state: "detached" });
    expect(await kept(page, "shared")).toEqual([]);

    await server.end();
    await share(page, "Tide", 640);
    await page.getByText("1 shared file: waiting for a connection").waitFor();
    expect(await inspect(page, "shared-offline-phone")).toEqual([]);
    const [row] = await kept(page, "shared");
    expect(row).toBeDefined();

    await server.start();
    await page.reload();
    await shared.getByText("Tide.wav").waitFor();
    await shared.getByRole("button", { name: "Add to the library" }).click();
    await page.getByRole("region", { name: "Uploads" }).getByText("1 of 1 uploaded").waitFor();
    expect(
      server.rows("SELECT size_bytes FROM versions ORDER BY created_at DESC LIMIT 1")[0].size_bytes,
    ).toBeGreaterThan(20e6);
    expect(await kept(page, "shared")).toEqual([]);
    expect(errors.filter((error) => !isRefused(error))).toEqual([]);
    await close();
  }, 180_000);

  test("says without a worker what to do", async () => {
    const { page, close } = await server.open(browser, "/library");

    await share(page, "Lost", 1);

    await page.getByText("Open Dubplate once, then share again.").waitFor();
    expect(new URL(page.url()).search).toBe("?shared=lost");
    await close();
  });

  test("asks before signing out, and leaves nothing of what was shared to whoever comes next", async () => {
    const { page, close } = await server.open(browser, `/library/playlists/${server.listId}`);
    await keepList(page);
    await share(page, "Demo", 1);
    await page.getByRole("region", { name: "Shared with Dubplate" }).waitFor();

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("1 shared file is not in your library yet, and will be lost.").waitFor();
    await question.getByRole("button", { name: "Sign out and remove" }).click();

    await page.waitForURL(/signin/);
    const databases = await page.evaluate(() => indexedDB.databases());
    expect(databases.map(({ name }) => name)).not.toContain("dubplate-pocket");
    await close();
  }, 180_000);
});
