import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { moreSound, placesOf, recordOutput, soundOf } from "../../scripts/bench/console/recorder.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addMix, addSecondMix, CUT_SEC, firstMix, RATE_HZ, uploadSong } from "./track-songs.ts";

const SEED = 12;

let desk: Awaited<ReturnType<typeof createConsole>>;
let address: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const trackId = await uploadSong(desk, "Glass Weather", "The Lowlands", SEED);
  await addSecondMix(desk, trackId, SEED);
  address = `/library/tracks/${trackId}?tab=versions`;
});
afterAll(() => desk?.close());

async function compare(page: Page) {
  await page.getByRole("checkbox", { name: "Compare Original" }).check();
  await page.getByRole("checkbox", { name: "Compare v2" }).check();
  const region = page.getByRole("region", { name: "Compare Original with v2" });
  await region.waitFor();
  await page.getByRole("list", { name: "What changed" }).getByRole("listitem").first().waitFor();
  return region;
}

describe.skipIf(!BROWSER_PATH)("two versions of a track", () => {
  test("are compared in words and by octave, at an address of their own", async () => {
    const { page, errors, close } = await desk.open(address);
    const region = await compare(page);

    const changes = await region
      .getByRole("list", { name: "What changed" })
      .getByRole("listitem")
      .allTextContents();
    expect(changes[0]).toMatch(/^\d\.\d dB softer$/);
    expect(changes.join("\n")).toMatch(/Brighter above \d/);
    expect(changes).toContain(`${CUT_SEC.toFixed(2)} s cut from the start`);
    expect(
      await region.getByRole("table", { name: "Octave balance" }).getByRole("row").count(),
    ).toBeGreaterThan(6);
    await page.reload();
    await page.getByRole("region", { name: "Compare Original with v2" }).waitFor();
    await page.getByRole("checkbox", { name: "Compare v2" }).uncheck();
    await region.waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test("sound at the same moment and equally loud, to the sample, however often they are switched", async () => {
    const song = firstMix(SEED + 1);
    const id = await uploadSong(desk, "Paper Moon", "Mara", SEED + 1);
    // Softer, and turned over: the sign of the sound says which of the two it is.
    await addMix(
      desk,
      id,
      "v2",
      song.map((sample) => -0.5 * sample),
    );
    const { page, errors, close } = await desk.open(`/library/tracks/${id}`);
    await recordOutput(page);
    const region = await compare(page);

    await region.getByRole("button", { name: "Play comparison" }).click();
    await region.getByRole("button", { name: "Pause comparison" }).waitFor();
    for (let turn = 0; turn < 3; turn++) {
      await moreSound(page, 0.5);
      await page.keyboard.press("x");
    }
    await moreSound(page, 0.5);
    const { heard, file } = await soundOf(page, await playbackUrlOf(id, "Original"));
    await region.getByRole("button", { name: "Pause comparison" }).click();

    // The song runs on without a gap or a step, in turns from the one and from the other version.
    const places = placesOf(heard, file, RATE_HZ / 4);
    const clean = places.filter(({ likeness }) => likeness > 0.9999);
    // A switch lies within one piece, or on the border of two.
    expect(places.length - clean.length).toBeLessThanOrEqual(2 * 3);
    expect(new Set(clean.map(({ lag }) => lag)).size).toBe(1);
    const gains = clean.map(({ gain }) => gain);
    expect(turnsOf(gains)).toBe(3);
    for (const gain of gains) expect(20 * Math.log10(Math.abs(gain) / 0.5)).toBeCloseTo(0, 1);
    expect(errors).toEqual([]);
    await close();
  });

  test("versions are analysed when they are compared, which the page says until then, and the track keeps its active version", async () => {
    const song = firstMix(SEED + 2);
    const id = await uploadSong(desk, "Night Ferry", "Mara", SEED + 2);
    const softer = song.map((sample) => 0.5 * sample);
    await addMix(desk, id, "v2", softer, { isActive: false });
    const { page, errors, close } = await desk.open(`/library/tracks/${id}?tab=versions`);
    const item = page.getByRole("listitem", { name: "v2" });
    await item.getByText("not analysed yet").waitFor();
    await page.getByRole("checkbox", { name: "Compare Original" }).check();
    await page.getByRole("checkbox", { name: "Compare v2" }).check();
    const region = page.getByRole("region", { name: "Compare Original with v2" });
    const tools = ["Match loudness", "Blind test"].map((name) => region.getByRole("button", { name }));

    await region
      .getByText("Match loudness, Blind test and what changed: after v2 has been analysed.")
      .waitFor();
    await item.getByText("Analysing…").waitFor();
    for (const tool of tools) {
      expect(await tool.getAttribute("aria-disabled")).toBe("true");
      await tool.click({ force: true });
    }
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await region.textContent()).not.toMatch(/active/i);
    await region.getByRole("button", { name: "Play comparison" }).click();
    await region.getByRole("button", { name: "Pause comparison" }).waitFor();

    await desk.drainJobs();
    await region.getByRole("list", { name: "What changed" }).getByRole("listitem").first().waitFor();
    for (const tool of tools) expect(await tool.getAttribute("aria-disabled")).toBeNull();
    expect(await tools[0]?.getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("listitem", { name: "Original" }).getByText("Active", { exact: true }).waitFor();
    expect(await item.getByText("Active", { exact: true }).count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test("switch, match, loop and end by keys and buttons", async () => {
    const { page, errors, close } = await desk.open(address);
    const region = await compare(page);
    const [a, b] = [
      region.getByRole("radio", { name: "A: Original" }),
      region.getByRole("radio", { name: "B: v2" }),
    ];

    expect([await a.isChecked(), await b.isChecked()]).toEqual([true, false]);
    await region.getByRole("button", { name: "Switch" }).click();
    await until(() => b.isChecked(), true);
    await page.keyboard.press("x");
    await until(() => a.isChecked(), true);
    const match = region.getByRole("button", { name: "Match loudness" });
    expect(await match.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("l");
    await until(() => match.getAttribute("aria-pressed"), "false");
    const loop = region.getByRole("button", { name: "Loop" });
    await loop.click();
    await until(() => loop.getAttribute("aria-pressed"), "true");
    await page.getByRole("button", { name: "Play v2" }).click();
    await region.getByRole("button", { name: "Pause comparison" }).waitFor();
    expect(await b.isChecked()).toBe(true);
    await page.locator("h1").click();
    await page.keyboard.press("Space");
    await region.getByRole("button", { name: "Play comparison" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("versions are told apart blind, with the chance of guessing", async () => {
    const { page, errors, close } = await desk.open(address);
    const region = await compare(page);

    await region.getByRole("button", { name: "Blind test" }).click();
    const dialog = page.getByRole("dialog", { name: "Blind test" });
    for (let round = 1; round <= 10; round++) {
      await dialog.getByText(`${round} of 10`).waitFor();
      await dialog.getByRole("button", { name: "X", exact: true }).click();
      await dialog.getByRole("button", { name: "Y", exact: true }).click();
      await dialog.getByRole("button", { name: round % 2 ? "X is A" : "X is B" }).click();
    }
    await dialog.getByText(/\d of 10 right/).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("have nothing that axe finds on a %s", async (name) => {
    const { page, errors, close } = await desk.open(address, name);
    await compare(page);
    await page.getByRole("region", { name: "Compare Original with v2" }).scrollIntoViewIfNeeded();

    expect(await inspect(page, `console-track-compare-${name}`)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

async function playbackUrlOf(trackId: string, label: string): Promise<string> {
  const web = desk.signedIn(desk.account.token);
  const { body } = await web("GET", `/app/tracks/${trackId}/versions`);
  const version = body.data.find((each: { label: string | null }) => (each.label ?? "Original") === label);
  const { pathname, search } = new URL(version.playbackUrl);
  return pathname + search;
}

const turnsOf = (gains: readonly number[]) =>
  gains.filter((gain, index) => index > 0 && Math.sign(gain) !== Math.sign(gains[index - 1] ?? 0)).length;
