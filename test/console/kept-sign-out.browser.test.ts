import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { createConsole, until } from "./console.ts";
import { anotherSession, keepList, keptIn } from "./kept.ts";
import { kept, putBack } from "./pocket-server.ts";
import { addSongs } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let listId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const api = desk.as(desk.createKey(desk.account.accountId));
  const trackIds = await addSongs(desk, [{ title: "Harbour", seconds: 4 }]);
  const visible = { where: { ids: trackIds }, do: { visible: true } };
  await desk.signedIn(desk.account.token)("POST", "/app/tracks/bulk", visible);
  listId = (await api("POST", "/playlists", { name: "Night drive", trackIds })).body.data.playlist.id;
});
afterAll(() => desk?.close());

/** Leaves a comment on the device that is not to be sent yet. */
async function leaveComment(page: Page, text: string): Promise<void> {
  const [{ root, accountId, libraryId }] = (await kept(page, "devices")) as [Json];
  const [{ trackId }] = (await kept(page, "tracks")) as [Json];
  const item = { kind: "comment", id: crypto.randomUUID(), trackId, text, at: new Date().toISOString() };
  const key = [root, accountId, libraryId, item.id].join("\n");
  await putBack(page, [{ key, item, title: "Harbour", growsUntil: Date.now() + 29_000, refusal: null }]);
}

describe.skipIf(!BROWSER_PATH)("Signing out on a device that keeps music", () => {
  const QUESTION = "Sign out and remove 1 track from this device?";

  test("asks first, leaves nothing, and withdraws the device", async () => {
    const token = anotherSession(desk);
    const { page, errors, close } = await desk.open(`/library/playlists/${listId}`, "phone", token);
    await keepList(page, 1);
    await leaveComment(page, "The bass comes too early");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const dialog = page.getByRole("alertdialog", { name: QUESTION });
    await dialog.getByText("1 comment has not been sent yet, and will be lost.").waitFor();
    expect(await inspect(page, "kept-sign-out")).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const { audio, device } = await keptIn(page);
    expect(Object.keys(audio).length).toBe(1);

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await dialog.getByRole("button", { name: "Sign out and remove" }).click();
    await page.waitForURL("**/signin*");
    expect((await keptIn(page)).stores).toEqual([]);
    const devices = desk.deps.db.$client.query("SELECT withdrawn_at AS at FROM pockets WHERE id = ?");
    expect(devices.get(device?.id ?? "")).toEqual({ at: desk.clock.now() });
    expect(errors).toEqual([]);
    await close();
  }, 120_000);

  test("leaves nothing also when the server has ended", async () => {
    const { page, close } = await desk.open(`/library/playlists/${listId}`);
    await keepList(page, 1);
    await desk.end();

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page
      .getByRole("alertdialog", { name: QUESTION })
      .getByRole("button", { name: "Sign out and remove" })
      .click();

    await until(async () => (await keptIn(page)).stores, []);
    await page.getByText("There is no connection").waitFor();
    await close();
  }, 120_000);
});
