import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSecondMix, uploadSong } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
let secondMixId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  trackId = await uploadSong(desk, "Night Bus", "The Lowlands", 3);
  secondMixId = await addSecondMix(desk, trackId, 3);
});
afterAll(() => desk?.close());

async function openBeside(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More actions for Night Bus" }).click();
  await page.getByRole("menuitem", { name: "Open" }).click();
}

const address = (query = "") => `/library/tracks/${trackId}${query}`;

describe.skipIf(!BROWSER_PATH)("around a track", () => {
  test("comments are written at a time, survive a reload unsent, and lead back to their time", async () => {
    const { page, errors, close } = await desk.open(address());
    const slider = page.getByRole("slider", { name: "Position in Night Bus" });
    await slider.waitFor();

    await slider.fill("9");
    await page.getByRole("button", { name: "Comment at 0:09" }).waitFor();
    await page.keyboard.press("c");
    const field = page.getByRole("textbox", { name: "Comment" });
    await field.fill("The bass comes in too late");
    await page.reload();
    expect(await field.inputValue()).toBe("The bass comes in too late");
    await page.getByRole("button", { name: "Send" }).click();
    const comment = page.getByRole("list", { name: "Comments" }).getByRole("listitem");
    await comment.filter({ hasText: "The bass comes in too late" }).waitFor();
    await page.getByRole("button", { name: "Go to 0:09" }).click();
    await until(() => slider.inputValue(), "9");
    expect(await inspect(page, "console-track-comments")).toEqual([]);
    await page.getByRole("button", { name: "Comment at 0:09" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: /^Delete comment by / }).click();
    await comment.waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test("a comment says which version was heard, also when another one plays than the active one", async () => {
    const api = desk.as(desk.createKey(desk.account.accountId));
    const { versions } = (await api("GET", `/tracks/${trackId}/versions`)).body.data;
    const first = versions.find(({ id }: { id: string }) => id !== secondMixId);
    const { page, errors, close } = await desk.open(address());
    const write = async (text: string) => {
      await page.keyboard.press("c");
      await page.getByRole("textbox", { name: "Comment" }).fill(text);
      await page.getByRole("button", { name: "Send" }).click();
      const item = page
        .getByRole("list", { name: "Comments" })
        .getByRole("listitem")
        .filter({ hasText: text });
      await item.waitFor();
      return item;
    };

    await page.getByRole("slider", { name: "Position in Night Bus" }).waitFor();
    const onActive = await write("On the new one");
    await onActive.getByText("v2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Play Original" }).click();
    const onOther = await write("On the old one");
    await onOther.getByText("Original", { exact: true }).waitFor();

    const made = (await api("GET", `/tracks/${trackId}/comments`)).body.data;
    expect(made.map(({ text, versionId }: Record<string, string>) => [text, versionId])).toEqual([
      ["On the old one", first.id],
      ["On the new one", secondMixId],
    ]);
    expect(await inspect(page, "console-track-comment-versions")).toEqual([]);
    for (const { id } of made) await api("DELETE", `/comments/${id}`);
    expect(errors).toEqual([]);
    await close();
  });

  test("the links of a track are listed, and its activity by day", async () => {
    const web = desk.signedIn(desk.account.token);
    await web("POST", "/app/shares", { trackId, recipient: "Anna Berg" });
    await web("POST", `/app/tracks/${trackId}/comments`, { text: "Louder", positionSec: 3 });
    const { page, errors, close } = await desk.open(address("?tab=links"));

    await page.getByRole("link", { name: "Anna Berg" }).waitFor();
    await page.getByRole("button", { name: "New link" }).click();
    const dialog = page.getByRole("dialog", { name: /^Share / });
    await dialog.getByRole("button", { name: "Create link" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(await inspect(page, "console-track-links")).toEqual([]);
    await page.getByRole("tab", { name: "Activity" }).click();
    const panel = page.getByRole("tabpanel");
    for (const text of [
      "Link for Anna Berg was made",
      "Uploaded",
      "v2 was added",
      /commented at 0:03: Louder/,
    ])
      await panel.getByText(text).waitFor();
    expect(await inspect(page, "console-track-activity")).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });

  test("the sheet opens beside the list, closes, and fills the window", async () => {
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("row", { name: /Night Bus/ }).waitFor();

    await openBeside(page);
    const panel = page.getByRole("complementary", { name: "Night Bus" });
    await panel.getByRole("list", { name: "Versions" }).getByText("v2", { exact: true }).waitFor();
    expect(await page.getByRole("heading", { level: 1, name: "Library" }).isVisible()).toBe(true);
    expect(await inspect(page, "console-track-panel")).toEqual([]);
    await panel.getByRole("tab", { name: "Details" }).click();
    await panel.getByRole("textbox", { name: "Album" }).waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await openBeside(page);
    await panel.getByRole("button", { name: "Open whole" }).click();
    await page.getByRole("heading", { level: 1, name: "Night Bus" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });
});
