import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { unzipped } from "../support/unzipped.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

const FFMPEG = findFfmpeg(Bun.env.FFMPEG_PATH)?.path;

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole({}, FFMPEG);
  const titles = ["Night Ferry", "Harbour Lights"];
  ids = await addSongs(
    desk,
    titles.map((title, index) => ({ title, artist: "The Lowlands", level: 0.8 - 0.12 * index })),
  );
  await desk.signedIn(desk.account.token)("POST", "/app/playlists", {
    name: "Estuary",
    kind: "album",
    artist: "The Lowlands",
    trackIds: ids,
  });
});
afterAll(() => desk?.close());

const deliveries = async () => (await desk.signedIn(desk.account.token)("GET", "/app/deliveries")).body.data;

describe.skipIf(!BROWSER_PATH)("delivering", () => {
  test("an album from its menu gives a package, which is listed, made again and erased", async () => {
    const { page, errors, close } = await desk.open("/library/albums");
    await page.getByRole("link", { name: "Estuary" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Estuary" }).waitFor();
    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Deliver…" }).click();

    await page.getByRole("heading", { level: 1, name: "Deliver Estuary" }).waitFor();
    const tree = page.getByRole("tree", { name: "What goes in" });
    await page.getByRole("radio", { name: "Custom" }).check();
    const sheet = tree.getByRole("treeitem", { name: /^split-sheet\.csv/ });
    await sheet.waitFor();
    await page.getByRole("checkbox", { name: "Split sheet" }).uncheck();
    await sheet.waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "Store or distributor" }).check();
    await sheet.waitFor();
    await page.getByRole("radio", { name: "CD or vinyl" }).check();
    await page.getByRole("textbox", { name: "Recipient" }).fill("Pressing plant");
    await tree.getByRole("treeitem", { name: /^album\.cue/ }).waitFor();
    await tree.getByRole("treeitem", { name: /^01 The Lowlands - Night Ferry\.wav/ }).click();
    const tags = page.getByRole("table", { name: "Tags of 01 The Lowlands - Night Ferry.wav" });
    const album = tags
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "Album", exact: true }) });
    await album.getByText("Estuary").waitFor();
    await album.getByText("changed").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await tree.getByRole("treeitem", { name: /^01 The Lowlands/ }).waitFor({ state: "detached" });
    expect(await inspect(page, "console-deliver")).toEqual([]);

    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: /^(Make the package|Deliver anyway)$/ }).click();
    const saved = await Bun.file((await (await saving).path()) ?? "").bytes();
    await page.getByText("Delivered. It is on the list of deliveries.").waitFor();
    expect(unzipped(saved).map(({ name }) => name)).toContain(
      "Estuary/audio/01 The Lowlands - Night Ferry.wav",
    );

    await page.getByRole("region", { name: "Make it" }).getByRole("link", { name: "Deliveries" }).click();
    await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor();
    const row = page
      .getByRole("table", { name: "Deliveries" })
      .getByRole("row")
      .filter({ hasText: "Pressing plant" });
    await row.waitFor();
    expect(await inspect(page, "console-deliveries")).toEqual([]);
    const again = page.waitForEvent("download");
    await row.getByRole("button", { name: "Same again" }).click();
    await (await again).path();
    await until(async () => (await deliveries()).length, 2);
    await row.getByRole("button", { name: "Erase" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Erase" }).click();
    await page.getByRole("rowheader", { name: "Erased" }).waitFor();

    expect((await deliveries()).map(({ isErased }: { isErased: boolean }) => isErased)).toEqual([
      false,
      true,
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  test("selected songs are delivered by D, on a phone without more width than there is", async () => {
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("row").filter({ hasText: "Night Ferry" }).first().click();
    await page.keyboard.press("Control+a");
    await page.getByRole("toolbar", { name: "Selection" }).waitFor();
    await page.keyboard.press("d");
    await page.getByRole("heading", { level: 1, name: "Deliver 2 tracks" }).waitFor();
    const address = new URL(page.url());
    const phone = await desk.open(`${address.pathname}${address.search}`, "phone");
    await phone.page.getByRole("tree", { name: "What goes in" }).waitFor();
    const overflow = await phone.page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );

    expect(overflow).toBe(0);
    expect(await inspect(phone.page, "console-deliver-phone")).toEqual([]);
    expect([...errors, ...phone.errors]).toEqual([]);
    await phone.close();
    await close();
  });

  test.skipIf(!FFMPEG)("a package for an agency is marked for it while one waits", async () => {
    const { page, errors, close } = await desk.open(`/library/deliver?of=tracks:${ids[0]}`);
    await page.getByRole("radio", { name: "Sync agency" }).check();
    await page.getByRole("textbox", { name: "Recipient" }).fill("Harbour Agency");
    await page.getByText(/1 track in \d+ files, about /).waitFor();
    expect(await inspect(page, "console-deliver-marked")).toEqual([]);

    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: /^(Make the package|Deliver anyway)$/ }).click();
    await page.getByText("The copies are being marked: 0 tracks so far").waitFor();
    await desk.drainJobs();
    const saved = unzipped(await Bun.file((await (await saving).path()) ?? "").bytes());
    await page.getByText("Delivered. It is on the list of deliveries.").waitFor();

    const manifest = saved.find(({ name }) => name.endsWith("manifest.json"))?.content.toString() ?? "";
    expect(JSON.parse(manifest).tracks[0].files[0].isMarked).toBeTrue();
    expect((await deliveries())[0]).toMatchObject({ recipient: "Harbour Agency", isMarked: true });
    expect(errors).toEqual([]);
    await close();
  });
});
