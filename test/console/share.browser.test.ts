import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect, openWindow } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs, PERSON } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let playlistId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const trackIds = await addSongs(desk, [{ title: "Night Ferry", artist: "The Lowlands", seconds: 8 }]);
  const { body } = await call("POST", "/app/playlists", { name: "Night drives", trackIds });
  playlistId = body.data.id;
});
afterAll(() => desk?.close());

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Share Night drives" });

describe.skipIf(!BROWSER_PATH)("sharing", () => {
  test.each(["desktop", "phone"] as const)("makes a link for each person, on a %s", async (name) => {
    const { page, context, errors, close } = await desk.open(`/library/playlists/${playlistId}`, name);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);

    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = dialogOf(page);
    const whom = dialog.getByRole("combobox", { name: "For whom" });
    await whom.fill("Ada at Harbour Records");
    await whom.press("Enter");
    await dialog.getByRole("button", { name: "Remove Ada at Harbour Records" }).waitFor();
    await whom.fill("Benno");
    await dialog.getByRole("combobox", { name: "Ends" }).fill("30");
    await dialog.getByRole("option", { name: "30 days" }).click();
    await dialog.getByRole("spinbutton", { name: "Visits" }).fill("5");
    await dialog.getByRole("textbox", { name: "Password" }).fill("ferry");
    await dialog.getByRole("switch", { name: "Allow downloads" }).click();
    await dialog.getByRole("switch", { name: "Show BPM, key and credits" }).click();
    expect(await inspect(page, `console-share-${name}`)).toEqual([]);
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByRole("status").getByText("2 links copied").waitFor();
    const made = await dialog.getByRole("textbox", { name: "Link for Benno" }).inputValue();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(made);
    await dialog.getByRole("button", { name: "QR code" }).last().click();
    await dialog.getByRole("img", { name: "QR code: Link for Benno" }).waitFor();
    expect(await inspect(page, `console-share-made-${name}`)).toEqual([]);
    await dialog.getByRole("button", { name: "Copy" }).first().click();
    await dialog.getByRole("status").getByText("Link copied").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });

    const { body } = await call("GET", "/app/links?limit=2");
    expect(body.data).toMatchObject([
      { entityId: playlistId, hasPassword: true, maxUses: 5, allowDownload: true, showDetails: true },
      { entityId: playlistId, hasPassword: true, maxUses: 5, allowDownload: true, showDetails: true },
    ]);
    expect(body.data.map(({ recipient }: { recipient: string }) => recipient).sort()).toEqual([
      "Ada at Harbour Records",
      "Benno",
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)(
    "opens a new playlist to anyone by a switch, on a %s",
    async (name) => {
      const { body } = await call("POST", "/app/playlists", { name: "Rough mixes" });
      const { page, errors, close } = await desk.open(`/library/playlists/${body.data.id}`, name);
      const anyone = page.getByRole("switch", { name: "Anyone with the link can listen" });
      await page.getByText("Not shared: only people with their own link can open it.").waitFor();
      expect(await inspect(page, `console-playlist-not-shared-${name}`)).toEqual([]);

      await anyone.click();

      await page.getByRole("button", { name: "Copy link" }).waitFor();
      expect(await anyone.getAttribute("aria-checked")).toBe("true");
      expect(await inspect(page, `console-playlist-shared-${name}`)).toEqual([]);
      await anyone.click();
      await page.getByText("Not shared: only people").waitFor();
      expect((await call("GET", `/app/playlists/${body.data.id}`)).body.data.publicUrl).toBeNull();
      expect(errors).toEqual([]);
      await close();
    },
  );

  test("needs no more than the keyboard, and remembers the last choices", async () => {
    const { page, close } = await desk.open(`/library/playlists/${playlistId}`);
    await page.getByRole("row", { name: /^Night Ferry/ }).waitFor();

    await page.keyboard.press("s");
    const dialog = dialogOf(page);
    await dialog.waitFor();
    await dialog.getByRole("switch", { name: "Allow comments" }).press("Space");
    await dialog.getByRole("combobox", { name: "For whom" }).press("Tab");
    await dialog.getByRole("button", { name: "Create link" }).press("Enter");
    await dialog.getByRole("textbox", { name: "Public link" }).waitFor();
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("s");

    await until(
      () => dialog.getByRole("switch", { name: "Allow comments" }).getAttribute("aria-checked"),
      "true",
    );
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await close();
  });

  test("asks a person for approval, which lets them comment, and stops asking with the comments", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${playlistId}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = dialogOf(page);
    const comments = dialog.getByRole("switch", { name: "Allow comments" });
    if ((await comments.getAttribute("aria-checked")) === "true") await comments.click();
    await dialog.getByRole("switch", { name: "Ask for approval" }).click();
    expect(await comments.getAttribute("aria-checked")).toBe("true");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByText("Enter a name: only a person can be asked for approval.").waitFor();
    await dialog.getByRole("combobox", { name: "For whom" }).fill("Bo");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByRole("textbox", { name: "Link for Bo" }).waitFor();
    const { id } = (await call("GET", "/app/links?limit=1")).body.data[0];
    const asks = async () => {
      const { allowReview, allowComments } = (await call("GET", `/app/links/${id}`)).body.data;
      return { allowReview, allowComments };
    };
    expect(await asks()).toEqual({ allowReview: true, allowComments: true });

    await page.goto("/library/links");
    await page.getByRole("row", { name: /Bo/ }).getByText("Asks for approval").waitFor();
    await page.getByRole("link", { name: "Bo", exact: true }).click();
    await page.getByRole("switch", { name: "Allow comments" }).click();

    await until(asks, { allowReview: false, allowComments: false });
    expect(await page.getByRole("switch", { name: "Ask for approval" }).getAttribute("aria-checked")).toBe(
      "false",
    );
    expect(errors).toEqual([]);
    await close();
  });

  test("a wrong field says what is wrong with it", async () => {
    const { page, close } = await desk.open(`/library/playlists/${playlistId}`);

    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("textbox", { name: "Password" }).fill("abc");
    await dialog.getByRole("combobox", { name: "Ends" }).fill("yesterday");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByText("At least 4 characters").waitFor();

    await dialog.getByText("A future date such as 24 December 2027").waitFor();
    await close();
  });

  test("tells the owner who listened, and how far", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${playlistId}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByRole("combobox", { name: "For whom" }).fill("Clara");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const url = await dialog.getByRole("textbox", { name: "Link for Clara" }).inputValue();
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Links" }).click();
    await page.getByRole("link", { name: "Clara" }).click();
    await page.getByText("Clara has not opened it yet.").waitFor();

    const visitor = await openWindow(desk.browser, desk.origin, "desktop", { userAgent: PERSON });
    // A play counts when half of a short track was heard.
    const heard = visitor.page.waitForResponse(
      (answer) => answer.url().includes("/heard/") && /-[5-8]\.\d$/.test(answer.request().postData() ?? ""),
    );
    await visitor.page.goto(new URL(url).pathname);
    await visitor.page.getByRole("button", { name: "Play", exact: true }).first().click();
    await heard;
    await visitor.close();
    desk.app.counting.flush();
    await page.reload();
    await page
      .getByText(
        /^Clara listened once, .*, and (stopped at 0:\d\d|heard Night Ferry to the end|heard it to the end)\.$/,
      )
      .waitFor();
    await page
      .getByRole("table", { name: "Visits" })
      .getByRole("cell", { name: /^0:\d\d$/ })
      .waitFor();

    expect(await inspect(page, "console-link-desktop")).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await inspect(page, "console-link-phone")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test("a link can be changed in place, and the change undone for ten seconds", async () => {
    const made = await call("POST", "/app/shares", { playlistId, recipient: "Dora" });
    const { id } = made.body.data;
    const { page, close } = await desk.open(`/library/links/${id}`);

    await page.getByRole("switch", { name: "Allow downloads" }).click();
    await page.getByText("Saved").waitFor();
    await page.getByRole("spinbutton", { name: "Visits" }).fill("3");
    await page.getByRole("spinbutton", { name: "Visits" }).blur();
    await page.getByText("Saved").nth(1).waitFor();
    await page.getByRole("textbox", { name: "Opens" }).fill("3.3.2999 18:00");
    await page.getByRole("textbox", { name: "Opens" }).blur();
    await page.getByText("Not open yet").waitFor();
    await page.getByRole("switch", { name: "Ask for an answer" }).click();
    await until(async () => (await call("GET", `/app/shares/${id}`)).body.data.askAnswer, true);
    await page.getByRole("switch", { name: "Mark the sound" }).click();
    await page.getByText("This server cannot mark sound: ffmpeg is not installed.").waitFor();
    await page.getByRole("switch", { name: "Mark the sound", checked: false }).waitFor();
    expect(await page.getByRole("textbox", { name: "Opens" }).inputValue()).toBe("3 March 2999 at 18:00");
    expect((await call("GET", `/app/shares/${id}`)).body.data).toMatchObject({
      allowDownload: true,
      maxUses: 3,
      notBefore: new Date(2999, 2, 3, 18).toISOString(),
    });
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Link revoked").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke" }).waitFor({ state: "detached" });
    expect((await call("GET", `/app/shares/${id}`)).body.data.revokedAt).toBeNull();
    const sent = page.waitForRequest((request) => request.method() === "DELETE", { timeout: 60_000 });
    await sent;
    await page.getByText("Revoked", { exact: true }).waitFor();

    await close();
  });
});
