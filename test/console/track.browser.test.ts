import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { picture } from "../support/pictures.ts";
import { createConsole, until } from "./console.ts";
import { addSecondMix, secondMix, uploadSong, wavOf } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
let api: ReturnType<typeof desk.as>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  api = desk.as(desk.createKey(desk.account.accountId));
  trackId = await uploadSong(desk, "Night Bus", "The Lowlands", 3);
  await addSecondMix(desk, trackId, 3);
});
afterAll(() => desk?.close());

const sheetOf = (id: string, query = "") => `/library/tracks/${id}${query}`;

describe.skipIf(!BROWSER_PATH)("the track sheet", () => {
  test("shows the title, the facts and both versions", async () => {
    const { page, errors, foreign, close } = await desk.open(sheetOf(trackId));
    await page.getByRole("heading", { level: 1, name: "Night Bus" }).waitFor();
    const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
    await versions.nth(1).waitFor();

    expect(await page.title()).toBe("Night Bus · Dubplate");
    expect(await versions.nth(0).textContent()).toContain("v2");
    expect(await versions.nth(0).textContent()).toContain("Active");
    expect(await versions.nth(1).textContent()).toContain("Original");
    expect(await page.getByText("LUFS").first().isVisible()).toBe(true);
    expect(await page.getByRole("tab").allTextContents()).toEqual([
      "Versions",
      "Set",
      "Review",
      "Tags",
      "Credits",
      "Rights",
      "Lyrics",
      "Details",
      "Links",
      "Activity",
    ]);
    expect([errors, foreign]).toEqual([[], []]);
    await close();
  });

  test("is renamed in place, and renamed back by Undo", async () => {
    const id = await uploadSong(desk, "Harbour", "Mara", 5);
    const { page, errors, close } = await desk.open(sheetOf(id));

    await page.getByRole("button", { name: "Edit title" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Harbour Lights");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Harbour Lights" }).waitFor();
    await page.getByText("Renamed to Harbour Lights").waitFor();
    expect(await page.title()).toBe("Harbour Lights · Dubplate");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 1, name: "Harbour", exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit artist" }).click();
    await page.getByRole("textbox", { name: "Artist" }).fill("Mara Lindqvist");
    await page.keyboard.press("Enter");
    await page.getByText("Mara Lindqvist").waitFor();
    await page.getByRole("button", { name: "Edit title" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Something else");
    await page.keyboard.press("Escape");

    await page.getByRole("heading", { level: 1, name: "Harbour", exact: true }).waitFor();
    const refusal = { status: 503, messageCode: "busy", message: "The server is busy." };
    await page.route("**/tracks/details*", (route) => route.fulfill({ status: 503, json: refusal }));
    await page.getByRole("button", { name: "Edit title" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Harbour Bells");
    await page.keyboard.press("Enter");
    await page.getByText("The server is busy.").waitFor();
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Harbour Bells");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Harbour", exact: true }).waitFor();
    const saved = async () => {
      const { title, artist } = (await api("GET", `/tracks/single?id=${id}`)).body.data.track.audio_profile;
      return [title, artist];
    };
    await until(saved, ["Harbour", "Mara Lindqvist"]);
    expect(errors).toEqual([]);
    await close();
  });

  test("takes another cover", async () => {
    const { page, errors, close } = await desk.open(sheetOf(trackId));

    await page
      .getByLabel("Change cover")
      .setInputFiles({ name: "cover.png", mimeType: "image/png", buffer: await picture("png") });
    await page.locator("img.cover").waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("plays from the slider's position, and zooms", async () => {
    const { page, errors, close } = await desk.open(sheetOf(trackId));
    const main = page.getByRole("main");
    const slider = main.getByRole("slider", { name: "Position in Night Bus" });
    await slider.waitFor();
    await page.getByText("v2", { exact: true }).first().waitFor();

    await slider.fill("12");
    await until(() => slider.getAttribute("aria-valuetext"), "0:12 of 0:23");
    await main.getByRole("button", { name: "Play", exact: true }).click();
    await main.getByRole("button", { name: "Pause", exact: true }).waitFor();
    await main.getByText("0:13 / 0:23").waitFor();
    await main.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.keyboard.press("+");
    await page.getByRole("button", { name: "Whole track" }).click();

    await until(() => page.getByRole("button", { name: "Zoom out" }).isDisabled(), true);
    expect(errors).toEqual([]);
    await close();
  });

  test("takes a new version, makes it active, and shows its facts when they are measured", async () => {
    const id = await uploadSong(desk, "Last Train", "Mara", 8);
    const { page, errors, close } = await desk.open(sheetOf(id));
    await page.getByRole("button", { name: "Add version" }).waitFor();

    await page.getByLabel("Add version").setInputFiles({
      name: "Last Train master.wav",
      mimeType: "audio/wav",
      buffer: Buffer.from(wavOf(secondMix(8))),
    });
    const versions = page.getByRole("list", { name: "Versions" }).getByRole("listitem");
    await versions.filter({ hasText: "Last Train master.wav" }).getByText("Active").waitFor();
    await versions.filter({ hasText: "Analysing…" }).waitFor();
    await desk.drainJobs();
    await page.reload();
    await versions.filter({ hasText: "Last Train master.wav" }).filter({ hasText: "LUFS" }).waitFor();
    await page.getByRole("button", { name: "Make Original active" }).click();
    await versions.filter({ hasText: "Original" }).getByText("Active").waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("renames, hides and deletes a version", async () => {
    const id = await uploadSong(desk, "Slow Water", "Mara", 9);
    await addSecondMix(desk, id, 9);
    const { page, errors, close } = await desk.open(sheetOf(id, "?tab=versions"));
    const more = page.getByRole("button", { name: "More actions for Original" });

    await more.click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("Demo");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "More actions for Demo" }).click();
    await page.getByRole("menuitem", { name: "Hide" }).click();
    await page.getByRole("list", { name: "Versions" }).getByText("Hidden").waitFor();
    await page.getByRole("button", { name: "More actions for Demo" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete Demo for good?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "More actions for Demo" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted Demo").waitFor();
    await page.getByRole("listitem", { name: "Demo" }).waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("has nothing that axe finds on a %s", async (name) => {
    const { page, errors, close } = await desk.open(sheetOf(trackId), name);
    await page.getByRole("list", { name: "Versions" }).getByText("v2", { exact: true }).waitFor();

    expect(await inspect(page, `console-track-${name}`)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
