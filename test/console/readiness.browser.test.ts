import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { BROWSER_PATH } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { picture } from "../support/pictures.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
const folder = mkdtempSync(join(tmpdir(), "dubplate-missing-"));
beforeAll(async () => {
  if (BROWSER_PATH) desk = await createConsole();
});
afterAll(async () => {
  await desk?.close();
  rmSync(folder, { recursive: true });
});

const call = async (method: string, path: string, body?: object) =>
  (await desk.signedIn(desk.account.token)(method, path, body)).body.data;

/** Answers a dialog: fills or chooses, and saves. */
async function answer(
  page: Page,
  name: string,
  fill: (dialog: ReturnType<Page["getByRole"]>) => Promise<unknown>,
) {
  const dialog = page.getByRole("dialog", { name });
  await fill(dialog);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "hidden" });
}

describe.skipIf(!BROWSER_PATH)("what an album lacks", () => {
  test("is mended from its page: typed, chosen, and with one answer for all songs", async () => {
    const { accountId } = desk.account;
    const measured = { truePeakDbtp: -2, integratedLufs: -14, sampleRateHz: 44_100 };
    const songs = ["Harbour", "Lantern", "Tide"].map((title) =>
      addTrackRows(desk.deps.db, accountId, {
        title,
        artist: "Mara Lind",
        name: `${title}.wav`,
        measured,
        tags: { genres: ["House"] },
      }),
    );
    const ids = songs.map(({ id }) => id);
    const album = await call("POST", "/app/playlists", {
      name: "Harbour Lights",
      kind: "album",
      trackIds: ids,
    });
    const composers = [];
    for (const fullName of ["Ben Ode", "Ada Writer"])
      composers.push(await call("POST", "/app/composers", { fullName, email: `${fullName[0]}@example.com` }));
    const shareholders = composers.map(({ id: shareholderId }: Json, at) => ({
      shareholderId,
      share: 50 - 10 * at,
      role: "Composer",
    }));
    await call("PUT", `/app/library/tracks/shareholders?id=${ids[0]}`, { shareholders });
    const findings = async () => {
      const { findings: own, tracks } = await call("GET", `/app/library/playlists/${album.id}/readiness`);
      return [...own, ...tracks.flatMap((track: Json) => track.findings)].map(
        ({ code }: Json) => code as string,
      );
    };
    const left = async (...codes: string[]) => (await findings()).filter((code) => codes.includes(code));

    const { page, errors, close } = await desk.open(`/library/albums/${album.id}`);
    await page.getByText("What is missing").click();
    const list = page.getByRole("list", { name: "What is missing" });
    const group = (title: string) =>
      list.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
    const line = (title: string, says: string) =>
      group(title).getByRole("listitem").filter({ hasText: says });
    await line("Lantern", "No ISRC").getByRole("button", { name: "Type it" }).click();
    await answer(page, "ISRC", (dialog) => dialog.getByLabel("ISRC of Lantern").fill("QZABC2600002"));
    await line("Tide", "No ℗ line").getByRole("button", { name: "Type it" }).click();
    await answer(page, "℗ line", (dialog) => dialog.getByLabel("℗ line of Tide").fill("2026 Northlight"));
    await line("Tide", "explicit").getByRole("button", { name: "Choose it" }).click();
    await answer(page, "Explicit words", async (dialog) => {
      await dialog.getByLabel("Words of Tide").selectOption("no");
      await dialog.getByLabel("Also for 2 other tracks").check();
    });
    await line("Harbour", "whether AI was used").getByRole("button", { name: "State it" }).click();
    await answer(page, "How Harbour was made", (dialog) => dialog.getByLabel("Vocals").selectOption("none"));
    await line("Harbour", "The shares add up to 90 %")
      .getByRole("button", { name: "Type the shares" })
      .click();
    await answer(page, "Shares of Harbour", (dialog) =>
      dialog.getByRole("button", { name: "Split equally" }).click(),
    );
    await line("Harbour", "Ada Writer has no IPI").getByRole("button", { name: "Type it" }).click();
    await answer(page, "IPI", (dialog) => dialog.getByLabel("IPI").fill("00000000199"));
    await line("Harbour", "Ben Ode has no IPI").getByRole("button", { name: "Ask Ben Ode" }).click();
    const asked = page.getByRole("dialog", { name: "Ask Ben Ode" });
    expect(await asked.getByLabel("Link").inputValue()).toContain("/supply/");
    await asked.getByRole("button", { name: "Close" }).click();
    writeFileSync(join(folder, "cover.jpg"), await picture("jpeg", { width: 64, height: 64 }));
    const chosen = page.waitForEvent("filechooser");
    await line("The release", "No cover").getByRole("button", { name: "Change cover" }).click();
    await (await chosen).setFiles(join(folder, "cover.jpg"));
    await page.getByText("Cover changed").waitFor();

    await until(() => left("p_line_missing", "explicit_unstated", "splits", "cover_missing"), []);
    // One answer was for all songs, where it said so: two songs still lack an ISRC, and what is said of AI.
    const still = (await left("isrc_missing", "ai_unstated", "ipi_missing")).toSorted();
    expect(still).toEqual(["ai_unstated", "ai_unstated", "ipi_missing", "isrc_missing", "isrc_missing"]);
    await line("Harbour", "The shares").waitFor({ state: "hidden" });
    expect(errors).toEqual([]);
    await close();
  });
});
