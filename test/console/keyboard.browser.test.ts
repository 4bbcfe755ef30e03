import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { wavBytes } from "../media/wave-bytes.ts";
import { BROWSER_PATH } from "../pages/browser.ts";
import { sine } from "../support/signals.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ids = await addSongs(
    desk,
    ["Night Ferry", "Harbour Lights", "Last Train", "Slow Tide"].map((title) => ({
      title,
      artist: "The Lowlands",
    })),
  );
  const louder = wavBytes({ depth: "s16", sampleRateHz: 16_000, samples: [...sine(16_000, 20, 240, 0.9)] });
  const form = new FormData();
  form.set("file", new File([louder as Uint8Array<ArrayBuffer>], "Night Ferry v2.wav"));
  form.set("label", "v2");
  await desk.as(desk.createKey(desk.account.accountId))("POST", `/tracks/${ids[0]}/versions`, form);
  await desk.drainJobs();
});
afterAll(() => desk?.close());

const row = (page: Page, title: string) => page.getByRole("row", { name: `${title}, The Lowlands` });
const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`,
  );
const hasFocus = (page: Page) => page.evaluate<boolean>(`document.activeElement !== document.body`);

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let count = 0; count < 80; count++) {
    if ((await focused(page)).trim() === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not come to ${name}`);
}

describe.skipIf(!BROWSER_PATH)("the keyboard alone", () => {
  test("goes from the Library to the sheet, A/B, a link and a playlist", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    await row(page, "Harbour Lights").waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) {
        await page.keyboard.press(key);
        expect(await hasFocus(page)).toBe(true);
      }
    };

    await tabTo(page, "Harbour Lights, The Lowlands");
    await press("j", "j");
    expect(await focused(page)).toBe("Night Ferry, The Lowlands");
    await press("Enter");
    const panel = page.getByRole("complementary", { name: "Night Ferry" });
    await panel.getByRole("checkbox", { name: "Compare v2" }).waitFor();
    await page.getByRole("checkbox", { name: "Compare v2" }).focus();
    await press("Space");
    await panel.getByRole("checkbox", { name: "Compare Original" }).focus();
    await press("Space");
    const compare = page.getByRole("region", { name: /^Compare / });
    await compare.getByRole("radio", { name: /^A: / }).waitFor();
    const before = await compare.getByRole("radio", { name: /^A: / }).isChecked();
    await press("x");
    expect(await compare.getByRole("radio", { name: /^A: / }).isChecked()).toBe(!before);
    await press("s");
    const share = page.getByRole("dialog", { name: "Share Night Ferry" });
    await share.getByRole("combobox", { name: "For whom" }).waitFor();
    await tabTo(page, "Create link");
    await press("Enter");
    await share.getByRole("textbox", { name: "Public link" }).waitFor();
    await press("Escape");
    await press("a");
    const picker = page.getByRole("dialog", { name: "Add to playlist" });
    await picker.getByRole("combobox", { name: "Playlist" }).waitFor();
    await page.keyboard.type("By keys");
    await page.getByRole("option", { name: "Create “By keys”" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Added to By keys").waitFor();
    await picker.waitFor({ state: "detached" });
    expect(await hasFocus(page)).toBe(true);
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
    await tabTo(page, "By keys");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "By keys" }).waitFor();
    await tabTo(page, "Night Ferry, The Lowlands");
    await press("Delete");
    await page.getByText("Night Ferry removed").waitFor();
    await page.getByText("Nothing here yet").waitFor();

    expect(await hasFocus(page)).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  test("a row that is deleted passes the focus to its neighbour", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    await row(page, "Last Train").focus();

    await page.keyboard.press("Delete");
    await row(page, "Last Train").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Night Ferry, The Lowlands");
    await page.keyboard.press("End");
    await page.keyboard.press("Delete");
    await row(page, "Slow Tide").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Night Ferry, The Lowlands");
    await page.keyboard.press("z");
    await row(page, "Slow Tide").waitFor();
    await page.keyboard.press("z");
    await row(page, "Last Train").waitFor();

    expect(await focused(page)).toBe("Night Ferry, The Lowlands");
    expect(errors).toEqual([]);
    await close();
  });

  test("a dialog and a menu give the focus back to their row", async () => {
    const { page, close } = await desk.open("/library?sort=name");
    await row(page, "Slow Tide").focus();

    for (const key of ["t", "e", "a", "s", "?", "Control+k"]) {
      await page.keyboard.press(key);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect([key, await focused(page)]).toEqual([key, "Slow Tide, The Lowlands"]);
    }
    await page.keyboard.press("x");
    await page
      .getByRole("toolbar", { name: "Selection" })
      .getByRole("button", { name: "Clear selection" })
      .focus();
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("Slow Tide, The Lowlands");
    await close();
  });

  test("a control that goes, or has nothing left to do, leaves the focus in its dialog", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    await row(page, "Slow Tide").focus();

    await page.getByRole("button", { name: "Columns" }).click();
    const columns = page.getByRole("dialog", { name: "Columns" });
    const second = columns.getByRole("listitem").nth(1).getByRole("button", { name: /left$/ });
    const name = (await second.getAttribute("aria-label")) ?? "";
    await second.focus();
    await page.keyboard.press("Enter");
    await columns.getByRole("listitem").first().getByRole("button", { name, disabled: true }).waitFor();
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe(name);
    await columns.getByRole("button", { name: name.replace("left", "right") }).click();
    await page.keyboard.press("Escape");
    await columns.waitFor({ state: "detached" });

    await row(page, "Slow Tide").focus();
    await page.keyboard.press("s");
    const share = page.getByRole("dialog", { name: "Share Slow Tide" });
    await share.getByRole("combobox", { name: "For whom" }).fill("Ada");
    await page.keyboard.press("Enter");
    await share.getByRole("button", { name: "Remove Ada" }).focus();
    await page.keyboard.press("Enter");
    await share.getByRole("button", { name: "Remove Ada" }).waitFor({ state: "detached" });
    await until(
      () => page.evaluate<boolean>(`document.activeElement.getAttribute("aria-label") !== "Remove Ada"`),
      true,
    );
    expect(await page.evaluate<boolean>(`document.activeElement.closest("dialog") !== null`)).toBe(true);

    expect(errors).toEqual([]);
    await close();
  });

  test("Escape closes the sheet, then clears the selection, and leaves an unfinished text alone", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    await row(page, "Slow Tide").focus();
    await page.keyboard.press("x");
    await page.keyboard.press("Enter");
    const panel = page.getByRole("complementary", { name: "Slow Tide" });
    await panel.getByRole("tab", { name: "Details" }).click();
    await panel.getByRole("textbox", { name: "Album" }).fill("Tides");
    await page.keyboard.press("Escape");
    await panel.getByRole("tab", { name: "Details" }).focus();

    expect(await panel.getByRole("textbox", { name: "Album" }).inputValue()).toBe("Tides");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Slow Tide, The Lowlands");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("1 selected").waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });
});
