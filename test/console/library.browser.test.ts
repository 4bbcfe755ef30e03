import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

const MANY = 1200;

/** In the page: whether the rows stand in the document as in the list. */
const IN_ORDER = `[...document.querySelectorAll(".grid-body > [role=row]")]
  .map((row) => Number(row.getAttribute("aria-rowindex")))
  .every((place, at, all) => at === 0 || place > all[at - 1])`;

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const { db } = desk.deps;
  for (let number = 1; number <= MANY; number++)
    addTrackRows(db, desk.account.accountId, {
      name: `Piece ${String(number).padStart(4, "0")}.wav`,
      title: `Piece ${String(number).padStart(4, "0")}`,
      artist: number % 2 === 0 ? "Mara" : "Night Bus",
      bpm: 80 + (number % 90),
      key: "F minor",
      durationSec: 60 + number,
      tags: { genres: ["House", "Ambient"], moods: ["Dreamy", "Dark"] },
      measured: {},
    });
});
afterAll(() => desk?.close());

describe.skipIf(!BROWSER_PATH)("the Library", () => {
  test.each(["desktop", "phone"] as const)("shows the tracks as a table on a %s", async (name) => {
    const { page, errors, close } = await desk.open("/library", name);

    await page.getByRole("grid", { name: "Tracks" }).waitFor();
    const rows = page.getByRole("row", { name: /^Piece/ });
    await rows.first().waitFor();

    expect(await page.getByRole("grid", { name: "Tracks" }).getAttribute("aria-rowcount")).toBe(
      String(MANY + 1),
    );
    expect(await rows.count()).toBeLessThan(60);
    expect(await inspect(page, `console-library-${name}`)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test("sorts by a column, and back again", async () => {
    const { page, close } = await desk.open("/library");
    const header = page.getByRole("columnheader", { name: "BPM" });

    await header.getByRole("button", { name: "BPM" }).click();
    await page.getByRole("row", { name: "Piece 0090, Mara" }).waitFor();
    expect(await header.getAttribute("aria-sort")).toBe("ascending");
    await header.getByRole("button", { name: "BPM" }).click();
    await page.getByRole("row", { name: "Piece 0089, Night Bus" }).waitFor();

    expect(await header.getAttribute("aria-sort")).toBe("descending");
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-bpm");
    await close();
  });

  test("jumps to the end, and Back finds the row and the selection again", async () => {
    const { page, close } = await desk.open("/library?sort=name");

    await page.getByRole("row", { name: "Piece 0001, Night Bus" }).focus();
    await page.keyboard.press("End");
    await page.getByRole("row", { name: `Piece ${MANY}, Mara` }).waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("Shift+Enter");
    await page.getByRole("heading", { level: 1, name: `Piece ${MANY}` }).waitFor();
    await page.goBack();

    await page.getByRole("row", { name: `Piece ${MANY}, Mara` }).waitFor();
    expect(await page.getByText("1 selected").isVisible()).toBe(true);
    expect(await page.getByRole("checkbox", { name: `Select Piece ${MANY}` }).isChecked()).toBe(true);
    await close();
  });

  test("has its rows in order when it rests after a scroll, and a menu stays with its row", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    const menu = page.getByRole("button", { name: "More actions for Piece 0003" });

    // A press of assistive technology: the browser gives the button no focus.
    await menu.dispatchEvent("click");
    await page.getByRole("menu", { name: "More actions for Piece 0003" }).waitFor();
    for (const place of [7, 42, 31, 188]) {
      await page.evaluate(`document.querySelector(".grid").scrollTop = ${place * 48}`);
      await page.getByRole("row", { name: `Piece ${String(place).padStart(4, "0")}` }).waitFor();
      while (!(await page.evaluate<boolean>(IN_ORDER)));
    }

    expect(await menu.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Escape");
    await until(() => menu.evaluate((button) => button === button.ownerDocument.activeElement), true);
    expect(errors).toEqual([]);
    await close();
  });

  test("leaves nothing of itself at an address that is opened in the same window", async () => {
    const { page, errors, close } = await desk.open();
    await page
      .getByRole("checkbox", { name: /^Select Piece/ })
      .first()
      .check();

    await page.goto("/library/search?q=around+100+bpm");
    await page.getByRole("grid", { name: "Results" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("filters by text and by tempo, which the address keeps", async () => {
    const { page, close } = await desk.open("/library");

    await page.getByRole("searchbox", { name: "Filter tracks" }).fill("piece 001");
    await page.locator('[role=grid][aria-rowcount="11"]').waitFor();
    await page.getByRole("button", { name: "Add filter" }).click();
    await page.getByRole("menuitem", { name: "BPM…" }).click();
    await page.getByRole("spinbutton", { name: "From" }).fill("91");
    await page.getByRole("spinbutton", { name: "To" }).fill("95");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator('[role=grid][aria-rowcount="6"]').waitFor();
    expect(new URL(page.url()).search).toContain("bpm=91-95");
    await page
      .getByRole("list", { name: "Filters" })
      .getByRole("button", { name: "Remove filter BPM" })
      .click();

    await page.locator('[role=grid][aria-rowcount="11"]').waitFor();
    await close();
  });

  test("selects a range with Shift, and the whole library", async () => {
    const { page, close } = await desk.open("/library?sort=name");

    await page.getByRole("checkbox", { name: "Select Piece 0002" }).click();
    await page.getByRole("row", { name: "Piece 0002, Mara" }).focus();
    await page.getByRole("checkbox", { name: "Select Piece 0006" }).click({ modifiers: ["Shift"] });
    await page.getByRole("toolbar", { name: "Selection" }).getByText("5 selected").waitFor();
    await page.getByRole("button", { name: "Select all 1,200" }).click();
    await page.getByRole("checkbox", { name: "Select Piece 0003" }).click();

    await page.getByText("1,199 selected").waitFor();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.getByRole("toolbar", { name: "Selection" }).waitFor({ state: "detached" });
    await close();
  });

  test("deletes the selected tracks, and brings them back", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    const rows = page.getByRole("grid", { name: "Tracks" });

    await page.getByRole("checkbox", { name: "Select Piece 0010" }).click();
    await page.getByRole("checkbox", { name: "Select Piece 0011" }).click();
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
    await page.getByText("2 tracks deleted").waitFor();
    await page.locator(`[role=grid][aria-rowcount="${MANY - 1}"]`).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(`[role=grid][aria-rowcount="${MANY + 1}"]`).waitFor();

    await rows.getByRole("row", { name: "Piece 0010, Mara" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("tags, renames and hides from the rows themselves", async () => {
    const { page, close } = await desk.open("/library?sort=name");

    await page.getByRole("button", { name: "More actions for Piece 0003" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Blue Hour");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByText("Renamed to Blue Hour").waitFor();
    await page.getByRole("row", { name: "Piece 0004, Mara" }).focus();
    await page.keyboard.press("x");
    await page.getByRole("button", { name: "Tag…" }).click();
    const dialog = page.getByRole("dialog", { name: "Tag 1 track" });
    await dialog.getByRole("combobox", { name: "Add tag" }).fill("Techno");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await page.getByText("1 track tagged").waitFor();
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Hide" }).click();

    await page.getByRole("row", { name: "Piece 0004, Mara" }).getByText("Hidden").waitFor();
    await close();
  });
});
