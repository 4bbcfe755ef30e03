import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { addMember } from "../support/team.ts";
import { createConsole, until } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const api = desk.as(desk.createKey(desk.account.accountId));
  const form = new FormData();
  form.set("files", new File([wavBytes([noise(16_000, 1)], 8000, 16)], "Night Bus v3.wav"));
  trackId = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await api("POST", `/tracks/${trackId}/comments`, { text: "Kick, too loud", positionSec: 0.5 });
  const answered = await api("POST", `/tracks/${trackId}/comments`, { text: "Vox up", positionSec: 1 });
  await api("PATCH", `/comments/${answered.body.data.id}`, { answered: true });
});
afterAll(() => desk?.close());

/** Opens the dialog by the palette. */
async function openDialog(page: Page) {
  // The palette has it once the versions are there.
  await page.getByText("Night Bus v3.wav").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Export notes");
  await page
    .getByRole("option", { name: /^Export notes…/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "Notes for your workstation" });
  await dialog.waitFor();
  return dialog;
}

/** Presses "Save" and returns the name and the text of the file. */
async function saved(page: Page): Promise<[name: string, text: string]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save" }).click();
  const file = await download;
  return [file.suggestedFilename(), await Bun.file(await file.path()).text()];
}

describe.skipIf(!BROWSER_PATH)("notes for a workstation", () => {
  test("are saved in the form that was chosen, which is remembered", async () => {
    const { page, errors, close } = await desk.open(`/library/tracks/${trackId}`);

    const dialog = await openDialog(page);
    expect(
      await dialog.getByRole("radio").evaluateAll((all) => all.map((each) => each.getAttribute("disabled"))),
    ).toEqual(Array(6).fill(null));
    expect(await inspect(page, "notes-export")).toEqual([]);
    const reaper = await saved(page);
    await dialog.waitFor({ state: "detached" });
    await openDialog(page);
    await dialog.getByRole("radio", { name: "Audacity" }).check();
    await dialog.getByRole("switch", { name: "Answered notes too" }).click();
    const audacity = await saved(page);
    await dialog.waitFor({ state: "detached" });
    await openDialog(page);
    await until(() => dialog.getByRole("radio", { name: "Audacity" }).isChecked(), true);
    await dialog.getByRole("radio", { name: "WAV with cue points" }).check();
    const wav = await saved(page);
    await page.goto(`/library/tracks/${trackId}?tab=review`);
    await page.getByRole("button", { name: "Export notes…" }).click();
    await dialog.getByText("The notes on Original, at their times in it.").waitFor();

    expect(reaper).toEqual([
      "Night Bus v3 - notes for REAPER.csv",
      '#,Name,Start,End,Length,Color\r\nM1,"Someone: Kick, too loud",0:00.500,,,\r\n',
    ]);
    expect(audacity).toEqual([
      "Night Bus v3 - notes for Audacity.txt",
      "0.500000\t0.500000\tSomeone: Kick, too loud\n1.000000\t1.000000\tSomeone: Vox up\n",
    ]);
    expect(wav[0]).toBe("Night Bus v3 - notes.wav");
    expect(wav[1]).toContain("Someone: Kick, too loud\0");
    expect(errors).toEqual([]);
    await close();
  });

  test("have no WAV for a listener, who is told why, on a phone too", async () => {
    const { token } = addMember(desk, desk.account.accountId, { role: "listener" });
    const { page, errors, close } = await desk.open(`/library/tracks/${trackId}`, "phone", token);

    const dialog = await openDialog(page);
    const wav = dialog.getByRole("radio", { name: "WAV with cue points" });

    expect(await wav.isDisabled()).toBe(true);
    await dialog.getByText("Your role in this library gets no original files.").waitFor();
    expect(await inspect(page, "notes-export-phone")).toEqual([]);
    expect(await saved(page)).toEqual([
      "Night Bus v3 - notes for REAPER.csv",
      expect.stringContaining("Kick, too loud"),
    ]);
    expect(errors).toEqual([]);
    await close();
  });
});
